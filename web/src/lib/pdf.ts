/** Writes PDF files of boxes and pictures, with lengths in millimetres from the top left corner. Text comes as a picture,
 * drawn by the browser in its own fonts: so every character that the screen shows is on paper too. */

/** Grey values of a picture, one byte a pixel, row after row; 0 is black. */
export interface Grey {
  width: number;
  height: number;
  pixels: Uint8Array<ArrayBuffer>;
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface PdfPage {
  width: number;
  height: number;
  /** Filled black. */
  boxes: readonly Box[];
  pictures: readonly (Box & { grey: Grey })[];
}

const POINTS = 72 / 25.4;
const encoder = new TextEncoder();

const number = (value: number) => String(Math.round(value * 1000) / 1000);

async function deflated(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** What the page draws; a PDF counts from the bottom left corner, in points. */
function drawing(page: PdfPage): string {
  const placed = ({ x, y, width, height }: Box) =>
    [x * POINTS, (page.height - y - height) * POINTS, width * POINTS, height * POINTS].map(number);
  const boxes = page.boxes.map((box) => `${placed(box).join(' ')} re`);
  const pictures = page.pictures.map((picture, index) => {
    const [x, y, width, height] = placed(picture);
    return `q ${width} 0 0 ${height} ${x} ${y} cm /P${index} Do Q`;
  });
  return ['0 g', ...boxes, 'f', ...pictures].join('\n');
}

/** Returns the file. */
export async function pdfOf(pages: readonly PdfPage[]): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const starts: number[] = [];
  let length = 0;
  const write = (part: string | Uint8Array<ArrayBuffer>) => {
    const bytes = typeof part === 'string' ? encoder.encode(part) : part;
    parts.push(bytes);
    length += bytes.length;
  };
  const object = (id: number, head: string, stream?: Uint8Array<ArrayBuffer>) => {
    starts[id] = length;
    write(`${id} 0 obj\n${head}\n`);
    if (stream) {
      write('stream\n');
      write(stream);
      write('\nendstream\n');
    }
    write('endobj\n');
  };
  write('%PDF-1.4\n');
  const [catalog, tree] = [1, 2];
  let next = 3;
  const kids: number[] = [];
  for (const page of pages) {
    const [id, content] = [next, next + 1];
    next += 2;
    kids.push(id);
    const names = page.pictures.map((_, index) => `/P${index} ${next + index} 0 R`).join(' ');
    const size = [page.width, page.height].map((side) => number(side * POINTS)).join(' ');
    object(
      id,
      `<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 ${size}] /Contents ${content} 0 R ` +
        `/Resources << /XObject << ${names} >> >> >>`,
    );
    const drawn = await deflated(encoder.encode(drawing(page)));
    object(content, `<< /Length ${drawn.length} /Filter /FlateDecode >>`, drawn);
    for (const { grey } of page.pictures) {
      const pixels = await deflated(grey.pixels);
      object(
        next,
        `<< /Type /XObject /Subtype /Image /Width ${grey.width} /Height ${grey.height} /ColorSpace /DeviceGray ` +
          `/BitsPerComponent 8 /Length ${pixels.length} /Filter /FlateDecode >>`,
        pixels,
      );
      next += 1;
    }
  }
  object(catalog, `<< /Type /Catalog /Pages ${tree} 0 R >>`);
  object(tree, `<< /Type /Pages /Count ${kids.length} /Kids [${kids.map((id) => `${id} 0 R`).join(' ')}] >>`);
  const table = length;
  const places = starts.slice(1).map((start) => `${String(start).padStart(10, '0')} 00000 n \n`);
  write(`xref\n0 ${next}\n0000000000 65535 f \n${places.join('')}`);
  write(`trailer\n<< /Size ${next} /Root ${catalog} 0 R >>\nstartxref\n${table}\n%%EOF\n`);
  return new Blob(parts, { type: 'application/pdf' });
}
