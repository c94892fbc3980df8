/** A report on sheets of A4: its title, what it was asked for, its table with the sum, who made it and when. */
import { type PdfPage, pdfOf } from '@/lib/pdf';
import { FONT, greyOf, paper, wrapped } from '@/lib/pdfText';

export interface Printed {
  title: string;
  /** What it was asked for, each on a line. */
  about: readonly string[];
  heads: readonly string[];
  /** Numbers stand at the right of their column. */
  numeric: readonly boolean[];
  rows: readonly (readonly string[])[];
  sum?: readonly string[];
  /** At the foot of each sheet, before its number. */
  foot: string;
}

/** Of a sheet across, in mm. */
const SHEET = { width: 297, height: 210 };
const DOTS = 200 / 25.4;
const [MARGIN, PADDING] = [12 * DOTS, 1.2 * DOTS];
const [BIG, SMALL] = [5.2 * DOTS, 2.9 * DOTS];
const [LINE, ROW] = [SMALL * 1.4, SMALL * 1.9];
const font = (size: number, bold = false) => `${bold ? '700 ' : ''}${size}px ${FONT}`;

/** What a text column may take of the sheet, so that one long name does not make all of it small. */
const WIDEST = 0.14;
/** Smaller than this share of the usual size nobody reads it. */
const LEAST = 0.62;

/** Columns as wide as their texts, all of them smaller where these do not fit; numbers are never cut, names may be. */
export function fitted(wanted: readonly number[], numeric: readonly boolean[], room: number) {
  const sum = (values: readonly number[]) => values.reduce((total, one) => total + one, 0);
  const capped = wanted.map((one, column) => (numeric[column] ? one : Math.min(one, room * WIDEST)));
  const scale = Math.max(LEAST, Math.min(1, room / sum(capped)));
  const small = capped.map((one) => one * scale);
  const numbers = sum(small.filter((_, column) => numeric[column]));
  const texts = sum(small) - numbers;
  const left = Math.max(0, room - numbers);
  // What is left over goes to the names; where nothing is left, they give way.
  const share = texts > 0 ? left / texts : 1;
  return { scale, widths: small.map((one, column) => (numeric[column] ? one : one * share)) };
}

export async function reportPdf({ title, about, heads, numeric, rows, sum, foot }: Printed): Promise<Blob> {
  const [width, height] = [SHEET.width * DOTS, SHEET.height * DOTS];
  const measuring = paper(1, 1);
  measuring.font = font(SMALL);
  const measure = (text: string) => measuring.measureText(text).width;
  const lines = sum ? [...rows, sum] : rows;
  // A heading may take two lines, so that it needs a little more than half of its width.
  const wanted = heads.map(
    (head, column) =>
      Math.max(measure(head) * 0.7, ...lines.map((line) => measure(line[column] ?? ''))) * 1.03 + 2 * PADDING,
  );
  const { scale, widths } = fitted(wanted, numeric, width - 2 * MARGIN);
  const size = SMALL * scale;
  const starts = widths.map((_, column) =>
    widths.slice(0, column).reduce((total, one) => total + one, MARGIN),
  );
  const first = MARGIN + BIG * 1.6 + about.length * LINE + LINE * 0.5;
  const head = 2 * LINE + PADDING;
  const room = (top: number) => Math.max(1, Math.floor((height - MARGIN - LINE - top - head) / ROW));
  const sheets: (readonly (readonly string[])[])[] = [lines.slice(0, room(first))];
  for (let at = room(first); at < lines.length; at += room(MARGIN))
    sheets.push(lines.slice(at, at + room(MARGIN)));
  const pages: PdfPage[] = sheets.map((part, number) => {
    const context = paper(width, height);
    const put = (text: string, column: number, y: number, most = 1) => {
      const inside = (widths[column] ?? 0) - 2 * PADDING * scale;
      const x = (starts[column] ?? 0) + PADDING * scale;
      for (const [line, words] of wrapped(
        text,
        inside,
        most,
        (one) => context.measureText(one).width,
      ).entries()) {
        const indent = numeric[column] ? inside - context.measureText(words).width : 0;
        context.fillText(words, x + indent, y + line * LINE);
      }
    };
    let y = MARGIN;
    if (number === 0) {
      context.font = font(BIG, true);
      context.fillText(title, MARGIN, y);
      y += BIG * 1.6;
      context.font = font(SMALL);
      for (const line of about) {
        context.fillText(line, MARGIN, y);
        y += LINE;
      }
      y = first;
    }
    context.font = font(size, true);
    for (const [column, text] of heads.entries()) put(text, column, y, 2);
    y += head;
    for (const line of part) {
      context.fillRect(MARGIN, y - PADDING / 2, width - 2 * MARGIN, 1);
      context.font = font(size, line === sum);
      for (const [column, text] of line.entries()) put(text, column, y + (ROW - LINE) / 2);
      y += ROW;
    }
    context.font = font(SMALL);
    context.fillText(`${foot} · ${number + 1}/${sheets.length}`, MARGIN, height - MARGIN);
    const whole = { x: 0, y: 0, ...SHEET };
    return { ...SHEET, boxes: [], pictures: [{ ...whole, grey: greyOf(context) }] };
  });
  return pdfOf(pages);
}
