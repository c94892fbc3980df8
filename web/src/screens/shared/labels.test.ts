import { decodeQR } from 'qr/decode.js';
import { expect, test } from 'vitest';
import { pdfOf } from '@/lib/pdf';
import { wrapped } from '@/lib/pdfText';
import { codeBoxes, layout, pagesOf, SIZES } from './labels';

const ADDRESS = 'https://xunwei.example.com/scan/100001-abcdefghijkmnpqr';
const draw = () => ({ width: 2, height: 2, pixels: new Uint8Array(4).fill(255) });
const sizeOf = (key: string) => {
  const found = SIZES.find((size) => size.key === key);
  if (!found) throw new Error(key);
  return found;
};

test('the boxes of a code are read as the address again', () => {
  const side = 400;
  const data = new Uint8Array(side * side * 4).fill(255);
  for (const { x, y, width, height } of codeBoxes(ADDRESS, 40, 40, 320))
    for (let down = Math.round(y); down < Math.round(y + height); down += 1)
      for (let across = Math.round(x); across < Math.round(x + width); across += 1)
        data.fill(0, (down * side + across) * 4, (down * side + across) * 4 + 3);
  expect(decodeQR({ width: side, height: side, data })).toBe(ADDRESS);
});

test('code and text of every size stay on their label, and labels on their sheet', () => {
  for (const size of SIZES) {
    const { code, text } = layout(size);
    expect(code.width).toBeGreaterThan(17);
    expect(text.width).toBeGreaterThan(12);
    for (const box of [code, text]) {
      expect(Math.min(box.x, box.y)).toBeGreaterThan(0.5);
      expect(box.x + box.width).toBeLessThan(size.width);
      expect(box.y + box.height).toBeLessThan(size.height);
    }
    const { sheet } = size;
    if (!sheet) continue;
    const { columns, rows, left, top, gapX, gapY } = sheet;
    expect(left + columns * size.width + (columns - 1) * gapX).toBeLessThanOrEqual(210);
    expect(top + rows * size.height + (rows - 1) * gapY).toBeLessThanOrEqual(297);
  }
});

test('a roll has a page a label, a sheet begins after its used labels', () => {
  const labels = Array.from({ length: 22 }, () => ({ address: ADDRESS, lines: ['车床'] }));
  const roll = pagesOf(labels, sizeOf('50x30'), draw);
  expect([roll.length, roll[0]?.width, roll[0]?.height]).toEqual([22, 50, 30]);
  const sheets = pagesOf(labels, sizeOf('a4-21'), draw, 4);
  expect(sheets.map(({ pictures }) => pictures.length)).toEqual([17, 5]);
  expect([sheets[0]?.width, sheets[0]?.height]).toEqual([210, 297]);
  // The fifth place is the second of the second row.
  expect(sheets[0]?.pictures[0]?.y).toBeCloseTo(layout(sizeOf('a4-21'), 0, 15.1 + 38.1).text.y);
});

test('a long name is wrapped, and ends in an ellipsis', () => {
  const measure = (part: string) => [...part].length;
  expect(wrapped('数控车床', 10, 2, measure)).toEqual(['数控车床']);
  expect(wrapped('立式加工中心一号机组', 4, 2, measure)).toEqual(['立式加工', '中心一…']);
});

test('the file has its pages in their size, and each object where the table says', async () => {
  const pages = pagesOf([{ address: ADDRESS, lines: ['车床'] }], sizeOf('50x30'), draw);
  const bytes = new Uint8Array(await (await pdfOf([...pages, ...pages])).arrayBuffer());
  const text = new TextDecoder('latin1').decode(bytes);
  expect(text.startsWith('%PDF-1.4')).toBe(true);
  expect(text.match(/\/MediaBox \[0 0 141\.732 85\.039\]/g)).toHaveLength(2);
  const table = Number(/startxref\n(\d+)/.exec(text)?.[1]);
  expect(text.slice(table, table + 4)).toBe('xref');
  const places = [...text.slice(table).matchAll(/^(\d{10}) 00000 n $/gm)].map(([, place]) => Number(place));
  expect(places).toHaveLength(8);
  places.forEach((place, index) => {
    expect(text.slice(place, place + 8)).toContain(`${index + 1} 0 obj`);
  });
});
