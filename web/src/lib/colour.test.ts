import { expect, test } from 'vitest';
import { contrast, legible } from './colour';

test('black on white has the highest contrast there is', () => {
  expect(contrast('#000000', '#ffffff')).toBe(21);
});

test('the default accent is too light for white text and its working shade is not', () => {
  expect(contrast('#409EFF', '#ffffff')).toBeLessThan(4.5);
  expect(contrast(legible('#409EFF'), '#ffffff')).toBeGreaterThanOrEqual(4.5);
});

test('a colour that is dark enough stays as it is', () => {
  expect(legible('#1d2733')).toBe('#1d2733');
});
