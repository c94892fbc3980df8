import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { setLanguage } from '@/i18n';
import { DocumentPage } from '@/kit/DocumentPage';
import { useUnsaved } from '@/kit/leaving';
import '@/session/sign';
import { beSignedIn, draw } from '@/testing/render';
import { type Asked, serve } from '@/testing/server';
import { Page } from './Page';
import { Tabs } from './Tabs';
import { tabs, visit } from './tabs';
import { entry } from './testShell';

const menu = ({ headers }: Asked) => {
  const zh = headers['Accept-Language'] === 'zh-CN';
  return [
    entry({ code: 'post', name: zh ? '岗位' : 'Positions', path: '/system/post' }),
    entry({ code: 'role', name: 'Roles', path: '/system/role' }),
    entry({ code: 'dept', name: zh ? '部门' : 'Departments', path: '/system/dept' }),
    entry({ code: 'order', name: zh ? '维修工单' : 'Work orders', path: '/repair/order' }),
    entry({ code: 'a b', name: 'Board', path: 'https://board.test' }),
  ];
};

let unsaved = false;

/** A page as it behaves: it makes itself a tab, and asks before it is left with something unsaved. */
function Here() {
  const { pathname, search } = useLocation();
  useEffect(() => visit(pathname, pathname + search), [pathname, search]);
  useUnsaved(() => unsaved);
  return null;
}

function show(address = '/system/dept') {
  const log = serve({
    'GET /blade-system/menu/routes': menu,
    'GET /blade-auth/oauth/clear-cache': () => null,
  });
  visit('/system/post', '/system/post?page=2');
  visit('/system/dept', '/system/dept');
  visit('/repair/order', '/repair/order');
  const view = draw(
    <>
      <Tabs />
      <Here />
    </>,
    address,
  );
  return { ...view, log };
}

const names = () => screen.getAllByRole('link').map((link) => link.textContent);
const front = () => document.querySelector('[aria-current="page"]')?.textContent;
const at = (view: ReturnType<typeof show>) => view.router.state.location.pathname;
const close = (name: string) => userEvent.click(screen.getByRole('button', { name: `Close ${name}` }));

async function choose(tab: string, item: string) {
  fireEvent.contextMenu(await screen.findByRole('link', { name: tab }));
  await userEvent.click(await screen.findByRole('menuitem', { name: item }));
}

beforeEach(async () => {
  sessionStorage.clear();
  unsaved = false;
  await setLanguage('en-US');
  beSignedIn();
});

test('tabs are called as their pages are, in the language of now, and the one in front is marked', async () => {
  const view = show();
  await waitFor(() => expect(names()).toEqual(['Home', 'Positions', 'Departments', 'Work orders']));
  expect(front()).toBe('Departments');
  expect(screen.getByRole('link', { name: 'Positions' }).getAttribute('href')).toBe('/system/post?page=2');
  view.unmount();
  await setLanguage('zh-CN');
  show();
  await waitFor(() => expect(names()).toEqual(['首页', '岗位', '部门', '维修工单']));
});

test('a framed page is called as its entry, by a code of any letters', async () => {
  show('/myiframe/a%20b?name=x');
  await waitFor(() => expect(front()).toBe('Board'));
});

test('home has no way to close it, all others have', async () => {
  show();
  await screen.findByRole('link', { name: 'Positions' });
  const buttons = screen.getAllByRole('button').map((button) => button.getAttribute('aria-label'));
  expect(buttons).toEqual(['Close Positions', 'Close Departments', 'Close Work orders', 'Tab actions']);
});

test('closing the one in front leads to the one before it, with what was asked for there', async () => {
  const view = show();
  await screen.findByRole('link', { name: 'Positions' });
  await close('Departments');
  await waitFor(() => expect(names()).toEqual(['Home', 'Positions', 'Work orders']));
  expect(at(view)).toBe('/system/post');
  expect(view.router.state.location.search).toBe('?page=2');
  await close('Positions');
  await waitFor(() => expect(names()).toEqual(['Home', 'Work orders']));
  expect(at(view)).toBe('/wel/index');
});

test('closing another one leaves the page in front', async () => {
  const view = show();
  await screen.findByRole('link', { name: 'Positions' });
  await close('Work orders');
  expect(names()).toEqual(['Home', 'Positions', 'Departments']);
  expect(at(view)).toBe('/system/dept');
});

test('close others keeps home and this one, and goes to it', async () => {
  const view = show();
  await choose('Positions', 'Close others');
  await waitFor(() => expect(names()).toEqual(['Home', 'Positions']));
  expect(at(view)).toBe('/system/post');
  expect(view.router.state.location.search).toBe('?page=2');
});

test('close others on the page in front goes nowhere', async () => {
  const view = show();
  await choose('Departments', 'Close others');
  expect(names()).toEqual(['Home', 'Departments']);
  expect(at(view)).toBe('/system/dept');
});

test('close all returns to home', async () => {
  const view = show();
  await choose('Positions', 'Close all');
  await waitFor(() => expect(names()).toEqual(['Home']));
  expect(at(view)).toBe('/wel/index');
  expect(tabs.get()).toEqual([{ path: '/wel/index', address: '/wel/index' }]);
});

test('with home alone there is nothing to close', async () => {
  serve({ 'GET /blade-system/menu/routes': menu });
  draw(<Tabs />, '/wel/index');
  await userEvent.click(await screen.findByRole('button', { name: 'Tab actions' }));
  const items = await screen.findAllByRole('menuitem');
  expect(items.map((item) => [item.textContent, item.getAttribute('aria-disabled')])).toEqual([
    ['Clear cache', null],
    ['Close others', 'true'],
    ['Close all', 'true'],
  ]);
});

