import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Params } from '@/api/calls';
import { ApiError } from '@/api/client';
import { setLanguage } from '@/i18n';
import { draw } from '@/testing/render';
import { columnWidth, ResourceList } from './ResourceList';

interface Thing {
  id: string;
  code: string;
  name: string;
}

const page = (total: number, records: Thing[]) => ({ records, total, size: 10, current: 1, pages: 1 });
const rows = [{ id: '1', code: 'A-1', name: 'Lathe' }];

beforeEach(() => setLanguage('en-US'));

type Bulk = (rows: readonly Thing[], clear: () => void) => ReactNode;

function list(
  load: (params: Params) => Promise<ReturnType<typeof page>>,
  onOpen?: (row: Thing) => void,
  bulk?: Bulk,
) {
  return (
    <ResourceList<Thing>
      name="things"
      title="Things"
      load={load}
      fixed={{ parentId: '9' }}
      columns={[
        { key: 'code', title: 'Code', width: 100, sortable: true },
        { key: 'name', title: 'Name', width: 100 },
      ]}
      card={(row) => ({ title: row.name, meta: [row.code] })}
      filters={[
        { kind: 'text', name: 'keyword', label: 'Keyword' },
        { kind: 'flag', name: 'mine', label: 'Mine' },
        { kind: 'dates', name: 'createTime', label: 'Created' },
        { kind: 'month', name: 'period', label: 'Reporting month' },
      ]}
      onOpen={onOpen}
      bulk={bulk}
      empty={{ title: 'No things', hint: 'Add one.' }}
    />
  );
}

test('what the address says is what the server is asked', async () => {
  const load = vi.fn(async (_: Params) => page(61, rows));
  draw(list(load), '/?keyword=la&mine=1&createTime_dategt=2026-01-01&current=2&size=30&descs=code&other=x');
  await screen.findByText('Lathe');
  expect(load.mock.calls[0]?.[0]).toEqual({
    parentId: '9',
    keyword: 'la',
    mine: '1',
    createTime_dategt: '2026-01-01',
    current: 2,
    size: 30,
    descs: 'code',
  });
  expect(screen.getByText('61 in total')).toBeTruthy();
});

test('a month is two names, told by one chip that takes both off', async () => {
  const load = vi.fn(async (_: Params) => page(1, rows));
  const { router } = draw(list(load), '/?year=2026&month=3');
  await screen.findByText('Lathe');
  expect(load.mock.calls[0]?.[0]).toMatchObject({ year: '2026', month: '3', current: 1 });
  expect(screen.getByLabelText('Reporting month')).toHaveProperty('value', '2026-03');
  expect(screen.getByText(': 2026-03', { exact: false }).textContent).toBe('Reporting month: 2026-03');
  await userEvent.click(screen.getByRole('button', { name: 'Remove filter Reporting month' }));
  await waitFor(() => expect(router.state.location.search).toBe(''));
});

test('typing filters after a moment, goes to the first page and shows a chip that takes it off', async () => {
  const load = vi.fn(async (_: Params) => page(1, rows));
  const { router } = draw(list(load), '/?current=3');
  await screen.findByText('Lathe');
  await userEvent.type(screen.getByLabelText('Keyword'), 'saw');
  await waitFor(() => expect(router.state.location.search).toBe('?keyword=saw'));
  await userEvent.click(await screen.findByRole('button', { name: 'Remove filter Keyword' }));
  await waitFor(() => expect(router.state.location.search).toBe(''));
  expect((screen.getByLabelText('Keyword') as HTMLInputElement).value).toBe('');
});

test('an unknown page size is not passed on', async () => {
  const load = vi.fn(async (_: Params) => page(1, rows));
  draw(list(load), '/?size=5000');
  await screen.findByText('Lathe');
  expect(load.mock.calls[0]?.[0].size).toBe(10);
});

test('an error is told with its request id and can be tried again', async () => {
  let broken = true;
  const load = vi.fn(async (_: Params) => {
    if (broken) throw new ApiError(500, 'Something broke', '', {}, 'req-42');
    return page(1, rows);
  });
  draw(list(load));
  expect(await screen.findByText('Something broke')).toBeTruthy();
  expect(screen.getByText('Request req-42')).toBeTruthy();
  broken = false;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Lathe')).toBeTruthy();
});

test('an empty list gives its reason, and another one when filters are set', async () => {
  const load = async () => page(0, []);
  const { unmount } = draw(list(load));
  expect(await screen.findByText('No things')).toBeTruthy();
  unmount();
  draw(list(load), '/?mine=1');
  expect(await screen.findByText('Nothing matches')).toBeTruthy();
});

