import { expect, test } from 'vitest';
import { canReadNfc, opens, readNfc } from './scans';

const TOKEN = '100001-AbCdEfGhJkMnPqRs';
/** SHA-256 of the id, a space and what a plate says; the first is also in tests/core/rounds/test_scans.py. */
const platesOf = async (id: string, ...texts: string[]) =>
  Promise.all(
    texts.map(async (text) => {
      const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${id} ${text}`));
      return Buffer.from(bytes).toString('hex');
    }),
  );

test('a point is opened by what its plates say, however it was read', async () => {
  expect(
    await opens(
      { id: '5', plates: ['956f8a665156f276f345d4dad2f1b2748b179002bc0f6ad1a63e96ba2c9ad33c'] },
      'abc',
    ),
  ).toBe(true);
  const point = { id: '7', plates: await platesOf('7', TOKEN, 'AB2345678CDE', '04A1B2C3D4E5F6') };
  for (const text of [
    TOKEN,
    ` https://plant.test/scan/${TOKEN}?x=1 `,
    'ab2345678cde',
    '04:a1:b2:c3:d4:e5:f6',
    '04 a1 b2 c3 d4 e5 f6',
  ])
    expect([text, await opens(point, text)]).toEqual([text, true]);
  for (const text of ['', TOKEN.toUpperCase(), 'https://plant.test/equip/machine/7', 'AB2345678CDF', '7'])
    expect([text, await opens(point, text)]).toEqual([text, false]);
  // The digests of one point open no other.
  expect(await opens({ ...point, id: '8' }, TOKEN)).toBe(false);
  expect(await opens({ id: '8', plates: [] }, TOKEN)).toBe(false);
});

test('a task that an older console fetched leaves it to the server', async () => {
  expect(await opens({ id: '8' }, TOKEN)).toBe(true);
});

test('the UID of a tag is told as plates have it, until nobody listens any more', async () => {
  expect(canReadNfc()).toBe(false);
  await expect(readNfc(() => undefined, new AbortController().signal)).rejects.toThrow('no NFC');
  const readers: { onreading?: (event: { serialNumber: string }) => void }[] = [];
  class Reader {
    onreading?: (event: { serialNumber: string }) => void;
    constructor() {
      readers.push(this);
    }
    scan = async () => undefined;
  }
  Object.assign(window, { NDEFReader: Reader });
  const read: string[] = [];
  const ends = new AbortController();
  await readNfc((uid) => read.push(uid), ends.signal);
  const hold = (serialNumber: string) => readers[0]?.onreading?.({ serialNumber });
  hold('04:a1:b2:c3');
  hold('');
  ends.abort();
  hold('04:ff');
  expect(read).toEqual(['04A1B2C3']);
  Reflect.deleteProperty(window, 'NDEFReader');
});
