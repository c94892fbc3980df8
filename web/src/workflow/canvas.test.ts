import { expect, test } from 'vitest';
import { type Box, type Canvas, heightOf, openAt, type Parts } from './canvas';

/** A frame of 1000 × 500 pixels with a drawing of this size in it, whose first point is 100, 50. */
function framed(width: number, height: number, step?: Partial<Box>) {
  const inner = { x: 100, y: 50, width, height };
  const outer = { x: 0, y: 0, width: 1000, height: 500 };
  let box: Box = outer;
  const fits = Math.min(1, 1000 / width, 500 / height);
  let scale = 1;
  const zoom = (to?: number | string) => {
    if (to !== undefined) scale = to === 'fit-viewport' ? fits : Number(to);
    return scale;
  };
  const viewbox = (to?: Box) => {
    if (to) box = to;
    return { ...box, inner, outer };
  };
  const canvas = { zoom, viewbox } as unknown as Canvas;
  const get = (name: string) =>
    name === 'canvas' ? canvas : { get: () => ({ width: 100, height: 80, x: 0, y: 0, ...step }) };
  return { canvas, parts: { get } as unknown as Parts, box: () => box };
}

test('what is legible as a whole is shown as a whole', () => {
  const { parts, box, canvas } = framed(1200, 300);
  openAt(parts, 0.7, 0.7);
  expect([box().x, canvas.zoom()]).toEqual([0, (1000 / 1200) * 0.95]);
});

test('of a large drawing the beginning is shown, with air before it', () => {
  const { parts, box } = framed(4000, 300);
  openAt(parts, 0.3, 0.5);
  const { x, y, width, height } = box();
  expect([x, width, height]).toEqual([100 - 48, 2000, 1000]);
  // A low one stands in the middle.
  expect(y).toBe(50 - (1000 - 300) / 2);
});

test('the step where it stands is in sight, and never more beyond the edges than air', () => {
  const near = framed(4000, 300, { x: 300 });
  openAt(near.parts, 0.45, 0.5, 'step');
  expect(near.box().x).toBe(52);
  const amid = framed(4000, 300, { x: 2000 });
  openAt(amid.parts, 0.45, 0.5, 'step');
  expect(amid.box().x).toBe(2050 - 1000);
  const last = framed(4000, 300, { x: 3990 });
  openAt(last.parts, 0.45, 0.5, 'step');
  expect(last.box().x).toBe(4100 + 48 - 2000);
});

test('a frame is as high as the drawing that has its width', () => {
  expect(heightOf(framed(500, 200).canvas)).toBe(248);
  expect(heightOf(framed(1952, 400).canvas)).toBe(248);
});
