import { beforeEach, expect, test, vi } from 'vitest';
import { clearSession, keepSession } from '@/session/session';
import { TOKEN } from '@/testing/render';
import { closed, onlyThis, resetTabs, type Tab, tabs, visit, visited } from './tabs';

const tab = (path: string, address = path): Tab => ({ path, address });
const HOME = tab('/wel/index');
const OPEN = [HOME, tab('/a'), tab('/b', '/b?x=1'), tab('/c')];
const paths = (open: readonly Tab[]) => open.map((one) => one.path);

beforeEach(() => {
  sessionStorage.clear();
  keepSession(TOKEN);
});

test('at first there is home alone', () => expect(tabs.get()).toEqual([HOME]));

test('a visited page comes last, and once; its tab follows what is asked for there', () => {
  expect(visited([HOME], '/a', '/a?x=1')).toEqual([HOME, tab('/a', '/a?x=1')]);
  expect(visited(OPEN, '/b', '/b?x=2')).toEqual([HOME, tab('/a'), tab('/b', '/b?x=2'), tab('/c')]);
  expect(visited(OPEN, '/wel/index', '/wel/index')).toBe(OPEN);
  expect(visited(OPEN, '/b', '/b?x=1')).toBe(OPEN);
  // The beginning of a path is another page.
  expect(paths(visited(OPEN, '/a/1', '/a/1'))).toEqual(['/wel/index', '/a', '/b', '/c', '/a/1']);
});

test.each([
  ['/c', ['/wel/index', '/a', '/b'], '/b?x=1'],
  ['/b', ['/wel/index', '/a', '/c'], '/a'],
  ['/a', ['/wel/index', '/b', '/c'], '/wel/index'],
  // The first one stays, and so does everything when there is nothing to close.
  ['/wel/index', ['/wel/index', '/a', '/b', '/c'], '/wel/index'],
  ['/nowhere', ['/wel/index', '/a', '/b', '/c'], '/wel/index'],
])('without %s there are %j, and the one before it is next', (path, left, next) => {
  const after = closed(OPEN, path);
  expect(paths(after.open)).toEqual(left);
  expect(after.next.address).toBe(next);
});

test.each([
  ['/b', ['/wel/index', '/b']],
  ['/wel/index', ['/wel/index']],
  ['/nowhere', ['/wel/index']],
])('only %s is %j: home stays', (path, left) => expect(paths(onlyThis(OPEN, path))).toEqual(left));

test('a thousand tabs of a day are a thousand tabs', () => {
  for (let n = 0; n < 1000; n += 1) visit(`/order/${n}`, `/order/${n}`);
  expect(tabs.get()).toHaveLength(1001);
  expect(closed(tabs.get(), '/order/999').next.path).toBe('/order/998');
});

test('they outlive a reload, in this browser tab only', async () => {
  visit('/a', '/a?x=1');
  visit('/b', '/b');
  vi.resetModules();
  const anew = await import('./tabs');
  expect(anew.tabs.get()).toEqual([HOME, tab('/a', '/a?x=1'), tab('/b')]);
  expect(localStorage.getItem('xunwei.tabs')).toBeNull();
});

test('who is told of a visit is told once, and not at all when nothing changes', () => {
  const heard = vi.fn();
  const stop = tabs.listen(heard);
  visit('/a', '/a');
  visit('/a', '/a');
  stop();
  visit('/b', '/b');
  expect(heard).toHaveBeenCalledTimes(1);
});

test.each([
  ['another person', { user_id: '8' }],
  ['the same number in another company', { tenant_id: '100002' }],
])('%s sees none of them, also after a reload', async (_, part) => {
  visit('/secret/1', '/secret/1');
  keepSession({ ...TOKEN, ...part });
  expect(tabs.get()).toEqual([HOME]);
  vi.resetModules();
  const anew = await import('./tabs');
  expect(anew.tabs.get()).toEqual([HOME]);
  visit('/b', '/b');
  expect(tabs.get()).toEqual([HOME, tab('/b')]);
  expect(sessionStorage.getItem('xunwei.tabs')).not.toContain('secret');
});

test('nobody signed in sees none of them', () => {
  visit('/secret/1', '/secret/1');
  clearSession();
  expect(tabs.get()).toEqual([HOME]);
});

test('all closed is home alone', () => {
  visit('/a', '/a');
  resetTabs();
  expect(tabs.get()).toEqual([HOME]);
});

test.each([
  '{broken',
  '[]',
  '[{"path":"/wel/index","address":"/wel/index"},{"path":"/a","address":"/a"}]',
  '{"owner":"100001/7","value":[]}',
  '{"owner":"100001/7","value":{"length":1}}',
  '{"owner":"100001/7","value":[null]}',
  '{"owner":"100001/7","value":[{"path":"/a","address":"/a"}]}',
  '{"owner":"100001/7","value":[{"path":"/wel/index","address":"/wel/index"},{"path":"/a"}]}',
  '{"owner":"100001/7","value":[{"path":"/wel/index","address":"/wel/index","content":1}]}',
])('%s in storage is home alone', (text) => {
  sessionStorage.setItem('xunwei.tabs', text);
  expect(tabs.get()).toEqual([HOME]);
});
