/** The whole console for tests, and what its menu is made of. Reached by nothing but tests. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { App, ConfigProvider } from 'antd';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { type Asked, serve } from '@/testing/server';
import type { MenuNode } from './menu';
import { pages } from './router';

export function entry(part: Partial<MenuNode> & Pick<MenuNode, 'code' | 'path'>): MenuNode {
  return {
    id: `id-${part.code}`,
    parentId: '0',
    name: part.code,
    alias: '',
    source: 'tool',
    sort: 1,
    category: 1,
    action: 0,
    isOpen: 1,
    group: '',
    meta: {},
    query: {},
    ...part,
  };
}

export const MENU: readonly MenuNode[] = [
  entry({ code: 'home', name: 'Home', path: '/wel/index' }),
  entry({
    code: 'equip',
    name: 'Equipment',
    path: '/equip',
    children: [entry({ code: 'board', name: 'Board', path: 'https://board.test/a' })],
  }),
  entry({ code: 'instructions', name: 'Hidden', path: '/info/index', meta: { isTab: false } }),
];

/** All pages, at an address, with what the shell itself asks the server for. */
export function openAt(address: string, more: Record<string, (asked: Asked) => unknown> = {}) {
  const none = { records: [], total: 0, size: 10, current: 1, pages: 0 };
  const log = serve({
    'GET /blade-system/menu/routes': () => MENU,
    'GET /blade-system/menu/buttons': () => [],
    'GET /blade-system/menu/top-menu': () => [],
    'GET /blade-desk/message/list': () => none,
    'GET /blade-desk/notice/list': () => none,
    'GET /blade-flow/work/counts': () => ({ todo: 0, claim: 0 }),
    'GET /blade-auth/oauth/logout': () => null,
    ...more,
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const router = createMemoryRouter(pages, { initialEntries: [address] });
  const view = render(
    <ConfigProvider theme={{ token: { motion: false } }} button={{ autoInsertSpace: false }}>
      <App component={false}>
        <QueryClientProvider client={client}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </App>
    </ConfigProvider>,
  );
  const at = () => router.state.location.pathname + router.state.location.search;
  return { ...view, router, log, at };
}
