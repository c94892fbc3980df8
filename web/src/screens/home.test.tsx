import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { setLanguage } from '@/i18n';
import { beSignedIn, draw } from '@/testing/render';
import { type Asked, serve } from '@/testing/server';
import Home from './home';

const page = (total: number) => ({ records: [], total, size: 1, current: 1, pages: 1 });
const group = (name: string, title: string, count: number, path: string, ...names: string[]) => ({
  name,
  title,
  kind: 'repairorder',
  count,
  path,
  rows: names.map((called, id) => ({ id: String(id), name: called, time: '2026-11-23 22:30:00', day: null })),
});
const matters = (parts: object = {}) => ({
  asOf: '2026-11-23 22:30:00',
  since: '2026-11-22',
  now: null,
  soon: null,
  wrong: null,
  orders: null,
  ...parts,
});
const HOME = 'GET /yuzhu-equip/homeMetric/home';
const states = (...counts: number[]) =>
  counts.map((count, index) => ({
    status: index + 1,
    statusName: index ? `S${index}` : 'To dispatch',
    count,
  }));

function plant(paths: readonly string[]): Asked[] {
  return serve({
    'GET /blade-system/menu/buttons': () => [],
    'GET /blade-system/menu/routes': () => paths.map((path) => ({ id: path, path, name: path, code: path })),
    'GET /blade-system/dict-biz/dictionary': () => [{ dictKey: '1', dictValue: 'To dispatch' }],
    'GET /blade-desk/message/list': () => page(0),
    [HOME]: () =>
      matters(
        paths.length > 0
          ? {
              soon: [],
              wrong: [
                group(
                  'repairsLate',
                  'Overdue work orders',
                  3,
                  '/repair/order?overdue=1',
                  'Spindle stands',
                  'Oil leaks',
                ),
              ],
              orders: states(1200, 2, 0, 4, 5),
            }
          : {},
      ),
    'GET /yuzhu-equip/repairorder/list': () => page(0),
  });
}

beforeEach(async () => {
  await setLanguage('en-US');
  beSignedIn();
});

test('how the orders stand is told by state, and each figure leads to its rows', async () => {
  plant(['/repair/order']);
  draw(<Home />);
  const figures = within(await screen.findByRole('navigation', { name: 'Work orders by status' }));
  const first = await figures.findByRole('link', { name: /^1,200 ?To dispatch$/ });
  expect(first.getAttribute('href')).toBe('/repair/order?status=1');
  const late = figures.getByRole('link', { name: /^3 ?Overdue$/ });
  expect(late.getAttribute('href')).toBe('/repair/order?overdue=1');
  expect(figures.getAllByRole('link')).toHaveLength(6);
});

test('what went wrong is told with the first of them and leads to all of them; a quiet section says so', async () => {
  plant(['/repair/order']);
  draw(<Home />);
  const wrong = await screen.findByRole('link', {
    name: /^3 ?Overdue work orders ?Spindle stands, Oil leaks\u00a0…$/,
  });
  expect(wrong.getAttribute('href')).toBe('/repair/order?overdue=1');
  expect(screen.getByText('Nothing is due soon').previousElementSibling?.textContent).toBe('Due soon');
});

test('who does not see orders is not asked for figures', async () => {
  const log = plant([]);
  draw(<Home />);
  await screen.findByText('No new messages');
  expect(screen.queryByRole('navigation')).toBeNull();
  expect(screen.queryByText('Due soon')).toBeNull();
  expect(log.some(({ path }) => path === '/yuzhu-equip/repairorder/list')).toBe(false);
});

test('where no order is open one sentence stands for the figures, with the way to all of them', async () => {
  serve({
    'GET /blade-system/menu/buttons': () => [],
    'GET /blade-system/menu/routes': () => [
      { id: '1', path: '/repair/order', name: 'Orders', code: 'repairorder' },
    ],
    'GET /blade-system/dict-biz/dictionary': () => [],
    'GET /blade-desk/message/list': () => page(0),
    [HOME]: () => matters({ orders: states(0, 0, 0, 0, 0) }),
  });
  draw(<Home />);
  await screen.findByText('No open work orders.', { exact: false });
  expect(screen.queryByRole('navigation')).toBeNull();
  expect(screen.getByRole('link', { name: 'View all work orders' }).getAttribute('href')).toBe(
    '/repair/order',
  );
  // Who reports nothing has no reports of their own.
  expect(screen.queryByText('Reported by me')).toBeNull();
});

test('a task says each word once, and its moment in one piece', async () => {
  const task = {
    id: '5',
    taskId: '5',
    title: 'Chuck does not hold',
    taskName: 'Verify',
    subject: 'JJ-SG-001',
    why: '秦岳',
    starterName: '秦岳',
    createTime: '2026-11-23 22:30:00',
    priority: 0,
    acts: [],
    taskActions: [],
    outcomes: [],
  };
  serve({
    'GET /blade-system/menu/buttons': () => [],
    'GET /blade-system/menu/routes': () => [{ id: '1', path: '/work/todo', name: 'To do', code: 'todo' }],
    'GET /blade-system/dict-biz/dictionary': () => [],
    'GET /blade-desk/message/list': () => page(0),
    'GET /blade-flow/work/inbox': () => ({ ...page(1), records: [task] }),
    [HOME]: () =>
      matters({
        now: [
          { ...group('tasks', 'Inspections', 4, '/inspect/order?mine=1', 'Route 1'), kind: 'inspectorder' },
        ],
      }),
  });
  draw(<Home />);
  const title = await screen.findByText('Chuck does not hold');
  const entry = title.closest('.x-entry') as HTMLElement;
  expect(entry.querySelector('.x-entry-meta')?.textContent).toBe(
    'Verify · JJ-SG-001 · 秦岳 · received 2026-11-23 22:30',
  );
  expect(entry.querySelector('.x-nowrap')?.textContent).toBe('received 2026-11-23 22:30');
  expect((await screen.findByText('Due 2026-11-23 22:30')).closest('.x-entry')?.textContent).toContain(
    'Route 1',
  );
  expect(screen.getByRole('link', { name: 'All 4' }).getAttribute('href')).toBe('/inspect/order?mine=1');
});
