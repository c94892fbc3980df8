/** What becomes of an answer, by its code; and what never leaves for another site. Beside client.test.ts. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError, api, untyped } from '@/api/client';
import { setLanguage } from '@/i18n';
import { site } from '@/site';
import './sign';
import { beSignedIn } from '@/testing/render';
import { Bare, Refused, serve } from '@/testing/server';
import { currentSession, wasEnded } from './session';

const OVER = [401, 40001, 40002];

beforeEach(async () => {
  await setLanguage('zh-CN');
  beSignedIn();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const failure = async (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => error as ApiError,
  );

test.each(OVER)('code %d in the body ends the session although the status is 200', async (code) => {
  serve({ 'GET /blade-user/info': () => new Bare({ code, success: false, msg: 'over' }) });
  expect(await failure(api.get('/blade-user/info'))).toMatchObject({ code, msg: 'over' });
  expect(currentSession()).toBeUndefined();
  expect(wasEnded()).toBe(true);
});

test('without a code in the body the status counts', async () => {
  serve({
    'GET /blade-user/info': () => {
      throw new Refused(401, { msg: 'over' });
    },
  });
  expect(await failure(api.get('/blade-user/info'))).toMatchObject({ code: 401 });
  expect(currentSession()).toBeUndefined();
});

test('the body’s code goes before the status: 403 in an answer of 401 leaves the session', async () => {
  serve({
    'GET /blade-user/info': () => {
      throw new Refused(401, { code: 403, msg: 'no' });
    },
  });
  expect(await failure(api.get('/blade-user/info'))).toMatchObject({ code: 403 });
  expect(currentSession()?.access).toBe('access-1');
});

test.each([400, 404, 409, 429, 500, 503, 40000, 40003])('code %d leaves the session', async (code) => {
  serve({ 'GET /blade-user/info': () => new Bare({ code, msg: 'no' }) });
  expect(await failure(api.get('/blade-user/info'))).toMatchObject({ code, msg: 'no' });
  expect(currentSession()?.access).toBe('access-1');
});

test('a public call and a token call end no session, whatever they answer', async () => {
  const over = () => new Bare({ code: 401, msg: 'over' });
  const log = serve({ 'GET /xunwei/site': over, 'POST /blade-auth/oauth/token': over });
  expect(await failure(api.open('/xunwei/site'))).toMatchObject({ code: 401 });
  expect(await failure(api.token('/blade-auth/oauth/token', {}))).toMatchObject({ code: 401 });
  expect(currentSession()?.access).toBe('access-1');
  for (const { headers } of log) {
    expect(headers['Blade-Auth']).toBeUndefined();
    expect(headers['Tenant-Id']).toBeUndefined();
    expect(headers.Authorization).toBe('Basic eHVud2VpLXdlYjo=');
  }
});

test('a download that is refused ends the session as any other call does', async () => {
  globalThis.fetch = async () =>
    new Response(JSON.stringify({ code: 40002, msg: 'over' }), {
      headers: { 'Content-Type': 'application/json' },
    });
  expect(await failure(api.download('/blade-user/export'))).toMatchObject({ code: 40002, msg: 'over' });
  expect(currentSession()).toBeUndefined();
});

test('ten calls refused at once end the session once', async () => {
  const answer = () => new Bare({ code: 401, msg: 'over' });
  serve({ 'GET /blade-user/info': answer });
  const all = await Promise.all(Array.from({ length: 10 }, () => failure(api.get('/blade-user/info'))));
  expect(all.map((error) => error?.code)).toEqual(Array(10).fill(401));
  expect(currentSession()).toBeUndefined();
});

test.each([
  [{ msg: 'first', error_description: 'second' }, 'first'],
  [{ msg: '', error_description: 'second' }, 'second'],
  [{ msg: '' }, '未知错误'],
  [{}, '未知错误'],
])('of %j the sentence is %s', async (body, sentence) => {
  serve({ 'GET /blade-user/info': () => new Bare({ code: 400, ...body }) });
  expect(await failure(api.get('/blade-user/info'))).toMatchObject({ msg: sentence });
});

test('an unknown error is named in English as the specification has it', async () => {
  await setLanguage('en-US');
  serve({ 'GET /blade-user/info': () => new Bare({ code: 500 }) });
  expect(await failure(api.get('/blade-user/info'))).toMatchObject({ msg: 'unknown error' });
});

test('no code is silent until the site names it; one that is named is rejected all the same', async () => {
  expect(site.silentCodes).toEqual([]);
  serve({ 'GET /blade-user/info': () => new Bare({ code: 40300, msg: 'quiet' }) });
  expect((await failure(api.get('/blade-user/info')))?.silent).toBe(false);
  (site.silentCodes as number[]).push(40300);
  try {
    const error = await failure(api.get('/blade-user/info'));
    expect(error).toBeInstanceOf(ApiError);
    expect(error?.silent).toBe(true);
    expect(new ApiError(40301, 'loud').silent).toBe(false);
  } finally {
    (site.silentCodes as number[]).length = 0;
  }
});

test('a call is given up after 120 seconds and says so', async () => {
  const timeouts: number[] = [];
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((after) => {
    timeouts.push(after);
    return AbortSignal.abort(new DOMException('late', 'TimeoutError'));
  });
  globalThis.fetch = async (_, init) => {
    init?.signal?.throwIfAborted();
    return new Response('{}');
  };
  expect(await failure(api.get('/blade-user/info'))).toMatchObject({
    code: 0,
    error: 'network',
    msg: '服务器响应超时，请稍后重试。',
  });
  expect(timeouts).toEqual([120_000]);
});

test('what the page itself has given up is no error of the connection', async () => {
  const page = new AbortController();
  globalThis.fetch = async (_, init) => {
    page.abort();
    init?.signal?.throwIfAborted();
    return new Response('{}');
  };
  const error = await failure(api.get('/blade-user/info', undefined, page.signal));
  expect(error).not.toBeInstanceOf(ApiError);
  expect(error?.name).toBe('AbortError');
});

const FOREIGN = [
  'https://other.test/x',
  'HTTP://other.test',
  '//other.test/x',
  'javascript:alert(1)',
  'thing',
  '',
];

test.each(FOREIGN)('"%s" is asked for by no kind of call', async (path) => {
  const log = serve({});
  const opened = vi.spyOn(XMLHttpRequest.prototype, 'open');
  const calls = [
    untyped.get(path),
    untyped.post(path, {}),
    api.open(path as '/xunwei/site'),
    api.token(path as '/blade-auth/oauth/token', {}),
    untyped.download(path),
    untyped.upload(path, new File(['x'], 'x.png'), {}),
  ];
  const ends = await Promise.allSettled(calls);
  expect(new Set(ends.map((end) => end.status))).toEqual(new Set(['rejected']));
  expect(log).toEqual([]);
  expect(opened).not.toHaveBeenCalled();
});

test.each(['/\\other.test/x', '/\t/other.test', '/@other.test', '/../../other', '/:80'])(
  '%j stays on this server',
  async (path) => {
    const asked: string[] = [];
    globalThis.fetch = async (address) => {
      asked.push(String(address));
      return new Response('{"code":200}');
    };
    await untyped.get(path);
    expect(asked.map((address) => new URL(address, 'http://console.test').host)).toEqual(['console.test']);
  },
);
