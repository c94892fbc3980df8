/** Labels of plates: the usual sizes, what stands where on a label, and the PDF of many. */
import { encodeQR } from 'qr';
import { type Box, type Grey, type PdfPage, pdfOf } from '@/lib/pdf';
import { FONT, greyOf, paper, wrapped } from '@/lib/pdfText';

export interface LabelSize {
  key: string;
  /** Of one label, in mm. */
  width: number;
  height: number;
  /** On a sheet of A4: how many, and where the first one begins; without, each label is a page for a label printer. */
  sheet?: { columns: number; rows: number; left: number; top: number; gapX: number; gapY: number };
}

const A4 = { width: 210, height: 297 };

export const SIZES: readonly LabelSize[] = [
  { key: '40x30', width: 40, height: 30 },
  { key: '50x30', width: 50, height: 30 },
  { key: '60x40', width: 60, height: 40 },
  { key: '70x50', width: 70, height: 50 },
  { key: '100x70', width: 100, height: 70 },
  {
    key: 'a4-40',
    width: 48.5,
    height: 25.4,
    sheet: { columns: 4, rows: 10, left: 8, top: 21.5, gapX: 0, gapY: 0 },
  },
  {
    key: 'a4-24',
    width: 70,
    height: 37,
    sheet: { columns: 3, rows: 8, left: 0, top: 0.5, gapX: 0, gapY: 0 },
  },
  {
    key: 'a4-21',
    width: 63.5,
    height: 38.1,
    sheet: { columns: 3, rows: 7, left: 7.2, top: 15.1, gapX: 2.5, gapY: 0 },
  },
  {
    key: 'a4-8',
    width: 99.1,
    height: 67.7,
    sheet: { columns: 2, rows: 4, left: 4.65, top: 13.1, gapX: 2.5, gapY: 0 },
  },
];

export interface Label {
  /** What the code says. */
  address: string;
  /** The first one large; each on a line of its own, shortened where it does not fit. */
  lines: readonly string[];
}

/** Draws lines of text into a box of this size, in mm. */
export type Draw = (lines: readonly string[], width: number, height: number) => Grey;

/** White around the code; without it, cameras do not find it. */
const QUIET = 4;
const MARGIN = 1.5;
const DOTS = 600 / 25.4;

/** The dark fields of a code in a square of this size: runs of a row as one box. */
export function codeBoxes(address: string, x: number, y: number, size: number): Box[] {
  const rows = encodeQR(address, 'raw', { ecc: 'medium', border: 1 })
    .slice(1, -1)
    .map((row) => row.slice(1, -1));
  const field = size / rows.length;
  const boxes: Box[] = [];
  rows.forEach((row, down) => {
    let from = 0;
    while (from < row.length) {
      let to = from;
      while (row[to]) to += 1;
      if (to > from)
        boxes.push({ x: x + from * field, y: y + down * field, width: (to - from) * field, height: field });
      from = to + 1;
    }
  });
  return boxes;
}

/** Where code and text stand on a label whose corner is here. */
export function layout({ width, height }: LabelSize, x = 0, y = 0): { code: Box; text: Box } {
  // The quiet zone is part of the margin; a code fills at most half of a label.
  const size = Math.min(height - 2 * MARGIN, width * 0.5) * 0.88;
  const code = { x: x + MARGIN + size * 0.06, y: y + (height - size) / 2, width: size, height: size };
  const left = code.x + size + Math.max(MARGIN, (size / 33) * QUIET);
  return { code, text: { x: left, y: code.y, width: x + width - MARGIN - left, height: size } };
}

/** The pages: one a label, or sheets whose first labels, already used, stay empty. */
export function pagesOf(labels: readonly Label[], size: LabelSize, draw: Draw, used = 0): PdfPage[] {
  const { sheet } = size;
  const one = (label: Label, x: number, y: number) => {
    const { code, text } = layout(size, x, y);
    return {
      boxes: codeBoxes(label.address, code.x, code.y, code.width),
      picture: { ...text, grey: draw(label.lines, text.width, text.height) },
    };
  };
  if (!sheet)
    return labels.map((label) => {
      const { boxes, picture } = one(label, 0, 0);
      return { width: size.width, height: size.height, boxes, pictures: [picture] };
    });
  const pages: (PdfPage & { boxes: Box[]; pictures: (Box & { grey: Grey })[] })[] = [];
  const most = sheet.columns * sheet.rows;
  labels.forEach((label, index) => {
    const place = used + index;
    const number = Math.floor(place / most);
    pages[number] ??= { ...A4, boxes: [], pictures: [] };
    const row = Math.floor((place % most) / sheet.columns);
    const x = sheet.left + (place % sheet.columns) * (size.width + sheet.gapX);
    const { boxes, picture } = one(label, x, sheet.top + row * (size.height + sheet.gapY));
    pages[number].boxes.push(...boxes);
    pages[number].pictures.push(picture);
  });
  return pages;
}

/** Heights of the first line and of the others, of the whole. */
const [FIRST, OTHER] = [0.24, 0.17];

/** Draws with the browser's fonts, at the resolution of an office printer. */
export function drawText(lines: readonly string[], width: number, height: number): Grey {
  const context = paper(width * DOTS, height * DOTS);
  const { canvas } = context;
  const [name = '', ...others] = lines;
  const put = (text: string, share: number, bold: boolean, most: number, y: number): number => {
    const line = canvas.height * share;
    context.font = `${bold ? '700 ' : ''}${line * 0.78}px ${FONT}`;
    const parts = wrapped(text, canvas.width, most, (part) => context.measureText(part).width);
    parts.forEach((part, index) => {
      context.fillText(part, 0, y + index * line + line * 0.11);
    });
    return y + parts.length * line;
  };
  let y = put(name, FIRST, true, 2, 0);
  for (const text of others)
    if (y + canvas.height * OTHER <= canvas.height + 1) y = put(text, OTHER, false, 1, y);
  return greyOf(context);
}

export function labelsPdf(labels: readonly Label[], size: LabelSize, used = 0): Promise<Blob> {
  return pdfOf(pagesOf(labels, size, drawText, used));
}
