import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { setLanguage } from '@/i18n';
import { beSignedIn, draw } from '@/testing/render';
import { type Asked, Refused, serve } from '@/testing/server';
import { SavedViews } from './SavedViews';

let views: object[];
let log: Asked[];

beforeEach(async () => {
  await setLanguage('en-US');
  beSignedIn();
  views = [
    { id: '1', name: 'Late', query: 'overdue=1', isDefault: 0 },
    { id: '2', name: 'Mine', query: 'isHeld=1&descs=createTime', isDefault: 1 },
  ];
  log = serve({
    'GET /blade-desk/view/mine': () => views,
    'POST /blade-desk/view/submit': ({ body }) => {
      if ((body as { name: string }).name === 'Late' && !(body as { id?: string }).id)
        throw new Refused(400, { code: 400, msg: '"Late" already exists' });
      return { id: '3' };
    },
    'POST /blade-desk/view/remove': () => null,
  });
});

const sent = (path: string) => log.filter((one) => one.path === `/blade-desk/view/${path}`);

test('a list opens with the default view, unless its address asks for something', async () => {
  const { router, unmount } = draw(<SavedViews list="things" />, '/');
  await waitFor(() => expect(router.state.location.search).toBe('?isHeld=1&descs=createTime'));
  await waitFor(() => expect(screen.getByRole('button', { name: 'My views' }).textContent).toBe('Mine'));
  unmount();
  const second = draw(<SavedViews list="things" />, '/?keyword=x');
  await waitFor(() => expect(sent('mine')).toHaveLength(2));
  expect(second.router.state.location.search).toBe('?keyword=x');
  expect(sent('mine')[0]?.params).toEqual({ listName: 'things' });
});

test('what is asked for now is saved under a name, without the page; a refusal stays in sight', async () => {
  const { router } = draw(<SavedViews list="things" />, '/?overdue=1&keyword=a&current=3&size=30');
  await userEvent.click(await screen.findByRole('button', { name: 'My views' }));
  await userEvent.type(await screen.findByLabelText('View name'), 'Late');
  await userEvent.click(screen.getByRole('button', { name: 'Save filters' }));
  expect(await screen.findByText('"Late" already exists')).toBeTruthy();
  await userEvent.clear(screen.getByLabelText('View name'));
  await userEvent.type(screen.getByLabelText('View name'), ' Late and a ');
  await userEvent.click(screen.getByRole('button', { name: 'Save filters' }));
  await waitFor(() => expect(sent('submit')).toHaveLength(2));
  expect(sent('submit')[1]?.body).toEqual({
    listName: 'things',
    name: 'Late and a',
    query: 'keyword=a&overdue=1',
  });
  await userEvent.click(screen.getByRole('button', { name: 'Late' }));
  expect(router.state.location.search).toBe('?overdue=1');
});

test('a view is renamed, made the default and deleted', async () => {
  draw(<SavedViews list="things" />, '/?keyword=x');
  await userEvent.click(await screen.findByRole('button', { name: 'My views' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Open "Late" by default' }));
  await waitFor(() =>
    expect(sent('submit').map(({ body }) => body)).toEqual([
      { listName: 'things', id: '1', name: 'Late', query: 'overdue=1', isDefault: 1 },
    ]),
  );
  await userEvent.click(screen.getByRole('button', { name: 'Delete "Mine"' }));
  await waitFor(() => expect(sent('remove').map(({ params }) => params)).toEqual([{ id: '2' }]));
  await userEvent.click(screen.getByRole('button', { name: 'Rename "Mine"' }));
  await userEvent.type(screen.getByLabelText('View name'), ' now');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(sent('submit').at(-1)?.body).toEqual({
      listName: 'things',
      id: '2',
      name: 'Mine now',
      query: 'isHeld=1&descs=createTime',
      isDefault: 1,
    }),
  );
});
