import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { beSignedIn } from '@/testing/render';
import { Refused, serve } from '@/testing/server';
import { keptOf } from './kept';
import { type Content, QUIET, RETRY, Saver } from './Saver';

const STALE = { userName: 'Li Wei', time: '2026-11-22 12:03:00', version: 9 };
const stale = () => {
  throw new Refused(409, { code: 409, success: false, error: 'model.stale', msg: 'stale', data: STALE });
};

let drawn: Content;
const savers: Saver[] = [];

function saverAt(version: number): Saver {
  const saver = new Saver({ id: '5', version }, async () => drawn);
  savers.push(saver);
  return saver;
}

const submits = (answer: (version: number) => unknown) => {
  let version = 3;
  return serve({
    'POST /blade-flow/model/submit': () => {
      version += 1;
      return answer(version);
    },
  });
};

beforeEach(() => {
  vi.useFakeTimers();
  beSignedIn();
  drawn = { xml: '<a/>', name: 'Pump', modelKey: 'pump' };
});

afterEach(() => {
  for (const saver of savers.splice(0)) saver.stop();
  vi.useRealTimers();
});

test('what is drawn is sent once the hand rests, on the version read; later changes on the answer', async () => {
  const asked = submits((version) => ({ id: '5', version }));
  const saver = saverAt(3);
  saver.changed();
  await vi.advanceTimersByTimeAsync(QUIET - 1);
  saver.changed();
  await vi.advanceTimersByTimeAsync(QUIET - 1);
  expect(asked).toEqual([]);
  expect(saver.keep('<a/>')).toBe(true);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked[0]?.body).toEqual({
    id: '5',
    version: 3,
    xml: '<a/>',
    name: 'Pump',
    modelKey: 'pump',
    auto: 1,
  });
  expect(saver.get().kind).toBe('saved');
  expect(keptOf('5')).toBeUndefined();
  saver.changed();
  await saver.save();
  expect(asked.map(({ body }) => (body as { version: number }).version)).toEqual([3, 4]);
  await saver.save();
  expect(asked).toHaveLength(2);
});

test('a note makes a version of its own, also without a change', async () => {
  const asked = submits((version) => ({ id: '5', version }));
  await saverAt(3).save('as agreed');
  expect(asked[0]?.body).toMatchObject({ note: 'as agreed' });
  expect(asked[0]?.body).not.toHaveProperty('auto');
});

test('what is drawn while a save is under way is saved after it', async () => {
  const asked = submits((version) => ({ id: '5', version }));
  const saver = saverAt(3);
  saver.changed();
  const first = saver.save();
  saver.changed();
  await first;
  expect(saver.get().kind).toBe('changed');
  expect(saver.isDirty).toBe(true);
  await vi.advanceTimersByTimeAsync(QUIET);
  expect(asked).toHaveLength(2);
  expect(saver.get().kind).toBe('saved');
});

test('without a connection the drawing stays in the browser and is sent when there is one again', async () => {
  let isOff = true;
  const asked = submits((version) => {
    if (isOff) throw new TypeError('Failed to fetch');
    return { id: '5', version };
  });
  const saver = saverAt(3);
  saver.changed();
  await saver.save();
  expect(saver.get()).toMatchObject({ kind: 'offline', isKept: true });
  expect(keptOf('5')).toMatchObject({ xml: '<a/>', version: 3 });
  isOff = false;
  await vi.advanceTimersByTimeAsync(RETRY);
  expect(asked).toHaveLength(2);
  expect(saver.get().kind).toBe('saved');
  expect(keptOf('5')).toBeUndefined();
});

test('a refusal is told and the drawing kept; the next change tries again', async () => {
  let isRefused = true;
  submits((version) => {
    if (isRefused) throw new Refused(400, { code: 400, success: false, msg: 'key exists' });
    return { id: '5', version };
  });
  const saver = saverAt(3);
  saver.changed();
  expect(await saver.save()).toMatchObject({ kind: 'refused', error: { msg: 'key exists' } });
  expect(keptOf('5')?.xml).toBe('<a/>');
  isRefused = false;
  saver.changed();
  await vi.advanceTimersByTimeAsync(QUIET);
  expect(saver.get().kind).toBe('saved');
});

test('after a conflict nothing is sent by itself, and everything drawn is kept', async () => {
  const asked = submits(stale);
  const saver = saverAt(3);
  saver.changed();
  expect(await saver.save()).toEqual({ kind: 'conflict', stale: STALE });
  drawn = { ...drawn, xml: '<b/>' };
  saver.changed();
  saver.keep('<b/>');
  await vi.advanceTimersByTimeAsync(RETRY * 2);
  await saver.save('once more');
  expect(asked).toHaveLength(1);
  expect(keptOf('5')).toMatchObject({ xml: '<b/>', version: 3 });
});

test('saving over it goes on from their version, with the reason; a second conflict is one again', async () => {
  let count = 0;
  const asked = submits(() => {
    count += 1;
    return count === 3 ? { id: '5', version: 11 } : stale();
  });
  const saver = saverAt(3);
  saver.changed();
  await saver.save();
  expect((await saver.overwrite(STALE, 'mine is right')).kind).toBe('conflict');
  expect((await saver.overwrite({ ...STALE, version: 10 }, 'mine is right')).kind).toBe('saved');
  expect(asked.map(({ body }) => (body as { version: number }).version)).toEqual([3, 9, 10]);
  expect(asked[2]?.body).toMatchObject({ note: 'mine is right' });
  expect(saver.version).toBe(11);
});

test('once their drawing is taken nothing is left to save', async () => {
  const asked = submits(stale);
  const saver = saverAt(3);
  saver.changed();
  await saver.save();
  saver.goOnFrom(9);
  saver.settled();
  expect(saver.get()).toEqual({ kind: 'saved' });
  expect(keptOf('5')).toBeUndefined();
  await saver.save();
  expect(asked).toHaveLength(1);
});
