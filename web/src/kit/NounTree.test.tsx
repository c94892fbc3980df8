import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { setLanguage } from '@/i18n';
import '@/session/sign';
import { place } from '@/testing/nouns';
import { beSignedIn, draw } from '@/testing/render';
import { type Asked, serve } from '@/testing/server';
import { NounTree } from './NounTree';

const CODES = ['place_view', 'place_add', 'place_edit', 'place_delete'];
const at = (id: string, parentId: string, placeName: string, more = {}) => ({
  id,
  parentId,
  placeName,
  sort: 1,
  ...more,
});
const forest = [
  at('1', '0', 'Plant', {
    children: [
      at('2', '1', 'Press shop', { children: [at('3', '2', 'Line A')] }),
      at('4', '1', 'Paint shop'),
    ],
  }),
];

function plant(more: Record<string, (asked: Asked) => unknown> = {}) {
  return serve({
    'GET /blade-system/menu/buttons': () => CODES.map((code) => ({ id: code, code })),
    'GET /blade-system/menu/routes': () => [],
    'GET /blade-system/place/list': () => forest,
    'GET /blade-system/place/tree': () => [
      { id: '1', title: 'Plant', children: [{ id: '2', title: 'Press shop' }] },
    ],
    'GET /blade-system/place/detail': ({ params }) => at(params.id as string, '0', 'Plant'),
    'POST /blade-system/place/submit': () => ({ id: '9' }),
    ...more,
  });
}

const show = (lazy?: 'lazy-list', address = '/', call?: string) =>
  draw(
    <NounTree
      call={call}
      noun={place}
      name="placeName"
      columns={['placeName', 'sort']}
      filters={['placeName']}
      form={['parentId', 'placeName', 'sort']}
      lazy={lazy}
    />,
    address,
  );

const fold = (name: string) =>
  within(screen.getByText(name).closest('tr') as HTMLElement).getByRole('button', { name: /row/ });

beforeEach(async () => {
  sessionStorage.clear();
  await setLanguage('en-US');
  beSignedIn();
});

test('a small forest is seen whole; what was folded stays folded when one comes back', async () => {
  plant();
  const first = show();
  expect(await screen.findByText('Line A')).toBeTruthy();
  await userEvent.click(fold('Press shop'));
  await waitFor(() => expect(screen.queryByText('Line A')).toBeNull());
  first.unmount();
  show();
  expect(await screen.findByText('Paint shop')).toBeTruthy();
  expect(screen.queryByText('Line A')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: /Expand all/ }));
  expect(await screen.findByText('Line A')).toBeTruthy();
});

test('the forest is counted; who may only look is shown no column of actions', async () => {
  plant({ 'GET /blade-system/menu/buttons': () => [{ id: '1', code: 'place_view' }] });
  show();
  await screen.findByText('Line A');
  screen.getByText('4 in total');
  expect(screen.queryByRole('columnheader', { name: 'Actions' })).toBeNull();
});

test('a search keeps the way to what it finds', async () => {
  plant();
  show(undefined, '/?placeName=line');
  expect(await screen.findByText('Line A')).toBeTruthy();
  expect(screen.getByText('Plant')).toBeTruthy();
  expect(screen.getByText('Press shop')).toBeTruthy();
  expect(screen.queryByText('Paint shop')).toBeNull();
});

test('where nothing matches, the filters can be taken off at once', async () => {
  plant();
  show(undefined, '/?placeName=zzz');
  const nothing = (await screen.findByRole('heading', { name: 'Nothing matches' })).parentElement;
  await userEvent.click(within(nothing as HTMLElement).getByRole('button', { name: 'Clear all' }));
  await screen.findByText('Press shop');
});

test('a row below another one begins with its parent', async () => {
  const log = plant();
  show();
  const row = within((await screen.findByText('Press shop')).closest('tr') as HTMLElement);
  await userEvent.click(row.getByRole('button', { name: 'Add child' }));
  const form = within(await screen.findByRole('dialog'));
  await userEvent.type(await form.findByLabelText('Name'), 'Line B');
  await userEvent.click(form.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(log.some((one) => one.method === 'POST')).toBe(true));
  expect(log.find((one) => one.method === 'POST')?.body).toEqual({ parentId: '2', placeName: 'Line B' });
});

test('the root’s parent 0 is nothing chosen', async () => {
  const log = plant();
  show();
  const row = within((await screen.findByText('Plant')).closest('tr') as HTMLElement);
  await userEvent.click(row.getByRole('button', { name: 'Edit' }));
  const form = within(await screen.findByRole('dialog'));
  await userEvent.type(await form.findByLabelText('Name'), ' 2');
  await userEvent.click(form.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(log.find((one) => one.method === 'POST')?.body).toEqual({
      id: '1',
      parentId: null,
      placeName: 'Plant 2',
      sort: 1,
    }),
  );
});

test('rows of all levels that come flat are hung below each other, and narrowed here', async () => {
  const log = plant({
    'GET /blade-system/place/lazy-list': () => [
      at('1', '0', 'Plant', { hasChildren: true }),
      at('2', '1', 'Press shop', { hasChildren: true }),
      at('4', '1', 'Paint shop', { hasChildren: false }),
      at('3', '2', 'Line A', { hasChildren: false }),
    ],
  });
  const first = show(undefined, '/', 'lazy-list');
  expect(await screen.findByText('Line A')).toBeTruthy();
  screen.getByText('4 in total');
  first.unmount();
  show(undefined, '/?placeName=line', 'lazy-list');
  expect(await screen.findByText('Press shop')).toBeTruthy();
  expect(screen.queryByText('Paint shop')).toBeNull();
  const asked = log.filter((one) => one.path === '/blade-system/place/lazy-list');
  expect(asked.map((one) => one.params)).toEqual([{}, {}]);
});

test('levels are asked for as they are unfolded; a search asks for all of them', async () => {
  const levels: Record<string, object[]> = {
    0: [at('1', '0', 'Plant', { hasChildren: true })],
    1: [at('2', '1', 'Press shop', { hasChildren: true }), at('4', '1', 'Paint shop')],
    2: [at('3', '2', 'Line A')],
  };
  const log = plant({
    'GET /blade-system/place/lazy-list': ({ params }) =>
      params.parentId ? levels[params.parentId] : [...(levels[1] as object[]), ...(levels[2] as object[])],
  });
  const calls = () =>
    log.filter((one) => one.path === '/blade-system/place/lazy-list').map((one) => one.params);
  const first = show('lazy-list');
  await screen.findByText('Plant');
  expect(screen.queryByText('Press shop')).toBeNull();
  await userEvent.click(fold('Plant'));
  expect(await screen.findByText('Paint shop')).toBeTruthy();
  await userEvent.click(fold('Press shop'));
  expect(await screen.findByText('Line A')).toBeTruthy();
  expect(calls()).toEqual([{ parentId: '0' }, { parentId: '1' }, { parentId: '2' }]);
  expect(log.some((one) => one.path === '/blade-system/place/list')).toBe(false);
  first.unmount();
  show('lazy-list', '/?placeName=shop');
  expect(await screen.findByText('Line A')).toBeTruthy();
  expect(calls().at(-1)).toEqual({ placeName: 'shop' });
});
