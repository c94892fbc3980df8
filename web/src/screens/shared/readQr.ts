/** Our own reader of QR codes, for browsers that have none: the walk keeps it on the phone. */
import { decodeQR } from 'qr/decode.js';

interface Picture {
  width: number;
  height: number;
  /** Red, green, blue and opacity of each pixel. */
  data: Uint8ClampedArray;
}

/** Returns what the code in a picture says; undefined where there is none. */
export function readQr({ width, height, data }: Picture): string | undefined {
  try {
    return decodeQR({ width, height, data });
  } catch {
    return undefined;
  }
}
