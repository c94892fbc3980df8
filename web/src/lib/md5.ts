/** MD5 (RFC 1321) of a text's UTF-8 bytes, as 32 lower-case hex digits: the form in which the sign-in call wants a password. */

const SHIFTS = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21];
const SINES = Array.from({ length: 64 }, (_, i) => Math.floor(Math.abs(Math.sin(i + 1)) * 2 ** 32) | 0);

/** The message, a single 1 bit, zeros, and the length in bits as the last 8 bytes: whole blocks of 64 bytes. */
function padded(text: string): DataView {
  const bytes = new TextEncoder().encode(text);
  const view = new DataView(new ArrayBuffer(((bytes.length + 8) >> 6) * 64 + 64));
  bytes.forEach((byte, i) => {
    view.setUint8(i, byte);
  });
  view.setUint8(bytes.length, 0x80);
  view.setUint32(view.byteLength - 8, (bytes.length * 8) >>> 0, true);
  view.setUint32(view.byteLength - 4, Math.floor(bytes.length / 2 ** 29), true);
  return view;
}

/** The round function and the word it takes in step `i` (0 to 63). */
function mix(i: number, b: number, c: number, d: number): [number, number] {
  if (i < 16) return [(b & c) | (~b & d), i];
  if (i < 32) return [(d & b) | (~d & c), (5 * i + 1) % 16];
  if (i < 48) return [b ^ c ^ d, (3 * i + 5) % 16];
  return [c ^ (b | ~d), (7 * i) % 16];
}

export function md5(text: string): string {
  const view = padded(text);
  let [a0, b0, c0, d0] = [0x67452301, 0xefcdab89 | 0, 0x98badcfe | 0, 0x10325476];
  for (let block = 0; block < view.byteLength; block += 64) {
    let [a, b, c, d] = [a0, b0, c0, d0];
    for (let i = 0; i < 64; i++) {
      const [f, word] = mix(i, b, c, d);
      const sum = (a + f + (SINES[i] as number) + view.getInt32(block + word * 4, true)) | 0;
      const shift = SHIFTS[(i >> 4) * 4 + (i % 4)] as number;
      [a, d, c, b] = [d, c, b, (b + ((sum << shift) | (sum >>> (32 - shift)))) | 0];
    }
    [a0, b0, c0, d0] = [(a0 + a) | 0, (b0 + b) | 0, (c0 + c) | 0, (d0 + d) | 0];
  }
  const digest = new DataView(new ArrayBuffer(16));
  [a0, b0, c0, d0].forEach((word, i) => {
    digest.setInt32(i * 4, word, true);
  });
  return Array.from({ length: 16 }, (_, i) => digest.getUint8(i).toString(16).padStart(2, '0')).join('');
}
