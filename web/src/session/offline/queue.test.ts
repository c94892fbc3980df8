/** What people send without a network, or with one that goes away: in order, once each, by nobody else. */
import dayjs from 'dayjs';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { ApiError, connect } from '@/api/client';
import { WIRE } from '@/lib/dates';
import { draftOf } from '@/session/drafts';
import { reached, unsentCount } from '@/session/net';
import { ensureFresh } from '@/session/refresh';
import { clearSession, currentSession, keepSession } from '@/session/session';
import { signOut } from '@/session/sign';
import { withIndexedDb } from '@/testing/indexedDb';
import { beSignedIn, TOKEN } from '@/testing/render';
import { Refused, serve } from '@/testing/server';
import { databaseOf, removeDatabase } from './db';
import { begin, discard, flushNow, retry, snapshot, submit } from './index';
import { addFile, storePhoto } from './photos';

const POINT = '/yuzhu-equip/inspectorderdetail/submit';
const PUT = '/blade-resource/oss/endpoint/put-file';
const ME = '100001/7';
const HER = '100001/8';
withIndexedDb([ME, HER]);

const beHer = () => keepSession({ ...TOKEN, user_id: '8', access_token: 'access-8' });
let made = 0;

/** A point of a task, as the walk submits it. */
function point(name: string, more: Partial<Parameters<typeof submit>[0]> = {}) {
  made += 1;
  const id = `submission-${made}`;
  return {
    id,
    kind: 'point' as const,
    about: `point.${name}`,
    task: '1',
    title: name,
    group: 'Route',
    at: Date.now(),
    page: '/inspect/order/1',
    body: { id: name, clientId: id, records: [{ itemId: 'a', value: '7.20' }] },
    form: {
      name: `inspectpoint.${name}`,
      draft: { at: Date.now(), values: { entries: { a: { value: '7.20' } } } },
    },
    ...more,
  };
}

const names = () => snapshot().items.map(({ about, state }) => `${about} ${state}`);
const offline = () => {
  throw new TypeError('Failed to fetch');
};
const bodies = (log: ReturnType<typeof serve>) =>
  log.filter(({ path }) => path === POINT).map(({ body }) => (body as { id: string }).id);

beforeEach(async () => {
  connect({ current: currentSession, ready: ensureFresh, over: () => clearSession(true) });
  for (const person of [ME, HER]) await removeDatabase(person);
  reached(true);
  beSignedIn();
  await begin();
});

afterAll(async () => {
  clearSession();
  await begin();
});

test('with a network the answer comes at once, and nothing is left', async () => {
  const log = serve({ [`POST ${POINT}`]: () => ({ nextDetailId: '2' }) });
  expect(await submit(point('1'))).toEqual({ state: 'accepted', answer: { nextDetailId: '2' } });
  expect(log.map(({ body }) => body)).toMatchObject([
    { id: '1', records: [{ itemId: 'a', value: '7.20' }], sentTime: expect.stringMatching(/^\d{4}-/) },
  ]);
  expect([names(), unsentCount.get(), [...snapshot().outcomes.keys()]]).toEqual([[], 0, ['point.1']]);
});

test('without one it waits, and all of it goes in the order in which it was entered', async () => {
  serve({ [`POST ${POINT}`]: offline });
  for (const name of ['1', '2', '3']) expect(await submit(point(name))).toEqual({ state: 'waiting' });
  expect(names()).toEqual(['point.1 waiting', 'point.2 waiting', 'point.3 waiting']);
  expect(unsentCount.get()).toBe(3);
  const log = serve({ [`POST ${POINT}`]: () => ({}) });
  await flushNow();
  expect(bodies(log)).toEqual(['1', '2', '3']);
  expect([names(), unsentCount.get()]).toEqual([[], 0]);
});

test('where the device has no room it is sent at once, or told', async () => {
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  const log = serve({ [`POST ${POINT}`]: () => ({ nextDetailId: null }) });
  expect(await submit(point('1'))).toEqual({ state: 'accepted', answer: { nextDetailId: null } });
  expect(bodies(log)).toEqual(['1']);
  serve({ [`POST ${POINT}`]: offline });
  await expect(submit(point('2'))).rejects.toMatchObject({ code: 0 });
});

test('an answer that was lost on the way is asked for again with the same submission', async () => {
  const taken: unknown[] = [];
  serve({
    [`POST ${POINT}`]: ({ body }) => {
      taken.push((body as { clientId: string }).clientId);
      return offline();
    },
  });
  const first = point('1');
  await submit(first);
  serve({
    [`POST ${POINT}`]: ({ body }) => {
      taken.push((body as { clientId: string }).clientId);
      return {};
    },
  });
  await flushNow();
  expect(taken).toEqual([first.id, first.id]);
  expect(names()).toEqual([]);
});

