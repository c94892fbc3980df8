import { expect, test } from 'vitest';
import { yuan } from './money';

test('amounts have two decimals and groups', () => {
  expect([yuan(0), yuan(12.3), yuan(1234567.891), yuan(null)]).toEqual([
    '¥0.00',
    '¥12.30',
    '¥1,234,567.89',
    '-',
  ]);
});
