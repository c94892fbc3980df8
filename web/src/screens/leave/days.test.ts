import { expect, test } from 'vitest';
import { daysBetween } from './days';

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
