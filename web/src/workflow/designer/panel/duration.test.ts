import { readFileSync } from 'node:fs';
import dayjs from 'dayjs';
import { expect, test } from 'vitest';
import { after, durationOf, durationText, mayRepeat, readDuration } from './duration';

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

test('a month after the last of January is the last of February', () => {
  const month = { months: 1, days: 0, hours: 0, minutes: 0 };
  expect(after(dayjs('2026-01-31T08:00:00'), month).format('YYYY-MM-DD HH:mm')).toBe('2026-02-28 08:00');
});

test('a repetition is a minute apart at least', () => {
  const texts = ['PT0S', 'PT59.9S', 'P0D', 'soon', 'PT60S', 'PT1M', 'P1D', 'P1M'];
  expect(texts.filter(mayRepeat)).toEqual(['PT60S', 'PT1M', 'P1D', 'P1M']);
});
