import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { setLanguage } from '@/i18n';
import '@/session/sign';
import { beSignedIn, draw } from '@/testing/render';
import { type Asked, Refused, serve } from '@/testing/server';
import Notices from './Notices';
import { entry, openAt } from './testShell';

const message = (id: string, isRead: number, businessType = '', businessId = '0') => ({
  id,
  businessType,
  businessId,
  title: `Message ${id}`,
  content: `Content ${id}`,
  isRead,
  createTime: '2026-11-02 09:05:07',
});
const NOTICE = {
  id: '5',
  title: 'Stock-taking',
  content: 'On Friday',
  categoryName: 'Notice',
  releaseTime: '2026-11-01 08:00:00',
};
const page = (records: object[]) => ({ records, total: records.length, size: 20, current: 1, pages: 1 });

const LISTENS = { addEventListener: () => undefined, removeEventListener: () => undefined };

let messages = [message('1', 0), message('2', 1)];

function plant(more: Record<string, (asked: Asked) => unknown> = {}) {
  messages = [message('1', 0), message('2', 1)];
  return {
    'GET /blade-desk/message/list': ({ params }: Asked) =>
      page(params.unread ? messages.filter((one) => !one.isRead) : messages),
    'POST /blade-desk/message/read': ({ params }: Asked) => {
      messages = messages.map((one) => (!params.ids || params.ids === one.id ? { ...one, isRead: 1 } : one));
      return null;
    },
    'GET /blade-desk/notice/list': () => page([NOTICE]),
    'GET /blade-system/menu/routes': () => [entry({ code: 'notice', name: 'Notices', path: '/desk/notice' })],
    ...more,
  };
}

const read = (log: Asked[]) =>
  log.filter((one) => one.path === '/blade-desk/message/read').map((one) => one.params);
const unread = () => document.querySelectorAll('.x-notices .ant-badge-dot').length;

beforeEach(async () => {
  sessionStorage.clear();
  await setLanguage('en-US');
  beSignedIn();
});

test('three tabs, messages in front', async () => {
  serve(plant());
  draw(<Notices onLeave={vi.fn()} />);
  expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['Mail', 'Messages', 'Notices']);
  expect(screen.getByRole('tab', { name: 'Messages' }).getAttribute('aria-selected')).toBe('true');
  expect(await screen.findByText('Content 1')).toBeTruthy();
  await userEvent.click(screen.getByRole('tab', { name: 'Mail' }));
  expect(await screen.findByText('No mail')).toBeTruthy();
});

test('in Chinese they are called as the specification has them', async () => {
  await setLanguage('zh-CN');
  serve(plant());
  draw(<Notices onLeave={vi.fn()} />);
  expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['邮件', '消息', '通知']);
  await screen.findByText('Content 1');
});

test('an unread message is marked, and read by opening it; one that was read is not read again', async () => {
  const log = serve(plant());
  draw(<Notices onLeave={vi.fn()} />);
  await screen.findByText('Content 1');
  expect(unread()).toBe(1);
  await userEvent.click(screen.getByText('Message 2'));
  expect(read(log)).toEqual([]);
  await userEvent.click(screen.getByText('Message 1'));
  await waitFor(() => expect(unread()).toBe(0));
  expect(read(log)).toEqual([{ ids: '1' }]);
  expect(screen.queryByText('Mark all as read')).toBeNull();
});

test('a message leads to what it is about and is read by that; one about nothing that one may open does not', async () => {
  const log = serve(
    plant({
      'GET /blade-desk/message/list': () =>
        page([message('1', 0, 'leave', '77'), message('2', 0, 'repairorder', '78'), message('3', 0)]),
    }),
  );
  const onLeave = vi.fn();
  draw(<Notices onLeave={onLeave} />);
  await screen.findByText('Content 1');
  // This person's menu has no page of the orders.
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/work/process/leave/detail/-/77',
  ]);
  await userEvent.click(screen.getByText('Message 3'));
  expect(onLeave).not.toHaveBeenCalled();
  await userEvent.click(screen.getByText('Message 1'));
  expect(onLeave).toHaveBeenCalledTimes(1);
  await waitFor(() => expect(read(log)).toEqual([{ ids: '3' }, { ids: '1' }]));
});

