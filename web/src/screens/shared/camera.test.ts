import { encodeQR } from 'qr';
import { expect, test } from 'vitest';
import { readQr } from './readQr';

const PIXELS = 6;

/** A photo of a plate: the code in grey on grey, with dirt on it, somewhat dark. */
function drawn(text: string, dirt = 0) {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: 4 });
  const size = rows.length * PIXELS;
  const data = new Uint8ClampedArray(size * size * 4);
  for (let y = 0; y < size; y += 1)
    for (let x = 0; x < size; x += 1) {
      const isDark = rows[Math.floor(y / PIXELS)]?.[Math.floor(x / PIXELS)];
      const isDirty = Math.hypot(x - size / 2, y - size / 2) < dirt;
      const grey = isDirty ? 120 : (isDark ? 40 : 170) + ((x * 7 + y * 13) % 11);
      data.set([grey, grey, grey, 255], (y * size + x) * 4);
    }
  return { width: size, height: size, data };
}

test('our own reader reads the code of a plate in a grey picture with some dirt', () => {
  const address = 'https://plant.example.com/scan/100001-AbCdEfGhJkMnPqRs';
  expect(readQr(drawn(address))).toBe(address);
  expect(readQr(drawn(address, 12))).toBe(address);
});

test('a picture without a code says nothing', () => {
  expect(
    readQr({ width: 64, height: 64, data: new Uint8ClampedArray(64 * 64 * 4).fill(128) }),
  ).toBeUndefined();
});
