import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { api } from '@/api/client';
import { site } from '@/site';
import './sign';
import { beSignedIn, TOKEN } from '@/testing/render';
import { Bare, Refused, serve } from '@/testing/server';
import { ensureFresh, watchToken } from './refresh';
import { clearSession, currentSession, keepSession, wasEnded } from './session';

const RENEW = 'POST /blade-auth/oauth/token';
const renewed = () => new Bare({ ...TOKEN, access_token: 'access-2', refresh_token: 'refresh-2' });

beforeEach(() => {
  vi.useFakeTimers({ now: 0, toFake: ['Date', 'setInterval', 'clearInterval'] });
  beSignedIn();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function age(seconds: number) {
  vi.setSystemTime(Date.now() + seconds * 1000);
}

test('the specification’s figures', () => {
  expect([site.tokenTime, site.tokenCheck, site.requestTimeout]).toEqual([3000, 10, 120_000]);
});

test('calls that find the token old wait for one renewal, and all of them carry the new one', async () => {
  age(3000);
  const log = serve({
    [RENEW]: renewed,
    'GET /blade-user/info': () => 1,
    'GET /blade-desk/message/list': () => 2,
    'POST /blade-desk/message/read': () => 3,
  });
  expect(
    await Promise.all([
      api.get('/blade-user/info'),
      api.get('/blade-desk/message/list'),
      api.post('/blade-desk/message/read'),
    ]),
  ).toEqual([1, 2, 3]);
  expect(log.map((asked) => [asked.path, asked.headers['Blade-Auth']])).toEqual([
    ['/blade-auth/oauth/token', undefined],
    ['/blade-user/info', 'bearer access-2'],
    ['/blade-desk/message/list', 'bearer access-2'],
    ['/blade-desk/message/read', 'bearer access-2'],
  ]);
});

test('after a renewal the next one is due 3000 seconds later', async () => {
  const log = serve({ [RENEW]: renewed });
  age(3000);
  await ensureFresh();
  age(2999);
  await ensureFresh();
  expect(log).toHaveLength(1);
  age(1);
  await ensureFresh();
  expect(log.map((asked) => (asked.body as { refresh_token: string }).refresh_token)).toEqual([
    'refresh-1',
    'refresh-2',
  ]);
});

test('nobody signed in: nothing is asked', async () => {
  clearSession();
  age(9000);
  const log = serve({ [RENEW]: renewed });
  await ensureFresh();
  expect(log).toEqual([]);
});

test('without an answer the old token goes on, and the next look tries again', async () => {
  age(3000);
  let broken = true;
  const log = serve({
    [RENEW]: () => {
      if (broken) throw new TypeError('Failed to fetch');
      return renewed();
    },
    'GET /blade-user/info': () => 1,
  });
  expect(await api.get('/blade-user/info')).toBe(1);
  expect(log.at(-1)?.headers['Blade-Auth']).toBe('bearer access-1');
  expect(wasEnded()).toBe(false);
  broken = false;
  await ensureFresh();
  expect(currentSession()?.access).toBe('access-2');
});

test.each([400, 401, 40001, 40002])(
  'a renewal refused with %d ends the session and says so',
  async (code) => {
    age(3000);
    serve({ [RENEW]: () => new Bare({ error_code: code, error_description: 'no' }) });
    await ensureFresh();
    expect(currentSession()).toBeUndefined();
    expect(wasEnded()).toBe(true);
  },
);

test.each([500, 502, 503, 599])('a server in trouble (%d) does not', async (status) => {
  age(3000);
  serve({
    [RENEW]: () => {
      throw new Refused(status, {});
    },
  });
  await ensureFresh();
  expect(currentSession()?.access).toBe('access-1');
});

test('who has signed out meanwhile stays signed out', async () => {
  age(3000);
  serve({
    [RENEW]: () => {
      clearSession();
      return renewed();
    },
  });
  await ensureFresh();
  expect(currentSession()).toBeUndefined();
});

test.each([
  ['granted', renewed],
  ['refused', () => new Bare({ error_code: 400, error_description: 'no' })],
])('who has signed in as somebody else meanwhile stays that, the renewal being %s', async (_, answer) => {
  age(3000);
  serve({
    [RENEW]: () => {
      keepSession({ ...TOKEN, user_id: '8', access_token: 'access-8', refresh_token: 'refresh-8' });
      return answer();
    },
  });
  await ensureFresh();
  expect(currentSession()).toMatchObject({ userId: '8', access: 'access-8', refresh: 'refresh-8' });
});

test('without locks the lease outlives the slowest call', async () => {
  vi.stubGlobal('navigator', { ...navigator, locks: undefined });
  age(3000);
  let until = 0;
  serve({
    [RENEW]: () => {
      until = Number(localStorage.getItem('xunwei.refresh')?.split(' ')[0]);
      return renewed();
    },
  });
  await ensureFresh();
  expect(until - Date.now()).toBeGreaterThan(120_000);
  expect(until - Date.now()).toBeLessThan(180_000);
  expect(localStorage.getItem('xunwei.refresh')).toBeNull();
});

test('a lease that another tab has taken over is not this one’s to end', async () => {
  vi.stubGlobal('navigator', { ...navigator, locks: undefined });
  age(3000);
  serve({
    [RENEW]: () => {
      localStorage.setItem('xunwei.refresh', '999999999 other');
      return renewed();
    },
  });
  await ensureFresh();
  expect(localStorage.getItem('xunwei.refresh')).toBe('999999999 other');
});

test('the age is looked at when the page comes to the front, until the watch is down', async () => {
  const log = serve({ [RENEW]: renewed });
  const stop = watchToken();
  age(3000);
  document.dispatchEvent(new Event('visibilitychange'));
  await vi.waitFor(() => expect(currentSession()?.access).toBe('access-2'));
  stop();
  age(3000);
  document.dispatchEvent(new Event('visibilitychange'));
  vi.advanceTimersByTime(30_000);
  // Longer than two tabs need to agree.
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(log).toHaveLength(1);
});
