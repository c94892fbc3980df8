import { expect, test } from 'vitest';
import { md5 } from './md5';

// RFC 1321, appendix A.5.
const vectors: [string, string][] = [
  ['', 'd41d8cd98f00b204e9800998ecf8427e'],
  ['a', '0cc175b9c0f1b6a831c399e269772661'],
  ['abc', '900150983cd24fb0d6963f7d28e17f72'],
  ['message digest', 'f96b697d7cb7938d525a2f31aaf161d0'],
  ['abcdefghijklmnopqrstuvwxyz', 'c3fcd3d76192e4007dfb496cca67e13b'],
  ['ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789', 'd174ab98d277d9f5a5611c2c9f419d9f'],
  [
    '12345678901234567890123456789012345678901234567890123456789012345678901234567890',
    '57edf4a22be3c955ac49da2e2107b67a',
  ],
];

test.each(vectors)('the digest of "%s" is the one of RFC 1321', (text, digest) => {
  expect(md5(text)).toBe(digest);
});

test('a Chinese password is hashed by its UTF-8 bytes', () => {
  expect(md5('巡维')).toBe('ba07e7d83ff1aa00d07ee4de76a17c82');
});
