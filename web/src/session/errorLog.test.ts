import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '@/api/client';
import './sign';
import { beSignedIn } from '@/testing/render';
import { Refused, serve } from '@/testing/server';
import { clearErrors, errorLog, type LoggedError, logError, sendErrors, watchErrors } from './errorLog';

const SEND = 'POST /blade-auth/oauth/logout';
const messages = () => errorLog.get().map((error) => error.message);

beforeEach(() => vi.useFakeTimers({ now: new Date(2026, 10, 2, 9, 5, 7), toFake: ['Date'] }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function fault(message: string, stack = 'at a'): Error {
  const error = new Error(message);
  error.stack = stack;
  return error;
}

test('an error is kept with type, message, stack, info, address and local time, without what was asked for', () => {
  window.history.replaceState(null, '', '/repair/order?word=secret#x');
  logError(fault('broken', 'Error: broken\n at a'), 'page', 'somewhere');
  expect(errorLog.get()).toEqual([
    {
      type: 'page',
      message: 'broken',
      stack: 'Error: broken\n at a',
      info: 'somewhere',
      url: '/repair/order',
      time: '2026-11-02 09:05:07',
    },
  ]);
  expect(JSON.parse(localStorage.getItem('xunwei.errors') ?? '')).toEqual(errorLog.get());
});

test.each([
  ['a text', 'a text'],
  [undefined, 'undefined'],
  [null, 'null'],
  [7, '7'],
])('what is thrown need not be an error: %j', (thrown, message) => {
  logError(thrown, 'promise');
  expect(errorLog.get()).toMatchObject([{ message, stack: '', info: '' }]);
});

test('the newest is first; the same one again counts once, another one in between does not hide it', () => {
  logError(fault('one'), 'error');
  logError(fault('one'), 'error');
  logError(fault('one', 'at b'), 'error');
  logError(fault('two'), 'error');
  logError(fault('one'), 'error');
  expect(messages()).toEqual(['one', 'two', 'one', 'one']);
});

test('a hundred are kept, the oldest go', () => {
  for (let n = 1; n <= 103; n += 1) logError(fault(`error ${n}`), 'error');
  expect(messages()).toHaveLength(100);
  expect(messages()[0]).toBe('error 103');
  expect(messages().at(-1)).toBe('error 4');
});

test('long texts are cut, and all of them together stay below what the server takes', () => {
  for (let n = 1; n <= 60; n += 1)
    logError(fault(`${n} ${'长'.repeat(9000)}`, 's'.repeat(9000)), 'error', 'i');
  const kept = errorLog.get();
  expect(kept[0]?.message).toHaveLength(8000);
  expect(kept[0]?.stack).toHaveLength(8000);
  expect(kept[0]?.message.slice(0, 3)).toBe('60 ');
  expect(kept).toHaveLength(37);
  expect(new Blob([JSON.stringify(kept)]).size).toBeLessThan(2 * 1024 * 1024);
});

test('storage that is full or shut is no error of its own', () => {
  const set = vi.spyOn(errorLog, 'set').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  expect(() => logError(fault('one'), 'error')).not.toThrow();
  expect(set).toHaveBeenCalledOnce();
});

test('a text in storage that is none of ours is an empty log', () => {
  localStorage.setItem('xunwei.errors', '{broken');
  expect(errorLog.get()).toEqual([]);
});

test('clearing leaves none', () => {
  logError(fault('one'), 'error');
  clearErrors();
  expect(errorLog.get()).toEqual([]);
});

test('all of them are sent at once, and forgotten once the server has them', async () => {
  beSignedIn();
  logError(fault('one'), 'error');
  logError(fault('two'), 'promise');
  const before = [...errorLog.get()];
  const log = serve({ [SEND]: () => null });
  await sendErrors();
  expect(log.map((asked) => asked.body)).toEqual([{ logs: before }]);
  expect(errorLog.get()).toEqual([]);
});

test('a refused sending keeps them', async () => {
  beSignedIn();
  logError(fault('one'), 'error');
  serve({
    [SEND]: () => {
      throw new Refused(500, { code: 500, msg: 'no' });
    },
  });
  await expect(sendErrors()).rejects.toMatchObject({ code: 500 });
  expect(messages()).toEqual(['one']);
});

test('what comes up while they are sent stays', async () => {
  beSignedIn();
  logError(fault('one'), 'error');
  serve({ [SEND]: () => logError(fault('two'), 'error') });
  await sendErrors();
  expect(messages()).toEqual(['two']);
});

test('what another tab has cleared meanwhile does not come back', async () => {
  beSignedIn();
  logError(fault('one'), 'error');
  serve({
    [SEND]: () => {
      clearErrors();
      logError(fault('two'), 'error');
    },
  });
  await sendErrors();
  expect(messages()).toEqual(['two']);
});

test('uncaught errors and rejections are logged with where they were, or which request it was', () => {
  watchErrors();
  const error = fault('uncaught');
  window.dispatchEvent(new ErrorEvent('error', { error, filename: '/a.js', lineno: 3, colno: 9 }));
  // A picture that did not load has no error.
  window.dispatchEvent(new ErrorEvent('error', { message: 'img' }));
  const rejected = new Event('unhandledrejection');
  Object.assign(rejected, { reason: new ApiError(500, 'no answer', '', {}, 'r-1') });
  window.dispatchEvent(rejected);
  expect(
    errorLog.get().map(({ type, message, info }): Partial<LoggedError> => ({ type, message, info })),
  ).toEqual([
    { type: 'promise', message: 'no answer', info: 'r-1' },
    { type: 'error', message: 'uncaught', info: '/a.js:3:9' },
  ]);
});
