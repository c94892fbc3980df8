import { expect, test } from 'vitest';
import { fitted } from './reportPdf';

test('numbers are never cut: names give way, and all becomes smaller', () => {
  expect(fitted([100, 50], [false, true], 300).widths.map(Math.round)).toEqual([250, 50]);
  const { scale, widths } = fitted([400, 100, 100], [false, true, true], 200);
  expect(scale).toBeCloseTo(200 / 228);
  expect(widths[1]).toBeCloseTo(100 * scale);
  expect(widths.reduce((total, one) => total + one, 0)).toBeCloseTo(200);
});
