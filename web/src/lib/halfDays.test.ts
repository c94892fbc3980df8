import dayjs from 'dayjs';
import { expect, test } from 'vitest';
import { after, beginOf, daysBetween, endOf, firstHalf, lastHalf } from './halfDays';

test.each([
  ['05 08:00', '05 12:00', 0.5],
  ['05 08:00', '05 12:01', 1],
  ['05 12:00', '05 17:00', 0.5],
  ['05 11:59', '05 12:01', 1],
  ['05 13:00', '06 12:00', 1],
  ['05 00:00', '06 00:00', 1],
  ['05 08:00', '08 12:00', 3.5],
  ['05 23:30', '06 00:30', 1],
  ['05 08:00', '05 08:00', undefined],
  ['06 08:00', '05 08:00', undefined],
])('from %s to %s it is %s days, as on the server', (start, end, days) => {
  expect(daysBetween(`2026-03-${start}:00`, `2026-03-${end}:00`)).toBe(days);
});

test('without both ends there is nothing to count', () => {
  expect(daysBetween(undefined, '2026-03-05 08:00:00')).toBeUndefined();
  expect(daysBetween('2026-03-05 08:00:00', null)).toBeUndefined();
});

test.each([
  [0, 0.5, '2026-03-05 08:00:00', '2026-03-05 12:00:00'],
  [0, 1, '2026-03-05 08:00:00', '2026-03-05 17:00:00'],
  [1, 0.5, '2026-03-05 13:00:00', '2026-03-05 17:00:00'],
  [1, 1, '2026-03-05 13:00:00', '2026-03-06 12:00:00'],
  [0, 3.5, '2026-03-05 08:00:00', '2026-03-08 12:00:00'],
  [1, 5, '2026-03-05 13:00:00', '2026-03-10 12:00:00'],
] as const)('a leave that begins with half %s and takes %s days', (half, days, start, end) => {
  const first = { day: dayjs('2026-03-05'), half };
  expect([beginOf(first), endOf(after(first, days))]).toEqual([start, end]);
  expect(daysBetween(start, end)).toBe(days);
});

test('a moment of the wire is the half day that it begins or ends', () => {
  const told = (half: ReturnType<typeof firstHalf>) => half && [half.day.format('DD'), half.half];
  expect(told(firstHalf('2026-03-05 11:59:00'))).toEqual(['05', 0]);
  expect(told(firstHalf('2026-03-05 12:00:00'))).toEqual(['05', 1]);
  expect(told(lastHalf('2026-03-05 12:00:00'))).toEqual(['05', 0]);
  expect(told(lastHalf('2026-03-06 00:00:00'))).toEqual(['05', 1]);
  expect(told(firstHalf(null))).toBeUndefined();
});
