import { expect, test } from 'vitest';
import { steps } from './steps';

test('steps are round and hold all values', () => {
  expect(steps(1870, 2011, 4)).toEqual([1850, 1900, 1950, 2000, 2050]);
  expect(steps(0, 1, 4)).toEqual([0, 0.5, 1]);
  expect(steps(5, 5, 4)).toEqual([4, 6]);
  expect(steps(0, 0, 4)).toEqual([0, 0.5]);
  expect(steps(0.12, 0.38, 4)).toEqual([0.1, 0.2, 0.3, 0.4]);
});
