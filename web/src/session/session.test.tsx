import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { site } from '@/site';
import { beSignedIn, TOKEN } from '@/testing/render';
import { Bare, Refused, serve } from '@/testing/server';
import { ensureFresh, watchToken } from './refresh';
import { useRights } from './rights';
import { currentSession } from './session';
import { signIn, signOut } from './sign';

const renewed = () => new Bare({ ...TOKEN, access_token: 'access-2', refresh_token: 'refresh-2' });
const RENEW = 'POST /blade-auth/oauth/token';

beforeEach(() => vi.useFakeTimers({ now: 0, toFake: ['Date', 'setInterval', 'clearInterval'] }));
afterEach(() => vi.useRealTimers());

function grow(seconds: number) {
  vi.setSystemTime(Date.now() + seconds * 1000);
}

test('signing in sends the digest, never the password, and keeps the session', async () => {
  const log = serve({ 'POST /equip-auth/oauth/token': () => new Bare(TOKEN) });
  await signIn({
    tenantId: '100001',
    account: 'qian.w',
    password: ' abc ',
    captcha: { kind: 'captcha', key: 'k', code: '7Kp4' },
  });
  expect(log[0]?.body).toEqual({
    tenantId: '100001',
    username: 'qian.w',
    password: '900150983cd24fb0d6963f7d28e17f72',
    grant_type: 'captcha',
    scope: 'all',
    type: 'account',
  });
  expect(log[0]?.headers).toMatchObject({
    'Captcha-Key': 'k',
    'Captcha-Code': '7Kp4',
    'Tenant-Id': '100001',
  });
  expect(currentSession()).toMatchObject({ access: 'access-1', refresh: 'refresh-1', userId: '7', at: 0 });
});

test('no cookie holds a token, and both are gone after signing out', async () => {
  beSignedIn();
  const cookies = document.cookie.split('; ').sort();
  expect(cookies).toEqual([
    'access=2ec3023a6f47d9daf6e5b099f8ea7056',
    'refresh=a5b69a7e2e2a69951c3ecc16af589cad',
  ]);
  serve({});
  await signOut();
  expect(document.cookie).not.toMatch(/=[^;]/);
});

test('a browser calls itself the same whenever somebody signs in', async () => {
  const log = serve({
    'POST /equip-auth/oauth/token': () => new Bare(TOKEN),
    'GET /blade-auth/oauth/logout': () => ({}),
  });
  await signIn({ tenantId: '1', account: 'a', password: 'b' });
  await signOut();
  await signIn({ tenantId: '1', account: 'c', password: 'd' });
  const [first, , second] = log.map((asked) => asked.headers['Device-Mark']);
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect(second).toBe(first);
});

test('a refused sign-in stores nothing', async () => {
  serve({ 'POST /equip-auth/oauth/token': () => new Bare({ error_code: 400, error_description: 'no' }) });
  await expect(signIn({ tenantId: '1', account: 'a', password: 'b' })).rejects.toMatchObject({ msg: 'no' });
  expect(currentSession()).toBeUndefined();
});

test('a young token is left alone and one of 3000 seconds is renewed, once for two callers', async () => {
  beSignedIn();
  const log = serve({ [RENEW]: renewed });
  grow(site.tokenTime - 1);
  await ensureFresh();
  expect(log).toHaveLength(0);
  grow(1);
  await Promise.all([ensureFresh(), ensureFresh()]);
  expect(log.map((asked) => asked.body)).toEqual([
    { grant_type: 'refresh_token', refresh_token: 'refresh-1', tenantId: '100001', scope: 'all' },
  ]);
  expect(log[0]?.headers['Blade-Auth']).toBeUndefined();
  expect(currentSession()).toMatchObject({
    access: 'access-2',
    refresh: 'refresh-2',
    at: site.tokenTime * 1000,
  });
});

test('a tab that waited for the lock takes over what the other one stored', async () => {
  beSignedIn();
  const log = serve({ [RENEW]: renewed });
  grow(site.tokenTime);
  const request = async (_: string, work: () => Promise<void>) => {
    const stored = { ...currentSession(), access: 'access-9', refresh: 'refresh-9', at: Date.now() };
    localStorage.setItem('xunwei.session', JSON.stringify(stored));
    await work();
  };
  vi.stubGlobal('navigator', { ...navigator, locks: { request } });
  await ensureFresh();
  vi.unstubAllGlobals();
  expect(log).toHaveLength(0);
  expect(currentSession()?.access).toBe('access-9');
});

test('without locks another tab’s lease is respected until it runs out', async () => {
  beSignedIn();
  vi.stubGlobal('navigator', { ...navigator, locks: undefined });
  const log = serve({ [RENEW]: renewed });
  grow(site.tokenTime);
  localStorage.setItem('xunwei.refresh', `${Date.now() + 1000} other`);
  await ensureFresh();
  expect(log).toHaveLength(0);
  grow(2);
  await ensureFresh();
  vi.unstubAllGlobals();
  expect(log.filter((asked) => asked.path === '/blade-auth/oauth/token')).toHaveLength(1);
  expect(currentSession()?.access).toBe('access-2');
  expect(localStorage.getItem('xunwei.refresh')).toBeNull();
});

test('a refused renewal ends the session, a server in trouble does not', async () => {
  beSignedIn();
  grow(site.tokenTime);
  serve({
    [RENEW]: () => {
      throw new Refused(503, { code: 503, msg: 'busy' });
    },
  });
  await ensureFresh();
  expect(currentSession()?.access).toBe('access-1');
  serve({ [RENEW]: () => new Bare({ error_code: 40002, error_description: 'revoked' }) });
  await ensureFresh();
  expect(currentSession()).toBeUndefined();
});

test('the age is looked at every ten seconds', async () => {
  beSignedIn();
  const log = serve({ [RENEW]: renewed });
  const stop = watchToken();
  grow(site.tokenTime);
  vi.advanceTimersByTime(9_999);
  expect(log).toHaveLength(0);
  vi.advanceTimersByTime(1);
  stop();
  await vi.waitFor(() => expect(log).toHaveLength(1));
});

test('signing out tells the server and clears the session even when that fails', async () => {
  beSignedIn();
  const log = serve({});
  await signOut();
  expect(log.map((asked) => asked.path)).toEqual(['/blade-auth/oauth/logout']);
  expect(currentSession()).toBeUndefined();
});

test('codes are the leaves of the buttons; nothing is allowed before they are known', async () => {
  vi.useRealTimers();
  beSignedIn();
  serve({
    'GET /blade-system/menu/buttons': () => [
      { id: '1', code: 'machine', children: [{ id: '2', code: 'machine_add', children: [] }] },
    ],
  });
  const client = new QueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const { result } = renderHook(useRights, { wrapper });
  expect(result.current('machine_add')).toBe(false);
  await waitFor(() => expect(result.current('machine_add')).toBe(true));
  expect(result.current('machine_delete')).toBe(false);
  expect(result.current('machine')).toBe(false);
});