test('photos go first, and one that was sent is not sent again after the browser was killed', async () => {
  const photos = await Promise.all(['1', '2'].map((text) => storePhoto(new Blob([text]))));
  let uploads = 0;
  const put = () => {
    uploads += 1;
    if (uploads === 2) offline();
    return { link: `/f/${uploads}.jpg` };
  };
  serve({ [`POST ${PUT}`]: put, [`POST ${POINT}`]: () => ({}) });
  await submit(point('1', { body: { id: '1', images: photos } }));
  expect([uploads, names()]).toEqual([2, ['point.1 waiting']]);
  const log = serve({ [`POST ${PUT}`]: put, [`POST ${POINT}`]: () => ({}) });
  await flushNow();
  expect(log.map(({ path }) => path)).toEqual([PUT, POINT]);
  expect(log[1]?.body).toMatchObject({ images: ['/f/1.jpg', '/f/3.jpg'] });
  expect(await (await databaseOf(ME)).count('photos')).toBe(0);
});

test('a recording and a file go as they are, each to its place, and stand in the report as links', async () => {
  const voice = await addFile(new File(['sound'], 'voice.webm', { type: 'audio/webm;codecs=opus' }), 'voice');
  const file = await addFile(new File(['%PDF-'], '说明书.pdf', { type: 'application/pdf' }), 'file');
  await expect(addFile(new File(['x'], 'a.exe'), 'file')).rejects.toMatchObject({ code: 400 });
  await expect(addFile(new File(['x'], 'a.txt', { type: 'text/plain' }), 'voice')).rejects.toMatchObject({
    code: 400,
  });
  const SAVE = '/yuzhu-equip/repairorder/save';
  serve({ [`POST ${SAVE}`]: offline, [`POST ${PUT}`]: offline });
  const named = `${file}#${encodeURIComponent('说明书.pdf')}`;
  const report = { kind: 'report' as const, about: 'report.2', body: { voice, files: [named] } };
  expect(await submit(point('r', report))).toEqual({ state: 'waiting' });
  const sent: string[] = [];
  const log = serve({
    [`POST ${PUT}`]: ({ params, body }) => {
      const { file: found } = body as { file: File };
      sent.push(`${params.place} ${found.name} ${found.size}`);
      return { link: `/f/${params.place}` };
    },
    [`POST ${SAVE}`]: () => ({ id: '9' }),
  });
  await flushNow();
  expect(sent).toEqual(['voice voice.webm 5', 'file 说明书.pdf 5']);
  expect(log.at(-1)?.body).toMatchObject({ voice: '/f/voice', files: ['/f/file'] });
  expect(await (await databaseOf(ME)).count('photos')).toBe(0);
});

test('a report says when it was written, each time when it is sent', async () => {
  const SAVE = '/yuzhu-equip/repairorder/save';
  serve({ [`POST ${SAVE}`]: offline });
  const at = Date.now() - 3_600_000;
  await submit(point('r', { kind: 'report', about: 'report.3', at, body: { description: 'noise' } }));
  const log = serve({ [`POST ${SAVE}`]: () => ({ id: '9' }) });
  await flushNow();
  const { clientTime, sentTime } = (log[0] as { body: Record<string, string> }).body;
  expect(clientTime).toBe(dayjs(at).format(WIRE));
  expect(Math.abs(dayjs(sentTime).diff(dayjs(), 'second'))).toBeLessThan(5);
});

const refusal = new Refused(400, {
  code: 400,
  msg: '检查项「压力」请输入数字',
  error: 'input.invalid',
  data: { fields: { 'records.a': '「压力」请输入数字' } },
});
const refuse = () => {
  throw refusal;
};

test('what is refused stays with its reason and what was typed, is corrected under the same id, or discarded', async () => {
  serve({ [`POST ${POINT}`]: refuse });
  const first = point('1');
  const sent = await submit(first);
  expect(sent).toMatchObject({ state: 'refused', error: { fields: { 'records.a': '「压力」请输入数字' } } });
  expect(sent.state === 'refused' && sent.error).toBeInstanceOf(ApiError);
  expect(snapshot().items).toMatchObject([
    { state: 'refused', refusal: { code: 400, fields: { 'records.a': '「压力」请输入数字' } } },
  ]);
  expect(draftOf('inspectpoint.1')?.values).toEqual({ entries: { a: { value: '7.20' } } });
  const log = serve({ [`POST ${POINT}`]: () => ({}) });
  await flushNow();
  expect(log).toEqual([]);
  expect((await submit({ ...point('1'), id: first.id })).state).toBe('accepted');
  expect([names(), draftOf('inspectpoint.1')]).toEqual([[], undefined]);

  serve({ [`POST ${POINT}`]: refuse });
  const second = point('2');
  await submit(second);
  await discard(second.id);
  expect([names(), draftOf('inspectpoint.2'), unsentCount.get()]).toEqual([[], undefined, 0]);
});

test('where points have an order those behind a refused one wait for it; others do not', async () => {
  serve({ [`POST ${POINT}`]: offline });
  for (const name of ['1', '2', '3']) await submit(point(name, name === '3' ? {} : { chain: 'task-1' }));
  const log = serve({
    [`POST ${POINT}`]: ({ body }) => ((body as { id: string }).id === '1' ? refuse() : {}),
  });
  await flushNow();
  expect(bodies(log)).toEqual(['1', '3']);
  expect(names()).toEqual(['point.1 refused', 'point.2 waiting']);
  const again = serve({ [`POST ${POINT}`]: () => ({}) });
  await retry(snapshot().items[0]?.id ?? '');
  expect(bodies(again)).toEqual(['1', '2']);
  expect(names()).toEqual([]);
});

