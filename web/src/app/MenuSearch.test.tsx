import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { setLanguage } from '@/i18n';
import '@/session/sign';
import { beSignedIn, draw } from '@/testing/render';
import { type Asked, serve } from '@/testing/server';
import MenuSearch, { startsWith } from './MenuSearch';
import { entry } from './testShell';

/** As the server answers: in the caller's language. */
const menu = ({ headers }: Asked) => {
  const zh = headers['Accept-Language'] === 'zh-CN';
  const name = (chinese: string, english: string) => (zh ? chinese : english);
  return [
    entry({ code: 'home', name: name('首页', 'Home'), path: '/wel/index' }),
    entry({
      code: 'repair',
      name: name('维修', 'Repair'),
      path: '/repair',
      children: [
        entry({ code: 'order', name: name('维修工单', 'Repair orders'), path: '/repair/order' }),
        entry({ code: 'report', name: name('报修', 'Report a fault'), path: '/repair/report' }),
        entry({ code: 'soon', name: name('维修计划', 'Repair plans'), path: '/repair/never-built' }),
        entry({
          code: 'pay',
          name: name('维修费用', 'Repair costs'),
          path: '/system/post',
          meta: { roles: ['hr'] },
        }),
      ],
    }),
    entry({ code: 'tv', name: name('大屏', 'Reports board'), path: 'https://tv.test/a', isOpen: 2 }),
    entry({ code: 'site', name: name('外部', 'Outside'), path: 'https://site.test/a' }),
    entry({ code: 'bad', name: name('维修坏', 'Rebad'), path: 'javascript:alert(1)' }),
  ];
};

function show() {
  serve({ 'GET /blade-system/menu/routes': menu });
  const onClose = vi.fn();
  const view = draw(<MenuSearch onClose={onClose} />);
  return { ...view, onClose };
}

const field = () => screen.findByRole('combobox');
const found = () => screen.queryAllByRole('option').map((one) => one.textContent);

beforeEach(async () => {
  vi.restoreAllMocks();
  await setLanguage('en-US');
  beSignedIn();
});

test.each([
  ['Repair orders', 'rep', true],
  ['Repair orders', ' REPAIR o ', true],
  ['Repair orders', 'orders', false],
  ['Repair orders', '', true],
  ['维修工单', '维修', true],
  ['维修工单', '工单', false],
])('%s begins with "%s": %s', (name, text, begins) => expect(startsWith(name, text)).toBe(begins));

test('names that begin with the text, whatever its case, with their groups; nothing that is hidden or not there', async () => {
  show();
  await screen.findByText('Home');
  expect(found()).toEqual([
    'Home',
    'Repair ordersRepair',
    'Report a faultRepair',
    'Reports board',
    'Outside',
  ]);
  await userEvent.type(await field(), 'REP');
  expect(found()).toEqual(['Repair ordersRepair', 'Report a faultRepair', 'Reports board']);
  await userEvent.type(await field(), 'orts');
  expect(found()).toEqual(['Reports board']);
  await userEvent.type(await field(), 'x');
  expect(found()).toEqual([]);
  expect(screen.getByText('No matching menu entry')).toBeTruthy();
});

test('after the names that begin with the text come those that contain it', async () => {
  show();
  await screen.findByText('Home');
  await userEvent.type(await field(), 'o');
  expect(found()).toEqual([
    'Outside',
    'Home',
    'Repair ordersRepair',
    'Report a faultRepair',
    'Reports board',
  ]);
  await userEvent.type(await field(), 'rd');
  expect(found()).toEqual(['Repair ordersRepair']);
});

test('in Chinese the Chinese names are searched', async () => {
  await setLanguage('zh-CN');
  show();
  await screen.findByText('首页');
  await userEvent.type(await field(), '维修');
  expect(found()).toEqual(['维修工单维修']);
  await userEvent.clear(await field());
  await userEvent.type(await field(), 'Rep');
  expect(found()).toEqual([]);
  expect(screen.getByText('没有匹配的菜单')).toBeTruthy();
});

test('arrows stay within the list, Enter goes to the chosen page', async () => {
  const { router, onClose } = show();
  await screen.findByText('Home');
  const chosen = () => document.querySelector('[aria-selected="true"]')?.textContent;
  await userEvent.type(await field(), 'rep');
  await userEvent.keyboard('{ArrowUp}');
  expect(chosen()).toBe('Repair ordersRepair');
  await userEvent.keyboard('{ArrowDown}');
  expect(chosen()).toBe('Report a faultRepair');
  expect((await field()).getAttribute('aria-activedescendant')).toBe('x-found-id-report');
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}');
  expect(chosen()).toBe('Reports board');
  await userEvent.keyboard('{ArrowUp}{Enter}');
  await waitFor(() => expect(router.state.location.pathname).toBe('/repair/report'));
  expect(onClose).toHaveBeenCalledOnce();
});

test('typing on begins at the first one again', async () => {
  const { router } = show();
  await screen.findByText('Home');
  await userEvent.type(await field(), 're{ArrowDown}{ArrowDown}p{Enter}');
  await waitFor(() => expect(router.state.location.pathname).toBe('/repair/order'));
});

test('a foreign page opens in a frame, with a click too; one of its own window in a window', async () => {
  const { router } = show();
  const opened = vi.spyOn(window, 'open').mockReturnValue(null);
  await userEvent.click(await screen.findByText('Outside'));
  expect(router.state.location.pathname).toBe('/myiframe/site');
  expect(router.state.location.search).toBe('?id=id-site&name=Outside&code=site&source=tool');
  await userEvent.click(screen.getByText('Reports board'));
  expect(opened.mock.calls).toEqual([['https://tv.test/a', '_blank', 'noopener,noreferrer']]);
  expect(router.state.location.pathname).toBe('/myiframe/site');
});

test('Enter that an input method asked for goes nowhere', async () => {
  const { router, onClose } = show();
  await screen.findByText('Home');
  fireEvent.keyDown(await field(), { key: 'Enter', isComposing: true });
  fireEvent.keyDown(await field(), { key: 'ArrowDown', isComposing: true });
  expect(document.querySelector('[aria-selected="true"]')?.textContent).toBe('Home');
  expect(router.state.location.pathname).toBe('/');
  expect(onClose).not.toHaveBeenCalled();
});

test('Enter on an empty list goes nowhere, Esc closes', async () => {
  const { onClose, router } = show();
  await screen.findByText('Home');
  await userEvent.type(await field(), 'xyz{ArrowDown}{Enter}');
  expect(onClose).not.toHaveBeenCalled();
  expect(router.state.location.pathname).toBe('/');
  await userEvent.keyboard('{Escape}');
  expect(onClose).toHaveBeenCalledOnce();
});
