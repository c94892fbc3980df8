import { beforeEach, expect, test } from 'vitest';
import { setLanguage } from '@/i18n';
import './sign';
import { ApiError, api, untyped } from '@/api/client';
import { beSignedIn } from '@/testing/render';
import { Bare, Refused, serve } from '@/testing/server';
import { currentSession, wasEnded } from './session';

beforeEach(() => setLanguage('zh-CN'));

const failure = async (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => error as ApiError,
  );

test('a call carries client, token, tenant and language, and its data comes without the envelope', async () => {
  beSignedIn();
  const log = serve({ 'GET /blade-desk/message/list': () => ({ records: [1] }) });
  await setLanguage('en-US');
  expect(
    await api.get('/blade-desk/message/list', { ascs: ['1', '2'], descs: '', size: undefined, unread: 1 }),
  ).toEqual({
    records: [1],
  });
  expect(log).toHaveLength(1);
  expect(log[0]?.params).toEqual({ ascs: '1,2', unread: '1' });
  expect(log[0]?.headers).toEqual({
    Authorization: `Basic ${btoa('xunwei-web:')}`,
    'Accept-Language': 'en-US',
    'Blade-Auth': 'bearer access-1',
    'Tenant-Id': '100001',
  });
});

test('a refusal keeps code, sentence, code word, fields and request id, and the session', async () => {
  beSignedIn();
  serve({
    'POST /blade-desk/notice/submit': () => {
      throw new Refused(400, {
        code: 400,
        success: false,
        msg: '设备编号「A」已存在',
        error: 'input.invalid',
        requestId: 'r-1',
        data: { fields: { machineCode: '设备编号「A」已存在' } },
      });
    },
  });
  const error = await failure(
    api.post('/blade-desk/notice/submit', { title: 'A', category: 1, content: 'a' }),
  );
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({
    code: 400,
    msg: '设备编号「A」已存在',
    error: 'input.invalid',
    fields: { machineCode: '设备编号「A」已存在' },
    requestId: 'r-1',
  });
  expect(currentSession()?.access).toBe('access-1');
});

test.each([401, 40001, 40002])('code %d ends the session here and leaves word of it', async (code) => {
  beSignedIn();
  serve({
    'GET /blade-user/info': () => {
      throw new Refused(401, { code, success: false, msg: '登录已失效' });
    },
  });
  expect(await failure(api.get('/blade-user/info'))).toMatchObject({ code });
  expect(currentSession()).toBeUndefined();
  expect(wasEnded()).toBe(true);
});

test('a late refusal of an old token leaves a renewed session alone', async () => {
  beSignedIn();
  serve({
    'GET /blade-user/info': () => {
      const renewed = { ...JSON.parse(localStorage.getItem('xunwei.session') ?? ''), access: 'access-2' };
      localStorage.setItem('xunwei.session', JSON.stringify(renewed));
      throw new Refused(401, { code: 401, success: false, msg: '登录已失效' });
    },
  });
  await failure(api.get('/blade-user/info'));
  expect(currentSession()?.access).toBe('access-2');
});

test('403 is a refusal and not the end of the session', async () => {
  beSignedIn();
  serve({
    'GET /blade-user/info': () => {
      throw new Refused(403, { code: 403, success: false, msg: '没有权限执行此操作' });
    },
  });
  expect(await failure(api.get('/blade-user/info'))).toMatchObject({ code: 403, msg: '没有权限执行此操作' });
  expect(currentSession()?.access).toBe('access-1');
});

test('a token call answered with error_description is a refusal although it comes with 200', async () => {
  serve({
    'POST /blade-auth/oauth/token': () => new Bare({ error_code: 400, error_description: '验证码不正确' }),
  });
  expect(await failure(api.token('/blade-auth/oauth/token', {}))).toMatchObject({
    code: 400,
    msg: '验证码不正确',
  });
});

test('an answer that is not JSON is told as an unknown error with its status', async () => {
  serve({});
  globalThis.fetch = async () => new Response('<h1>Bad gateway</h1>', { status: 502 });
  expect(await failure(api.get('/blade-user/info'))).toMatchObject({ code: 502, msg: '未知错误' });
});

test('a connection that fails is told as such', async () => {
  globalThis.fetch = async () => {
    throw new TypeError('Failed to fetch');
  };
  expect(await failure(api.get('/blade-user/info'))).toMatchObject({
    code: 0,
    msg: '无法连接服务器，请检查网络后重试。',
  });
});

test.each(['https://other.test/x', '//other.test/x', 'thing'])(
  '%s is no path of this server',
  async (path) => {
    const log = serve({});
    expect(await failure(untyped.get(path))).toBeInstanceOf(Error);
    expect(log).toEqual([]);
  },
);
