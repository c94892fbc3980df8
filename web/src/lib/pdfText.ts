/** Text as a picture for PDF files, drawn by the browser in its own fonts. */
import type { Grey } from './pdf';

export const FONT = '"Noto Sans SC", "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif';

/** A text in at most so many lines of this width; what is longer ends in an ellipsis. */
export function wrapped(
  text: string,
  width: number,
  most: number,
  measure: (part: string) => number,
): string[] {
  const lines: string[] = [];
  let rest = [...text];
  while (rest.length > 0 && lines.length < most) {
    let fits = rest.length;
    while (fits > 1 && measure(rest.slice(0, fits).join('')) > width) fits -= 1;
    if (fits < rest.length && lines.length === most - 1) {
      while (fits > 1 && measure(`${rest.slice(0, fits).join('')}…`) > width) fits -= 1;
      lines.push(`${rest.slice(0, fits).join('')}…`);
      return lines;
    }
    lines.push(rest.slice(0, fits).join(''));
    rest = rest.slice(fits);
  }
  return lines;
}

/** An empty white canvas to draw text on. */
export function paper(width: number, height: number): CanvasRenderingContext2D {
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width);
  canvas.height = Math.round(height);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('no canvas');
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = '#000';
  context.textBaseline = 'top';
  return context;
}

/** What has been drawn, as grey values. */
export function greyOf(context: CanvasRenderingContext2D): Grey {
  const { width, height } = context.canvas;
  const { data } = context.getImageData(0, 0, width, height);
  const pixels = new Uint8Array(width * height);
  for (let index = 0; index < pixels.length; index += 1) pixels[index] = data[index * 4] ?? 255;
  return { width, height, pixels };
}
