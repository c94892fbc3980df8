import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { setLanguage } from '@/i18n';
import { beSignedIn, draw } from '@/testing/render';
import { type Asked, serve } from '@/testing/server';
import Home from './home';

const page = (total: number) => ({ records: [], total, size: 1, current: 1, pages: 1 });
const TOTALS: Readonly<Record<string, number>> = { 1: 1200, 2: 2, 3: 0, 4: 4, 5: 5 };

function plant(paths: readonly string[]): Asked[] {
  return serve({
    'GET /blade-system/menu/buttons': () => [],
    'GET /blade-system/menu/routes': () => paths.map((path) => ({ id: path, path, name: path, code: path })),
    'GET /blade-system/dict-biz/dictionary': () => [{ dictKey: '1', dictValue: 'To dispatch' }],
    'GET /blade-desk/message/list': () => page(0),
    'GET /yuzhu-equip/repairorder/list': ({ params }) =>
      page(params.overdue ? 3 : (TOTALS[String(params.status)] ?? 0)),
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
  expect(late.className).toContain('x-figure-bad');
  expect(figures.getAllByRole('link')).toHaveLength(6);
});

test('who does not see orders is not asked for figures', async () => {
  const log = plant([]);
  draw(<Home />);
  await screen.findByText('No new messages');
  expect(screen.queryByRole('navigation')).toBeNull();
  expect(log.some(({ path }) => path === '/yuzhu-equip/repairorder/list')).toBe(false);
});
