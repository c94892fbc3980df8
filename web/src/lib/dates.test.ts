import dayjs from 'dayjs';
import { expect, test } from 'vitest';
import { fromWire, rangesAt, toWire } from './dates';

const at = (moment: string) =>
  Object.fromEntries(
    rangesAt(dayjs(moment)).map(([name, first, last]) => [
      name,
      `${first.format('YYYY-MM-DD HH:mm')} ${last.format('YYYY-MM-DD HH:mm')}`.replaceAll(' 00:00', ''),
    ]),
  );

test('the ranges of a Wednesday', () => {
  expect(at('2026-11-18 15:20')).toEqual({
    today: '2026-11-18 2026-11-18',
    yesterday: '2026-11-17 2026-11-17',
    thisWeek: '2026-11-16 2026-11-22',
    lastWeek: '2026-11-09 2026-11-15',
    thisMonth: '2026-11-01 2026-11-30',
    lastMonth: '2026-10-01 2026-10-31',
    thisYear: '2026-01-01 2026-12-31',
    lastYear: '2025-01-01 2025-12-31',
  });
});

test('a Sunday ends its week, a Monday begins it', () => {
  expect(at('2026-11-22 23:59').thisWeek).toBe('2026-11-16 2026-11-22');
  expect(at('2026-11-23 00:00').thisWeek).toBe('2026-11-23 2026-11-29');
  expect(at('2026-11-23 00:00').lastWeek).toBe('2026-11-16 2026-11-22');
});

test('the ends of month and year', () => {
  const last = at('2024-03-31 12:00');
  expect(last.lastMonth).toBe('2024-02-01 2024-02-29');
  const first = at('2026-01-01 00:00');
  expect(first.yesterday).toBe('2025-12-31 2025-12-31');
  expect(first.lastMonth).toBe('2025-12-01 2025-12-31');
  expect(first.thisWeek).toBe('2025-12-29 2026-01-04');
  expect(first.lastYear).toBe('2025-01-01 2025-12-31');
});

test('both languages count the week from Monday', () => {
  for (const locale of ['en', 'zh-cn']) {
    dayjs.locale(locale);
    expect(at('2026-11-22 08:00').thisWeek).toBe('2026-11-16 2026-11-22');
  }
});

test('a moment goes over the wire as the clock on the wall shows it, not as that of UTC', () => {
  // The zone is set for all tests: were it UTC, the two would be the same.
  expect(new Date(2026, 2, 2).getTimezoneOffset()).toBe(-480);
  expect(toWire(dayjs(new Date('2026-03-02T00:30:00Z')))).toBe('2026-03-02 08:30:00');
  expect(toWire(dayjs('2026-03-02 00:10:20'))).toBe('2026-03-02 00:10:20');
  expect(toWire(fromWire('2026-03-02 08:30:15'))).toBe('2026-03-02 08:30:15');
  expect(fromWire('2026-03-02 08:30:15')?.toDate().toISOString()).toBe('2026-03-02T00:30:15.000Z');
  expect([toWire(undefined), toWire(null)]).toEqual([undefined, undefined]);
});