test('that a budget is used up leads to the queues', async () => {
  const told = { 'GET /blade-desk/message/list': () => page([message('1', 0, 'queue')]) };
  const menu = [entry({ code: 'queue', path: '/monitor/queue' })];
  serve(plant({ ...told, 'GET /blade-system/menu/routes': () => menu }));
  draw(<Notices onLeave={vi.fn()} />);
  const link = await screen.findByRole('link');
  expect([link.getAttribute('href'), link.textContent?.includes('Message 1')]).toEqual([
    '/monitor/queue',
    true,
  ]);
});

test('all of them are read at once', async () => {
  const log = serve(plant());
  draw(<Notices onLeave={vi.fn()} />);
  await userEvent.click(await screen.findByText('Mark all as read'));
  await waitFor(() => expect(unread()).toBe(0));
  expect(read(log)).toEqual([{}]);
});

test('a notice unfolds, and leads to all of them where the person may see that page', async () => {
  serve(plant());
  draw(<Notices onLeave={vi.fn()} />);
  await userEvent.click(screen.getByRole('tab', { name: 'Notices' }));
  const notice = (await screen.findByText('Stock-taking')).closest('button') as HTMLElement;
  expect(notice.textContent).toContain('Notice · 2026-11-01 08:00');
  expect(screen.queryByText('On Friday')).toBeNull();
  await userEvent.click(notice);
  expect(screen.getByText('On Friday')).toBeTruthy();
  expect((await screen.findByRole('link', { name: 'Show all' })).getAttribute('href')).toBe('/desk/notice');
});

test('without that page in the menu it does not', async () => {
  serve(plant({ 'GET /blade-system/menu/routes': () => [entry({ code: 'x', path: '/repair/order' })] }));
  draw(<Notices onLeave={vi.fn()} />);
  await userEvent.click(screen.getByRole('tab', { name: 'Notices' }));
  await screen.findByText('Stock-taking');
  expect(screen.queryByRole('link')).toBeNull();
});

test('nothing there is said, a refusal too', async () => {
  serve(
    plant({
      'GET /blade-desk/message/list': () => page([]),
      'GET /blade-desk/notice/list': () => {
        throw new Refused(500, { code: 500, msg: 'Busy' });
      },
    }),
  );
  draw(<Notices onLeave={vi.fn()} />);
  expect(await screen.findByText('No messages')).toBeTruthy();
  await userEvent.click(screen.getByRole('tab', { name: 'Notices' }));
  expect(await screen.findByText(/Busy/)).toBeTruthy();
});

test('the bell says how many are unread, and less after reading', async () => {
  openAt('/info/index', plant());
  await userEvent.click(await screen.findByRole('button', { name: 'Notices, 1 unread' }));
  await userEvent.click(await screen.findByText('Message 1'));
  expect(await screen.findByRole('button', { name: 'Notices, 0 unread' })).toBeTruthy();
});

test('on a phone the bell opens a sheet from below, which Back closes', async () => {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) => ({ matches: query === '(width < 768px)', ...LISTENS }) as unknown as MediaQueryList,
  );
  const { router, at } = openAt('/404', plant());
  await act(() => router.navigate('/wel/index'));
  await userEvent.click(await screen.findByRole('button', { name: 'Notices, 1 unread' }));
  const sheet = await screen.findByRole('dialog', { name: 'Messages and notices' });
  await within(sheet).findByText('Message 1');
  expect(sheet.closest('.ant-drawer-bottom')).toBeTruthy();
  await act(() => router.navigate(-1));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Messages and notices' })).toBeNull());
  expect(at()).toBe('/wel/index');
});
