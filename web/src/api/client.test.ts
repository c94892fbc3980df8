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
