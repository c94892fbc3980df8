import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { asWorking, durationOf, durationText, mayBeWorking, mayRepeat, readDuration } from './duration';

interface Case {
  text: string;
  parts: [months: number, days: number, seconds: number] | null;
}

/** The engine's own test reads the same file. */
const cases = JSON.parse(readFileSync('../tests/workflows/engine/durations.json', 'utf8')) as Case[];

test.each(cases)('the panel reads “$text” as the engine does', ({ text, parts }) => {
  const found = readDuration(text);
  const told = found && [found.months, found.days, found.hours * 3600 + found.minutes * 60 + found.seconds];
  expect(told ?? null).toEqual(parts);
});

test('what the form writes reads the same again, and seconds stay text', () => {
  for (const { text } of cases) {
    const duration = durationOf(text);
    if (duration && durationText(duration)) expect(durationOf(durationText(duration))).toEqual(duration);
  }
  expect(durationOf('PT90S')).toBeUndefined();
  expect(readDuration('PT90S')).toBeDefined();
});

test('working time has days and hours, no weeks, months and years, and an end', () => {
  const texts = ['P3DT4H', 'PT90S', 'P1000DT10000H', 'P1W', 'P1M', 'P1Y', 'P1001D', 'PT10001H', 'soon', ''];
  expect(texts.filter(mayBeWorking)).toEqual(['P3DT4H', 'PT90S', 'P1000DT10000H']);
  expect(texts.map(asWorking)).toEqual([
    ...['P3DT4H', 'PT90S', 'P1000DT10000H', 'P7D'],
    ...['P1D', 'P1D', 'P1D', 'P1D', 'P1D', 'P1D'],
  ]);
  expect(asWorking('P1M2DT3H')).toBe('P2DT3H');
});

test('a repetition is a minute apart at least', () => {
  const texts = ['PT0S', 'PT59.9S', 'P0D', 'soon', 'PT60S', 'PT1M', 'P1D', 'P1M'];
  expect(texts.filter(mayRepeat)).toEqual(['PT60S', 'PT1M', 'P1D', 'P1M']);
});
