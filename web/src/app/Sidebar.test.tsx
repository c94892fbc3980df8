import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { setLanguage } from '@/i18n';
import '@/session/sign';
import { topMenu } from '@/session/rights';
import { beSignedIn } from '@/testing/render';
import type { Asked } from '@/testing/server';
import { entry, openAt } from './testShell';

const FOREST = [
  entry({ code: 'home', name: 'Home', path: '/wel/index' }),
  entry({
    code: 'repair',
    name: 'Repair',
    path: '/repair',
    children: [
      entry({ code: 'order', name: 'Orders', path: '/repair/order' }),
      entry({ code: 'tv', name: 'Board', path: 'https://tv.test/a', isOpen: 2 }),
      entry({ code: 'soon', name: 'Not built', path: '/repair/never-built' }),
      entry({ code: 'bad', name: 'Script', path: 'javascript:alert(1)', isOpen: 2 }),
      entry({ code: 'pay', name: 'For others', path: '/system/post', meta: { roles: ['hr'] } }),
      entry({ code: 'off', name: 'Out of the menu', path: '/system/param', meta: { menu: false } }),
    ],
  }),
  entry({
    code: 'empty',
    name: 'Group without pages',
    path: '/empty',
    children: [entry({ code: 'later', name: 'Later', path: '/empty/later' })],
  }),
];

const EMPTY = { records: [], total: 0, size: 10, current: 1, pages: 0 };

function open(address: string, more: Record<string, (asked: Asked) => unknown> = {}) {
  return openAt(address, {
    'GET /blade-system/menu/routes': () => FOREST,
    'GET /yuzhu-equip/repairorder/list': () => EMPTY,
    ...more,
  });
}

/** Neither wide nor a phone; without this the window of the tests is wide. */
function beNarrow() {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    () => ({ matches: false, addEventListener() {}, removeEventListener() {} }) as never,
  );
}

const side = () => screen.findByRole('navigation', { name: 'Main navigation' });
const names = (within_: HTMLElement) =>
  within(within_)
    .getAllByRole('link')
    .map((link) => link.textContent);

beforeEach(async () => {
  vi.restoreAllMocks();
  topMenu.set('');
  await setLanguage('en-US');
  beSignedIn();
});

test('the side menu has what leads somewhere and is meant for this person, and nothing else', async () => {
  open('/repair/order');
  const menu = await side();
  await waitFor(() => expect(names(menu)).toEqual(['Home', 'Orders', 'Board']));
  within(menu).getByText('Repair');
  expect(within(menu).queryByText('Group without pages')).toBeNull();
});

test('the entry of the page in front is marked, also where a page below it is open', async () => {
  const { router } = open('/repair/order');
  const marked = async () => (await side()).querySelector('.ant-menu-item-selected')?.textContent;
  await waitFor(async () => expect(await marked()).toBe('Orders'));
  await act(() => router.navigate('/wel/index'));
  await waitFor(async () => expect(await marked()).toBe('Home'));
  await act(() => router.navigate('/repair/order/5'));
  await waitFor(async () => expect(await marked()).toBe('Orders'));
});

test('an entry for a window of its own opens one that knows nothing of ours', async () => {
  open('/repair/order');
  const link = await within(await side()).findByRole('link', { name: 'Board' });
  expect(link.getAttribute('href')).toBe('https://tv.test/a');
  expect([link.getAttribute('target'), link.getAttribute('rel')]).toEqual(['_blank', 'noopener noreferrer']);
});

test('where the window is small the menu comes over the page and goes with the choice', async () => {
  beNarrow();
  const { at } = open('/repair/order');
  expect(screen.queryByRole('navigation', { name: 'Main navigation' })).toBeNull();
  await userEvent.click(await screen.findByRole('button', { name: 'Open menu' }));
  await userEvent.click(await within(await side()).findByRole('link', { name: 'Home' }));
  await waitFor(() => expect(screen.queryByRole('navigation', { name: 'Main navigation' })).toBeNull());
  expect(at()).toBe('/wel/index');
});

const TOP = [{ id: '9', code: 'people', name: 'People', path: '/system/post', source: 'tool', sort: 1 }];

test('a part of the top menu shows its part of the tree and opens its page; home shows all again', async () => {
  const { at } = open('/repair/order', {
    'GET /blade-system/menu/top-menu': () => TOP,
    'GET /blade-system/menu/routes': ({ params }) =>
      params.topMenuId === '9'
        ? [entry({ code: 'post', name: 'Positions', path: '/system/post' })]
        : [...FOREST, entry({ code: 'post', name: 'Positions', path: '/system/post' })],
    'GET /blade-system/post/list': () => EMPTY,
  });
  const top = within(await screen.findByRole('navigation', { name: 'Top menu' }));
  await userEvent.click(top.getByRole('button', { name: /People/ }));
  await waitFor(async () => expect(names(await side())).toEqual(['Positions']));
  expect(at()).toBe('/system/post');
  expect(top.getByRole('button', { name: /People/ }).getAttribute('aria-current')).toBe('true');
  await userEvent.click(top.getByRole('button', { name: /Home/ }));
  await waitFor(async () => expect(names(await side())).toEqual(['Home', 'Orders', 'Board', 'Positions']));
  expect(at()).toBe('/wel/index');
});

test('without parts there is no top menu', async () => {
  open('/repair/order');
  await side();
  expect(screen.queryByRole('navigation', { name: 'Top menu' })).toBeNull();
});

test('the window is called by its page and the product, in the language of now', async () => {
  open('/equip/machine');
  await waitFor(() => expect(document.title).toBe('Assets - Xunwei'));
  await act(() => setLanguage('zh-CN'));
  await waitFor(() => expect(document.title).toBe('设备台账 - 巡维'));
});

test('the queues say how much waits in them, and nothing where nothing does', async () => {
  await open('/wel/index', {
    'GET /blade-system/menu/routes': () => [
      entry({ code: 'todo', name: 'To do', path: '/work/todo' }),
      entry({ code: 'claim', name: 'To claim', path: '/work/claim' }),
      entry({ code: 'sent', name: 'Started by me', path: '/work/send' }),
    ],
    'GET /blade-flow/work/counts': () => ({ todo: 7, claim: 0 }),
  });
  const menu = await side();
  await waitFor(() => expect(names(menu)).toEqual(['To do7', 'To claim', 'Started by me']));
});

test('the entry of the page in front is brought into sight when the console opens', async () => {
  const seen: (string | null)[] = [];
  vi.spyOn(HTMLElement.prototype, 'scrollIntoView').mockImplementation(function (this: HTMLElement) {
    seen.push(this.textContent);
  });
  open('/repair/order');
  await within(await side()).findByRole('link', { name: 'Orders' });
  await waitFor(() => expect(seen).toContain('Orders'));
});

test('below 1200 pixels the menu is folded, until the person says otherwise', async () => {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) =>
      ({ matches: query === '(width >= 992px)', addEventListener() {}, removeEventListener() {} }) as never,
  );
  const { unmount } = open('/repair/order');
  await userEvent.click(await screen.findByRole('button', { name: 'Unfold menu' }));
  expect(await screen.findByRole('button', { name: 'Fold menu' })).toBeTruthy();
  unmount();
  open('/repair/order');
  expect(await screen.findByRole('button', { name: 'Fold menu' })).toBeTruthy();
});
