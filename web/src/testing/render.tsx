/** Draws a component among the providers it lives among in the product, at a given address. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { App, ConfigProvider } from 'antd';
import type { ReactNode } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import type { Token } from '@/api/wire';
import { Leaving } from '@/kit/leaving';
import { keepSession } from '@/session/session';

export function draw(element: ReactNode, address = '/') {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const router = createMemoryRouter(
    [
      {
        path: '*',
        element: (
          <>
            {element}
            <Leaving />
          </>
        ),
      },
    ],
    { initialEntries: [address] },
  );
  const view = render(
    <ConfigProvider theme={{ token: { motion: false } }} button={{ autoInsertSpace: false }}>
      <App component={false}>
        <QueryClientProvider client={client}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </App>
    </ConfigProvider>,
  );
  return { ...view, router };
}

export const TOKEN: Token = {
  access_token: 'access-1',
  refresh_token: 'refresh-1',
  tenant_id: '100001',
  tenant_name: 'Plant',
  user_id: '7',
  account: 'qian.w',
  real_name: 'Qian Wei',
  role_name: 'leader',
  dept_id: '1',
  avatar: '',
};

export function beSignedIn(): void {
  keepSession(TOKEN);
}
