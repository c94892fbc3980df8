/** Answers that are kept: shown without a network as of when they came, to the person who was given them. */
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { ApiError, api } from '@/api/client';
import { setLanguage } from '@/i18n';
import { away } from '@/session/away';
import { net, reached } from '@/session/net';
import { clearSession, keepSession } from '@/session/session';
import '@/session/sign';
import { withIndexedDb } from '@/testing/indexedDb';
import { beSignedIn, TOKEN } from '@/testing/render';
import { Refused, serve } from '@/testing/server';
import { databaseOf, removeDatabase } from './db';
import { begin, kept } from './index';

const NOW = '/yuzhu-equip/inspectorder/getOrderNowTask';
const ADDRESS = `${NOW}?scope=mine`;
const ME = '100001/7';
const HER = '100001/8';
withIndexedDb([ME, HER]);
const ask = () => api.get(NOW, { scope: 'mine' }) as Promise<unknown>;
const isKept = () => vi.waitFor(() => expect(kept.at(ADDRESS)).toBeDefined());
const offline = () => {
  throw new TypeError('Failed to fetch');
};

beforeEach(async () => {
  await away();
  for (const person of [ME, HER]) await removeDatabase(person);
  // Whoever was signed in before has gone.
  clearSession();
  await begin();
  reached(true);
  beSignedIn();
  await begin();
  await setLanguage('zh-CN');
});

afterAll(async () => {
  clearSession();
  await begin();
});

test('without a network the last answer is there, as of when it came; with one it is new again', async () => {
  serve({ [`GET ${NOW}`]: () => ({ n: 1 }) });
  expect(await ask()).toEqual({ n: 1 });
  await isKept();
  expect([kept.asOf(ADDRESS), net.isDown()]).toEqual([undefined, false]);
  serve({ [`GET ${NOW}`]: offline });
  expect(await ask()).toEqual({ n: 1 });
  expect(kept.asOf(ADDRESS)).toBe(kept.at(ADDRESS));
  expect(net.isDown()).toBe(true);
  serve({ [`GET ${NOW}`]: () => ({ n: 2 }) });
  expect(await ask()).toEqual({ n: 2 });
  await vi.waitFor(() => expect(kept.asOf(ADDRESS)).toBeUndefined());
  expect(net.isDown()).toBe(false);
});

test.each([502, 504])('a proxy’s %d is no network either, a refusal is', async (status) => {
  serve({ [`GET ${NOW}`]: () => ({ n: 1 }) });
  await ask();
  await isKept();
  serve({
    [`GET ${NOW}`]: () => {
      throw new Refused(status, {});
    },
  });
  expect(await ask()).toEqual({ n: 1 });
  serve({
    [`GET ${NOW}`]: () => {
      throw new Refused(403, { code: 403, msg: 'no' });
    },
  });
  await expect(ask()).rejects.toMatchObject({ code: 403 });
});

test('in another language it is shown rather than nothing', async () => {
  serve({ [`GET ${NOW}`]: () => ({ n: 1 }) });
  await ask();
  await isKept();
  await setLanguage('en-US');
  serve({ [`GET ${NOW}`]: offline });
  expect(await ask()).toEqual({ n: 1 });
});

test('nobody else is shown it, and it is not kept once the person is gone', async () => {
  serve({ [`GET ${NOW}`]: () => ({ n: 1 }) });
  await ask();
  await isKept();
  keepSession({ ...TOKEN, user_id: '8', access_token: 'access-8' });
  await begin();
  serve({ [`GET ${NOW}`]: offline });
  await expect(ask()).rejects.toBeInstanceOf(ApiError);
  expect([kept.at(ADDRESS), await (await databaseOf(HER)).count('answers')]).toEqual([undefined, 0]);
  // An answer that comes after its person has signed out.
  beSignedIn();
  await begin();
  await removeDatabase(ME);
  serve({
    [`GET ${NOW}`]: () => {
      clearSession();
      return { n: 3 };
    },
  });
  await ask();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(await (await databaseOf(ME)).count('answers')).toBe(0);
});

test('what is not needed on a walk is not kept', async () => {
  serve({ 'GET /blade-user/info': () => ({ phone: '1' }) });
  await api.get('/blade-user/info');
  serve({ 'GET /blade-user/info': offline });
  await expect(api.get('/blade-user/info')).rejects.toMatchObject({ code: 0 });
});