test('a server’s error holds back what it is about, and nothing else', async () => {
  const log = serve({
    [`POST ${POINT}`]: ({ body }) => {
      if ((body as { id: string }).id === '1') throw new Refused(500, { code: 500, msg: 'no' });
      return {};
    },
  });
  await submit(point('1'));
  await submit(point('2'));
  expect(bodies(log)).toEqual(['1', '1', '2']);
  expect(names()).toEqual(['point.1 waiting']);
});

const over = {
  [`POST ${POINT}`]: () => {
    throw new Refused(401, { code: 401, msg: 'over' });
  },
};

test('a session that is over leaves what is submitted then to the form', async () => {
  serve(over);
  const sent = await submit(point('1'));
  expect(sent).toMatchObject({ state: 'refused', error: { code: 401 } });
  expect([currentSession(), await (await databaseOf(ME)).count('unsent')]).toEqual([undefined, 0]);
});

test('an ended session keeps what waits until the same person has signed in again', async () => {
  serve({ [`POST ${POINT}`]: offline });
  await submit(point('1'));
  serve(over);
  await flushNow();
  expect([currentSession(), names()]).toEqual([undefined, []]);
  const log = serve({ [`POST ${POINT}`]: () => ({}) });
  beHer();
  await begin();
  await flushNow();
  expect([log, names(), unsentCount.get()]).toEqual([[], [], 0]);
  beSignedIn();
  await begin();
  await flushNow();
  expect(log.map(({ headers }) => headers['Blade-Auth'])).toEqual(['bearer access-1']);
  expect(names()).toEqual([]);
});

test('whoever signs in while something is on its way does not send it for somebody else', async () => {
  serve({ [`POST ${POINT}`]: offline });
  await submit(point('1'));
  let isReady = () => undefined as void;
  const waiting = new Promise<void>((resolve) => {
    isReady = resolve;
  });
  // Renewing the token takes its time; meanwhile she signs in.
  const ready = vi.fn(() => waiting);
  connect({ current: currentSession, ready, over: () => undefined });
  const log = serve({ [`POST ${POINT}`]: () => ({}) });
  const flushed = flushNow();
  await vi.waitFor(() => expect(ready).toHaveBeenCalled());
  beHer();
  isReady();
  await flushed;
  expect(log).toEqual([]);
  expect(await (await databaseOf(ME)).count('unsent')).toBe(1);
});

test('signing out removes everything of the person, and nothing of others', async () => {
  serve({ [`POST ${POINT}`]: offline, 'GET /blade-auth/oauth/logout': () => null });
  await submit(point('1'));
  beHer();
  await begin();
  await submit(point('2'));
  await signOut();
  beSignedIn();
  await begin();
  expect(names()).toEqual(['point.1 waiting']);
  beHer();
  await begin();
  expect([names(), unsentCount.get()]).toEqual([[], 0]);
});

test('two tabs send one after the other, and each thing once', async () => {
  vi.resetModules();
  const other = await import('./index');
  const { connect: connectOther } = await import('@/api/client');
  connectOther({ current: currentSession, ready: async () => undefined, over: () => undefined });
  let held = Promise.resolve();
  vi.stubGlobal('navigator', {
    ...navigator,
    onLine: true,
    locks: {
      request: (_name: string, work: () => Promise<void>) => {
        held = held.then(work);
        return held;
      },
    },
  });
  serve({ [`POST ${POINT}`]: offline });
  for (const name of ['1', '2', '3']) await submit(point(name));
  let atOnce = 0;
  const log = serve({
    [`POST ${POINT}`]: async () => {
      atOnce += 1;
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect(atOnce).toBe(1);
      atOnce -= 1;
      return {};
    },
  });
  await other.begin();
  await Promise.all([flushNow(), other.flushNow()]);
  expect(bodies(log)).toEqual(['1', '2', '3']);
  expect(await (await databaseOf(ME)).count('unsent')).toBe(0);
});

test('a report that the server asks back about waits for an answer, and goes as another request', async () => {
  const SAVE = '/yuzhu-equip/repairorder/save';
  const log = serve({
    [`POST ${SAVE}`]: ({ body }) =>
      (body as { force?: number }).force ? { id: '9' } : { needConfirm: true },
  });
  const sent = await submit(
    point('r', { kind: 'report', about: 'report.1', body: { description: 'noise' } }),
  );
  expect(sent).toEqual({ state: 'asks', answer: { needConfirm: true } });
  await retry(snapshot().items[0]?.id ?? '');
  const keys = log.map(({ headers }) => headers['Idempotency-Key']);
  expect(keys[0]).toBe(`submission-${made}`);
  expect(keys[1]).toMatch(/^[0-9a-f]{32}$/);
  expect([log[1]?.body, names()]).toMatchObject([{ description: 'noise', force: 1 }, []]);
});