test('the cache is cleared after the question, and not before', async () => {
  await setLanguage('zh-CN');
  const { log } = show();
  await screen.findByRole('link', { name: '岗位' });
  await userEvent.click(screen.getByRole('button', { name: '页签操作' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: '清除缓存' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getAllByText('确定清除缓存?').length).toBeGreaterThan(0);
  const cleared = () => log.filter((asked) => asked.path === '/blade-auth/oauth/clear-cache');
  expect(cleared()).toEqual([]);
  await userEvent.click(dialog.getByRole('button', { name: '确定' }));
  expect(await screen.findByText('清除完毕')).toBeTruthy();
  expect(cleared()).toHaveLength(1);
});

const ACTS: [string, () => Promise<void>, string[]][] = [
  ['closing it', () => close('Departments'), ['Home', 'Positions', 'Work orders']],
  ['closing the others of another', () => choose('Positions', 'Close others'), ['Home', 'Positions']],
  ['closing all', () => choose('Positions', 'Close all'), ['Home']],
];

test.each(ACTS)(
  '%s: a page with something unsaved is asked first, and goes when it may',
  async (_, doIt, left) => {
    const view = show();
    await screen.findByRole('link', { name: 'Positions' });
    unsaved = true;
    await doIt();
    await screen.findByText('Discard');
    expect(names()).toEqual(['Home', 'Positions', 'Departments', 'Work orders']);
    expect(at(view)).toBe('/system/dept');
    unsaved = false;
    await userEvent.click(screen.getByText('Discard'));
    await waitFor(() => expect(names()).toEqual(left));
    expect(at(view)).not.toBe('/system/dept');
  },
);

test.each(ACTS)('%s: when the person stays, no tab goes, not later either', async (_, doIt) => {
  const view = show();
  await screen.findByRole('link', { name: 'Positions' });
  unsaved = true;
  await doIt();
  await userEvent.click(await screen.findByText('Keep editing'));
  expect(at(view)).toBe('/system/dept');
  unsaved = false;
  await userEvent.click(screen.getByRole('link', { name: 'Positions' }));
  await waitFor(() => expect(at(view)).toBe('/system/post'));
  expect(names()).toEqual(['Home', 'Positions', 'Departments', 'Work orders']);
});

test('going back to where a tab was closed closes nothing again', async () => {
  const view = show();
  await screen.findByRole('link', { name: 'Positions' });
  await close('Departments');
  await waitFor(() => expect(names()).toEqual(['Home', 'Positions', 'Work orders']));
  await view.router.navigate('/system/dept');
  await waitFor(() => expect(names()).toEqual(['Home', 'Positions', 'Work orders', 'Departments']));
  await view.router.navigate(-1);
  await waitFor(() => expect(front()).toBe('Positions'));
  expect(names()).toEqual(['Home', 'Positions', 'Work orders', 'Departments']);
});

test('a way out that was not taken is not another one that was', async () => {
  const view = show();
  await screen.findByRole('link', { name: 'Positions' });
  await close('Departments');
  await waitFor(() => expect(front()).toBe('Positions'));
  await userEvent.click(screen.getByRole('link', { name: 'Work orders' }));
  await waitFor(() => expect(front()).toBe('Work orders'));
  unsaved = true;
  await close('Work orders');
  await userEvent.click(await screen.findByText('Keep editing'));
  unsaved = false;
  await view.router.navigate(-1);
  await waitFor(() => expect(front()).toBe('Positions'));
  expect(names()).toEqual(['Home', 'Positions', 'Work orders']);
});

test('a tab that was just opened is brought into sight', async () => {
  const { router } = show();
  await screen.findByRole('link', { name: 'Positions' });
  const seen: (string | null)[] = [];
  vi.spyOn(HTMLElement.prototype, 'scrollIntoView').mockImplementation(function (this: HTMLElement) {
    seen.push(this.textContent);
  });
  await act(() => router.navigate('/system/role'));
  await waitFor(() => expect(front()).toBe('Roles'));
  expect(seen.at(-1)).toBe('Roles');
});

/** A page whose screen knows its title once its number is even. */
function Order() {
  const number = useLocation().pathname.slice(-1);
  const loading = Number(number) % 2 === 1;
  return (
    <DocumentPage loading={loading} parent="/" number={`WX${number}`} title="Lathe" state="" facts={[]}>
      {null}
    </DocumentPage>
  );
}

test('tab and window are called by what the page shows, once it is known, and keep it when another is in front', async () => {
  serve({ 'GET /blade-system/menu/routes': menu });
  const route = {
    path: '/repair/order/:id',
    title: ['维修工单', 'Work order'],
    Screen: Order,
    menu: true,
  } as const;
  const { router } = draw(
    <>
      <Tabs />
      <Page route={route} />
    </>,
    '/repair/order/2',
  );
  await screen.findByRole('link', { name: 'WX2 Lathe' });
  expect(document.title).toBe('WX2 Lathe - Xunwei');
  await act(() => router.navigate('/repair/order/3'));
  expect(names()).toEqual(['Home', 'WX2 Lathe', 'Work order']);
  expect(document.title).toBe('Work order - Xunwei');
  await act(() => router.navigate('/repair/order/4'));
  expect(names()).toEqual(['Home', 'WX2 Lathe', 'Work order', 'WX4 Lathe']);
});
