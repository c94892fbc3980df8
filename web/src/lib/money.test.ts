import { expect, test } from 'vitest';
import { grouped, price, yuan } from './money';

test('amounts have two decimals and groups', () => {
  expect([yuan(0), yuan(12.3), yuan(1234567.891), yuan(null)]).toEqual([
    '¥0.00',
    '¥12.30',
    '¥1,234,567.89',
    '-',
  ]);
});

test('a minus stands before the sign of the money', () => {
  expect(yuan(-178.5)).toBe('−¥178.50');
});

test('the price of a piece has the decimals that matter', () => {
  expect([price(32), price(92.544), price(0.0125), price(2350), price(null)]).toEqual([
    '¥32.00',
    '¥92.544',
    '¥0.0125',
    '¥2,350.00',
    '-',
  ]);
});

test('a reading is in groups, without needless decimals', () => {
  expect([grouped(13692), grouped(9398.5)]).toEqual(['13,692', '9,398.5']);
});
