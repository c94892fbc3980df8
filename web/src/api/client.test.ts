import { expect, test, vi } from 'vitest';
import { api } from './client';

test.each([
  ['attachment; filename="Assets-202603030030.xlsx"', 'Assets-202603030030.xlsx'],
  [
    "attachment; filename*=utf-8''%E8%AE%BE%E5%A4%87%E5%8F%B0%E8%B4%A6-202603030030.xlsx",
    '设备台账-202603030030.xlsx',
  ],
  [undefined, 'download'],
])('a file is called as the server says: %s', async (said, name) => {
  const headers = said ? { 'Content-Disposition': said } : undefined;
  vi.stubGlobal('fetch', async () => new Response('x', { status: 200, headers }));
  expect((await api.download('/yuzhu-equip/inspectmachine/export')).name).toBe(name);
});

test.each([
  [['1', '1'], 3, '好'],
  [['1', '1', '1'], 3, '操作过于频繁'],
  [['60'], 1, '操作过于频繁'],
  [[undefined], 1, '操作过于频繁'],
])('a call that is told to come again within seconds is sent again: %s', async (waits, asked, heard) => {
  vi.useFakeTimers();
  const answers = waits.map((wait) => {
    const headers = wait ? { 'Retry-After': wait } : undefined;
    return new Response('{"code":429,"success":false,"msg":"操作过于频繁"}', { status: 429, headers });
  });
  const good = new Response('{"code":200,"success":true,"data":"好"}');
  const fetch = vi.fn(async () => answers.shift() ?? good);
  vi.stubGlobal('fetch', fetch);
  const answer = api.get('/blade-auth/oauth/clear-cache').catch((error: Error) => error.message);
  // Two waits of a second, and some; timers of pages that other files have shown go on for ever.
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await answer).toBe(heard);
  expect(fetch).toHaveBeenCalledTimes(asked);
  vi.useRealTimers();
});