test('a row opens by click and by Enter', async () => {
  const onOpen = vi.fn();
  draw(list(async () => page(1, rows), onOpen));
  const cell = await screen.findByText('Lathe');
  await userEvent.click(cell);
  cell.closest('tr')?.focus();
  await userEvent.keyboard('{Enter}');
  expect(onOpen.mock.calls).toEqual([[rows[0]], [rows[0]]]);
});

test('a row’s first cell is a link: a plain click opens the row, one with Ctrl is left to the browser', async () => {
  const onOpen = vi.fn();
  const { router } = draw(
    <ResourceList<Thing>
      name="things"
      title="Things"
      load={async () => page(1, rows)}
      columns={[
        { key: 'code', title: 'Code', width: 100 },
        { key: 'name', title: 'Name', width: 100 },
      ]}
      card={(row) => ({ title: row.name, meta: [] })}
      onOpen={onOpen}
      addressOf={({ id }) => `/things/${id}`}
    />,
    '/things',
  );
  const link = await screen.findByRole('link', { name: 'A-1' });
  expect(link.getAttribute('href')).toBe('/things/1');
  expect(screen.getAllByRole('link')).toEqual([link]);
  await userEvent.click(link);
  expect([onOpen.mock.calls.length, router.state.location.pathname]).toEqual([1, '/things']);
  link.addEventListener('click', (event) => event.preventDefault()); // the browser of the tests opens no tab
  fireEvent.click(link, { ctrlKey: true });
  expect([onOpen.mock.calls.length, router.state.location.pathname]).toEqual([1, '/things']);
});

test('the / key goes to the search field', async () => {
  draw(list(async () => page(1, rows)));
  await screen.findByText('Lathe');
  await userEvent.keyboard('/');
  expect(document.activeElement).toBe(screen.getByLabelText('Keyword'));
});

test('a page that is no more leads to the last one there is', async () => {
  const load = vi.fn(async (params: Params) => page(11, params.current === 2 ? rows : []));
  draw(list(load), '/?current=9');
  expect(await screen.findByText('Lathe')).toBeTruthy();
  expect(load.mock.calls.map(([params]) => params.current)).toEqual([9, 2]);
});

test('turning the page keeps filters and order, in the address and in what the server is asked', async () => {
  const load = vi.fn(async (_: Params) => page(61, rows));
  const { router } = draw(list(load), '/?keyword=la&mine=1&createTime_dategt=2026-01-01&descs=code');
  await screen.findByText('Lathe');
  await userEvent.click(screen.getByTitle('2'));
  await waitFor(() => expect(load).toHaveBeenCalledTimes(2));
  const asked = { keyword: 'la', mine: '1', createTime_dategt: '2026-01-01', descs: 'code' };
  expect(load.mock.calls[1]?.[0]).toEqual({ parentId: '9', ...asked, current: 2, size: 10 });
  expect(Object.fromEntries(new URLSearchParams(router.state.location.search))).toEqual({
    ...asked,
    current: '2',
    size: '10',
  });
});

test('rows chosen on one page are no longer chosen when another page is in sight', async () => {
  const second = { id: '2', code: 'A-2', name: 'Saw' };
  const load = async (params: Params) => page(11, params.current === 2 ? [second] : rows);
  const bulk: Bulk = (chosen) => <output>{chosen.map((row) => row.code).join(' ')}</output>;
  draw(list(load, undefined, bulk));
  await screen.findByText('Lathe');
  await userEvent.click(screen.getAllByRole('checkbox')[1] as HTMLElement);
  expect(screen.getByText('A-1', { selector: 'output' })).toBeTruthy();
  await userEvent.click(screen.getByTitle('2'));
  await screen.findByText('Saw');
  await waitFor(() => expect(document.querySelector('output')).toBeNull());
  await userEvent.click(screen.getAllByRole('checkbox')[1] as HTMLElement);
  expect(screen.getByText('A-2', { selector: 'output' })).toBeTruthy();
});

test('a column has room for its whole head, and for the arrows beside it', () => {
  expect(columnWidth({ title: 'No.', width: 110 })).toBe(110);
  expect(columnWidth({ title: 'Set pressure (MPa)', width: 110 })).toBe(157);
  expect(columnWidth({ title: '整定压力(MPa)', width: 110, sortable: true })).toBe(134);
});
