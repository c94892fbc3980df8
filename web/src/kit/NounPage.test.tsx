import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { ApiError, api, untyped } from '@/api/client';
import { setLanguage } from '@/i18n';
import '@/session/sign';
import { keepSession } from '@/session/session';
import { gauge } from '@/testing/nouns';
import { beSignedIn, draw, TOKEN } from '@/testing/render';
import { type Asked, Refused, serve } from '@/testing/server';
import { NounPage, type NounPageProps } from './NounPage';

const ALL = ['gauge_view', 'gauge_add', 'gauge_edit', 'gauge_delete', 'gauge_export', 'gauge_import'];
const row = (id: string, gaugeName: string) => ({
  id,
  gaugeCode: `G-${id}`,
  gaugeName,
  kind: 2,
  kindName: 'Pressure',
  deptId: '0',
  deptName: '',
  months: 12,
  isSealed: 0,
  dueTime: '2026-12-01 08:00:00',
  remark: 'On the wall',
  createTime: '2026-11-01 09:30:00',
});
const rows = [row('1', 'Caliper'), row('2', 'Manometer')];

function plant(codes: string[] = ALL, more: Record<string, (asked: Asked) => unknown> = {}) {
  return serve({
    'GET /blade-system/menu/buttons': () => codes.map((code) => ({ id: code, code })),
    'GET /blade-system/menu/routes': () => [{ id: '9', path: '/equip/gauge', name: 'Gauges', code: 'gauge' }],
    'GET /blade-system/dept/tree': () => [{ id: '5', title: 'Assembly' }],
    'GET /yuzhu-equip/gauge/list': () => ({ records: rows, total: 2, size: 10, current: 1, pages: 1 }),
    'GET /yuzhu-equip/gauge/detail': ({ params }) => rows.find((one) => one.id === params.id),
    'POST /yuzhu-equip/gauge/submit': () => ({ id: '3' }),
    'POST /yuzhu-equip/gauge/remove': () => null,
    ...more,
  });
}

function show(props: Partial<NounPageProps<typeof gauge>> = {}, address = '/equip/gauge') {
  return draw(
    <NounPage
      noun={gauge}
      name="gaugeName"
      columns={['gaugeCode', 'gaugeName', 'kindName', 'dueTime']}
      filters={['gaugeName', 'gaugeCode', 'kind', 'createTime']}
      form={['gaugeCode', 'gaugeName', 'kind', 'deptId', 'months', 'remark']}
      {...props}
    />,
    address,
  );
}

const asked = (log: Asked[], path: string) => log.filter((one) => one.path === path);
const drawer = async () => within(await screen.findByRole('dialog'));

beforeEach(async () => {
  vi.restoreAllMocks();
  sessionStorage.clear();
  await setLanguage('en-US');
  beSignedIn();
});

test('the heading is the menu entry’s name, the columns are called as the noun calls them', async () => {
  plant();
  show();
  await screen.findByText('Caliper');
  expect(await screen.findByRole('heading', { name: 'Gauges' })).toBeTruthy();
  const heads = screen.getAllByRole('columnheader').map((head) => head.textContent);
  expect(heads.filter(Boolean)).toEqual(['Code', 'Name', 'Kind', 'Due', 'Actions']);
  expect(screen.getAllByText('2026-12-01 08:00')).toHaveLength(2);
});

test('without a word from the screen all that fits a cell is a column, all that may be sent is in the form', async () => {
  plant();
  show({ columns: undefined, form: undefined });
  await screen.findByText('Caliper');
  expect(screen.getAllByRole('columnheader').map((head) => head.textContent)).toEqual([
    '',
    'Code',
    'Name',
    'Kind',
    'Department',
    'Keeper',
    'Months',
    'Sealed',
    'Due',
    'Actions',
  ]);
  await userEvent.click(screen.getByRole('button', { name: /Add/ }));
  const form = await screen.findByRole('dialog');
  expect([...form.querySelectorAll('.ant-form-item-label label')].map((one) => one.textContent)).toEqual([
    'Code',
    'Name',
    'Kind',
    'Department',
    'Months',
    'Sealed',
    'Due',
    'Pin',
    'Remark',
  ]);
});

test('without a word from the screen a row is called by its name, and all may be filtered by', async () => {
  plant();
  show({ name: undefined, filters: undefined });
  await userEvent.click(await screen.findByRole('button', { name: /More filters/ }));
  // Code, name, kind, department and sealed; for the keeper there is nothing to choose from.
  expect(document.querySelectorAll('.x-filters > div')).toHaveLength(5);
  await userEvent.click(await screen.findByText('Caliper'));
  expect(await (await drawer()).findByText('Caliper')).toBeTruthy();
});

test('filters and sorting go into the address and to the server: a code is looked for by a part of it', async () => {
  const log = plant();
  const { router } = show();
  await screen.findByText('Caliper');
  await userEvent.type(screen.getByRole('textbox', { name: 'Code' }), 'G-');
  await waitFor(() => expect(router.state.location.search).toBe('?gaugeCode_like=G-'));
  await userEvent.click(screen.getByRole('columnheader', { name: 'Kind' }));
  await waitFor(() => expect(router.state.location.search).toBe('?gaugeCode_like=G-&ascs=kind'));
  await waitFor(() =>
    expect(asked(log, '/yuzhu-equip/gauge/list').at(-1)?.params).toEqual({
      gaugeCode_like: 'G-',
      ascs: 'kind',
      current: '1',
      size: '10',
    }),
  );
});

test('who holds no code sees neither add nor row actions nor boxes to choose rows', async () => {
  plant(['gauge_view']);
  show();
  await screen.findByText('Caliper');
  for (const name of ['Add', 'Edit', 'Delete', 'Import', 'Export'])
    expect(screen.queryByRole('button', { name })).toBeNull();
  expect(screen.queryByRole('checkbox')).toBeNull();
});

test('a new row is sent once filled in, with one key for all its tries', async () => {
  await setLanguage('zh-CN');
  let broken = true;
  const log = plant(ALL, {
    'POST /yuzhu-equip/gauge/submit': () => {
      if (broken) throw new Refused(502, {});
      return { id: '3' };
    },
  });
  show();
  await userEvent.click(await screen.findByRole('button', { name: /新增/ }));
  const form = await drawer();
  const save = form.getByRole('button', { name: '保存' });
  await userEvent.click(save);
  expect(await form.findByText('请输入编号')).toBeTruthy();
  expect(form.getByText('请选择类别')).toBeTruthy();
  expect(document.activeElement).toBe(form.getByLabelText('编号'));
  await userEvent.type(form.getByLabelText('编号'), 'G-3');
  await userEvent.type(form.getByLabelText('名称'), '卡尺');
  await userEvent.click(form.getByLabelText('类别'));
  await userEvent.click(await screen.findByTitle('长度'));
  await userEvent.type(form.getByLabelText('周期'), '99');
  expect(await form.findByText('周期应在1到60之间')).toBeTruthy();
  await userEvent.clear(form.getByLabelText('周期'));
  await userEvent.type(form.getByLabelText('周期'), '6');
  await userEvent.click(save);
  await waitFor(() => expect(asked(log, '/yuzhu-equip/gauge/submit')).toHaveLength(1));
  broken = false;
  await waitFor(() => expect(save).toHaveProperty('disabled', false));
  await userEvent.click(save);
  expect(await screen.findByText('新增成功')).toBeTruthy();
  const sent = asked(log, '/yuzhu-equip/gauge/submit');
  expect(sent.map((one) => one.body)).toEqual(
    Array(2).fill({ gaugeCode: 'G-3', gaugeName: '卡尺', kind: 1, months: 6 }),
  );
  const keys = sent.map((one) => one.headers['Idempotency-Key']);
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(keys[1]).toBe(keys[0]);
});

test('an edited row is sent with its id and only the form’s fields; the dialect’s 0 is no department', async () => {
  await setLanguage('zh-CN');
  const log = plant();
  show();
  await userEvent.click((await screen.findAllByRole('button', { name: '编辑' }))[0] as HTMLElement);
  const form = await drawer();
  const name = await form.findByLabelText('名称');
  await userEvent.clear(name);
  await userEvent.type(name, 'Caliper 2');
  await userEvent.click(form.getByRole('button', { name: '保存' }));
  expect(await screen.findByText('更新成功')).toBeTruthy();
  expect(asked(log, '/yuzhu-equip/gauge/submit').map((one) => one.body)).toEqual([
    {
      id: '1',
      gaugeCode: 'G-1',
      gaugeName: 'Caliper 2',
      kind: 2,
      deptId: null,
      months: 12,
      remark: 'On the wall',
    },
  ]);
});

test('the server’s sentence stands under its field and the form stays', async () => {
  plant(ALL, {
    'POST /yuzhu-equip/gauge/submit': () => {
      throw new Refused(400, { code: 400, msg: 'Taken', data: { fields: { gaugeCode: 'Code is taken' } } });
    },
  });
  show();
  await userEvent.click((await screen.findAllByRole('button', { name: 'Edit' }))[0] as HTMLElement);
  const form = await drawer();
  await form.findByLabelText('Name');
  await userEvent.click(form.getByRole('button', { name: 'Save' }));
  expect((await form.findByText('Code is taken')).closest('.ant-form-item-explain')).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(form.getByLabelText('Code')));
});

test('where somebody else was faster one chooses field by field and saves from the row as it is now', async () => {
  const read = { ...row('1', 'Caliper'), lockVersion: 1 };
  const theirs = { ...read, lockVersion: 2, gaugeName: 'Their name', months: 6, remark: 'Theirs' };
  const log = plant(ALL, {
    'GET /yuzhu-equip/gauge/detail': () => read,
    'POST /yuzhu-equip/gauge/submit': ({ body }) => {
      if ((body as { lockVersion: number }).lockVersion === 2) return { id: '1' };
      const data = { userName: 'Qin', time: '2026-11-22 09:00:00', row: theirs };
      throw new Refused(409, { code: 409, error: 'data.changed', msg: 'Changed', data });
    },
  });
  show();
  await userEvent.click((await screen.findAllByRole('button', { name: 'Edit' }))[0] as HTMLElement);
  const form = await drawer();
  await userEvent.type(await form.findByLabelText('Name'), ' 2');
  await userEvent.clear(form.getByLabelText('Remark'));
  await userEvent.type(form.getByLabelText('Remark'), 'Mine');
  await userEvent.click(form.getByRole('button', { name: 'Save' }));
  await screen.findByText('Changed by Qin at 2026-11-22 09:00:00');
  const dialog = within(screen.getAllByRole('dialog').at(-1) as HTMLElement);
  // What was not touched here follows the other person; what both have changed stays, until one chooses otherwise.
  const chosen = (name: RegExp) => dialog.getByRole('radio', { name }) as HTMLInputElement;
  expect(chosen(/Use theirs: 6/).checked).toBe(true);
  expect(chosen(/Keep mine: Caliper 2/).checked).toBe(true);
  await userEvent.click(chosen(/Use theirs: Theirs/));
  await userEvent.click(dialog.getByRole('button', { name: 'Continue with these values' }));
  await userEvent.click(form.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(asked(log, '/yuzhu-equip/gauge/submit')).toHaveLength(2));
  expect(asked(log, '/yuzhu-equip/gauge/submit')[1]?.body).toMatchObject({
    lockVersion: 2,
    gaugeName: 'Caliper 2',
    months: 6,
    remark: 'Theirs',
  });
});

test('fields that are locked, or only of a new row', async () => {
  plant();
  show({ form: [{ key: 'gaugeCode', locked: true }, 'gaugeName', { key: 'pin', on: 'add' }] });
  await userEvent.click((await screen.findAllByRole('button', { name: 'Edit' }))[0] as HTMLElement);
  const form = await drawer();
  expect(await form.findByLabelText('Code')).toHaveProperty('disabled', true);
  expect(form.queryByLabelText('Pin')).toBeNull();
  await userEvent.click(form.getByRole('button', { name: 'Cancel' }));
  await userEvent.click(screen.getByRole('button', { name: /Add/ }));
  expect(await (await drawer()).findByLabelText('Pin')).toBeTruthy();
});

test('a row is deleted after the specification’s question, and not before', async () => {
  await setLanguage('zh-CN');
  const log = plant();
  show();
  await userEvent.click((await screen.findAllByRole('button', { name: '删除' }))[0] as HTMLElement);
  const dialog = await drawer();
  expect(dialog.getByText('确定将选择数据删除?')).toBeTruthy();
  expect(asked(log, '/yuzhu-equip/gauge/remove')).toEqual([]);
  await userEvent.click(dialog.getByRole('button', { name: '删除' }));
  expect(await screen.findByText('删除成功')).toBeTruthy();
  expect(asked(log, '/yuzhu-equip/gauge/remove').map((one) => one.params)).toEqual([{ ids: '1' }]);
});

test('chosen rows are deleted together; a click on the box or beside it opens nothing', async () => {
  const log = plant();
  show();
  await screen.findByText('Caliper');
  expect(screen.queryByText('Clear selection')).toBeNull();
  const boxes = screen.getAllByRole('checkbox');
  await userEvent.click(boxes[1] as HTMLElement);
  await userEvent.click(boxes[1]?.closest('td') as HTMLElement);
  await userEvent.click(boxes[2] as HTMLElement);
  expect(screen.queryByRole('dialog')).toBeNull();
  const bar = within(screen.getByText('2 selected').closest('.x-bulk') as HTMLElement);
  await userEvent.click(bar.getByRole('button', { name: /Delete/ }));
  const dialog = await drawer();
  expect(dialog.getByText('Delete the selected data?')).toBeTruthy();
  await userEvent.click(dialog.getByRole('button', { name: 'Delete' }));
  await waitFor(() =>
    expect(asked(log, '/yuzhu-equip/gauge/remove').map((one) => one.params)).toEqual([{ ids: '1,2' }]),
  );
});

test('a row opens its detail: facts of form and times, never what is only sent', async () => {
  plant();
  show({ form: ['gaugeCode', 'kind', 'remark', 'pin'] });
  await userEvent.click(await screen.findByText('Caliper'));
  const detail = await drawer();
  const terms = (await detail.findAllByRole('term')).map((term) => term.textContent);
  expect(terms).toEqual(['Code', 'Kind', 'Remark', 'Created']);
  const facts = detail.getAllByRole('definition').map((fact) => fact.textContent);
  expect(facts).toEqual(['G-1', 'Pressure', 'On the wall', '2026-11-01 09:30']);
});

test('a row’s link opens its detail in a window of its own, and a closed one leaves the address', async () => {
  plant();
  show({}, '/equip/gauge?current=1');
  const link = await screen.findByRole('link', { name: 'G-1' });
  expect(link.getAttribute('href')).toBe('/equip/gauge?current=1&show=1');
  cleanup();
  const { router } = show({}, '/equip/gauge?current=1&show=1');
  await userEvent.click((await drawer()).getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(router.state.location.search).toBe('?current=1'));
});

test('without a word from the screen a detail tells all that can be read', async () => {
  plant();
  show({ form: undefined });
  await userEvent.click(await screen.findByText('Caliper'));
  const terms = (await (await drawer()).findAllByRole('term')).map((term) => term.textContent);
  expect(terms).toEqual([
    'Code',
    'Kind',
    'Department',
    'Months',
    'Sealed',
    'Due',
    'Remark',
    'Keeper',
    'Created',
  ]);
});

test('a form begins with what a new row has by default', async () => {
  const log = plant();
  const fields = { ...gauge.fields, months: { ...gauge.fields.months, initial: 12 } };
  show({ noun: { ...gauge, fields } as typeof gauge, form: ['gaugeCode', 'gaugeName', 'months'] });
  await userEvent.click(await screen.findByRole('button', { name: /Add/ }));
  const form = await drawer();
  await userEvent.type(form.getByLabelText('Code'), 'G-3');
  await userEvent.type(form.getByLabelText('Name'), 'Gauge');
  await userEvent.click(form.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(asked(log, '/yuzhu-equip/gauge/submit')).toHaveLength(1));
  expect(asked(log, '/yuzhu-equip/gauge/submit')[0]?.body).toEqual({
    gaugeCode: 'G-3',
    gaugeName: 'Gauge',
    months: 12,
  });
});

test('a detail keeps the headings of the form; what nobody types stands last', async () => {
  plant();
  show({
    form: [{ group: 'What it is' }, 'gaugeCode', 'kind', { group: 'Notes' }, 'remark'],
    detail: ['kind'],
  });
  await userEvent.click(await screen.findByText('Caliper'));
  const detail = await drawer();
  await detail.findAllByRole('term');
  const parts = detail.getAllByRole('heading').map((heading) => [
    heading.textContent,
    ...within(heading.parentElement as HTMLElement)
      .getAllByRole('term')
      .map((term) => term.textContent),
  ]);
  expect(parts).toEqual([
    ['What it is', 'Code', 'Kind'],
    ['Notes', 'Remark'],
    ['Other', 'Created'],
  ]);
});

test('what is looked for first leads the detail, and a row that never changes tells no times', async () => {
  plant();
  show({ form: ['gaugeCode', 'remark'], lead: ['kind'], detail: [], untimed: true });
  await userEvent.click(await screen.findByText('Caliper'));
  const terms = await (await drawer()).findAllByRole('term');
  expect(terms.map((term) => term.textContent)).toEqual(['Kind', 'Code', 'Remark']);
});

test('what destroys is the last of a row’s actions, and stands apart at the left of a detail', async () => {
  plant();
  show({ rowActions: () => [{ key: 'check', label: 'Check', onClick: () => undefined }] });
  const [row] = await screen.findAllByRole('row', { name: /Caliper/ });
  const names = (area: HTMLElement) =>
    within(area)
      .getAllByRole('button')
      .map((button) => button.textContent);
  expect(names(row as HTMLElement)).toEqual(['Edit', 'Check', 'Delete']);
  await userEvent.click(within(row as HTMLElement).getByText('Caliper'));
  const bar = (await (await drawer()).findByRole('button', { name: 'Check' })).parentElement as HTMLElement;
  expect(names(bar)).toEqual(['Delete', 'Check', 'Edit']);
});

test('the first field of a form is ready to be typed in', async () => {
  plant();
  show();
  await userEvent.click(await screen.findByRole('button', { name: 'plus Add' }));
  const code = (await drawer()).getByLabelText('Code');
  await waitFor(() => expect(document.activeElement).toBe(code));
});

test('on a phone’s card a number stands with its word', async () => {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) => ({ matches: query.includes('<'), addEventListener() {}, removeEventListener() {} }) as never,
  );
  plant();
  show({ columns: ['gaugeName', 'gaugeCode', 'months', 'dueTime'] });
  const [line] = await screen.findAllByText(/12 · 2026/);
  expect(line?.textContent).toBe('Months 12 · 2026-12-01 08:00');
});

test('an empty list is called by its name; below a node it says where to look', async () => {
  const none = () => ({ records: [], total: 0, size: 10, current: 1, pages: 0 });
  plant(ALL, { 'GET /yuzhu-equip/gauge/list': none });
  const pane = { title: 'Departments', nodes: [{ key: '5', label: 'Assembly' }], param: 'deptId' };
  show({ pane });
  await screen.findByRole('heading', { name: 'No gauges yet' });
  await userEvent.click(screen.getByText('Assembly'));
  await screen.findByRole('heading', { name: 'No data under this node' });
});

test('what a value is shown as counts in the list and in the detail', async () => {
  plant();
  show({ show: { gaugeName: (row) => `* ${row.gaugeName}`, gaugeCode: (row) => `# ${row.gaugeCode}` } });
  await userEvent.click(await screen.findByText('* Caliper'));
  const detail = await drawer();
  await detail.findByText('* Caliper');
  detail.getByText('# G-1');
});

test('where the window is narrow, a row’s actions fold behind one button', async () => {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) => ({ matches: query.includes('992'), addEventListener() {}, removeEventListener() {} }) as never,
  );
  plant();
  show();
  const [row] = await screen.findAllByRole('row', { name: /Caliper/ });
  const buttons = within(row as HTMLElement).getAllByRole('button');
  expect(buttons.map((button) => button.getAttribute('aria-label'))).toEqual(['Actions of this row']);
  await userEvent.click(buttons[0] as HTMLElement);
  await screen.findByRole('menuitem', { name: 'Delete' });
});

test('where the columns do not fit beside them, a row’s actions fold too', async () => {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) => ({ matches: query.includes('>='), addEventListener() {}, removeEventListener() {} }) as never,
  );
  const room = vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(2000);
  plant();
  const view = show();
  const named = async () => {
    const [row] = await screen.findAllByRole('row', { name: /Caliper/ });
    return within(row as HTMLElement)
      .getAllByRole('button')
      .map((button) => button.getAttribute('aria-label') ?? button.textContent);
  };
  expect(await named()).toContain('Edit');
  view.unmount();
  room.mockReturnValue(300);
  show();
  expect(await named()).toEqual(['Actions of this row']);
});

test('J and K go through the rows, Enter opens', async () => {
  plant();
  show();
  await screen.findByText('Caliper');
  await userEvent.keyboard('jjk');
  expect(document.activeElement?.textContent).toContain('Caliper');
  await userEvent.keyboard('j');
  expect(document.activeElement?.textContent).toContain('Manometer');
  await userEvent.keyboard('{Enter}');
  expect(await (await drawer()).findByText('G-2')).toBeTruthy();
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(document.activeElement?.textContent).toContain('Manometer');
});

test('typing a J into a field stays typing', async () => {
  plant();
  show();
  await screen.findByText('Caliper');
  const field = screen.getByRole('textbox', { name: 'Name' });
  await userEvent.type(field, 'jk');
  expect(field).toHaveProperty('value', 'jk');
});

test('columns, their order and density are remembered, for this person alone', async () => {
  plant();
  const heads = () =>
    screen
      .getAllByRole('columnheader')
      .map((head) => head.textContent)
      .filter(Boolean);
  const first = show();
  await screen.findByText('Caliper');
  await userEvent.click(screen.getByRole('button', { name: 'Columns and density' }));
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Kind' }));
  await userEvent.click(screen.getByRole('checkbox', { name: 'Created' }));
  await userEvent.click(screen.getByRole('button', { name: 'Move Name forward' }));
  expect(heads()).toEqual(['Name', 'Code', 'Due', 'Created', 'Actions']);
  first.unmount();
  const second = show();
  await screen.findByText('Caliper');
  expect(heads()).toEqual(['Name', 'Code', 'Due', 'Created', 'Actions']);
  second.unmount();
  keepSession({ ...TOKEN, user_id: '8' });
  show();
  await screen.findByText('Caliper');
  expect(heads()).toEqual(['Code', 'Name', 'Kind', 'Due', 'Actions']);
});

test('choosing rows moves none of them: what can be done with them stands below', async () => {
  plant();
  show();
  await screen.findByText('Caliper');
  await userEvent.click((await screen.findAllByRole('checkbox'))[1] as HTMLElement);
  const bar = (await screen.findByText('1 selected')).parentElement as HTMLElement;
  const table = screen.getAllByRole('table')[0] as HTMLElement;
  expect(table.compareDocumentPosition(bar) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
});

test('a total that was not counted to its end says so', async () => {
  plant(ALL, {
    'GET /yuzhu-equip/gauge/list': () => ({
      records: rows,
      total: 250000,
      size: 10,
      current: 1,
      pages: 25000,
      totalIsEstimate: true,
    }),
  });
  show();
  expect(await screen.findByText('about 250,000')).toBeTruthy();
});

test('an export asks for what the list shows', async () => {
  const log = plant(ALL, { 'GET /yuzhu-equip/gauge/export': () => 'x' });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  show({}, '/equip/gauge?gaugeName=cal');
  await userEvent.click(await screen.findByRole('button', { name: /Export/ }));
  await waitFor(() => expect(asked(log, '/yuzhu-equip/gauge/export')).toHaveLength(1));
  expect(asked(log, '/yuzhu-equip/gauge/export')[0]?.params.gaugeName).toBe('cal');
});

test('a sheet that cannot be taken shows every fault by its row', async () => {
  plant();
  const data = { errors: [{ row: 3, field: 'Code', text: 'Code is taken' }] };
  vi.spyOn(untyped, 'upload').mockRejectedValue(
    new ApiError(400, '1 fault, nothing imported', 'sheet.rows', {}, 'r-1', data),
  );
  show();
  await userEvent.click(await screen.findByRole('button', { name: /Import/ }));
  const dialog = await drawer();
  expect(dialog.getByRole('button', { name: 'Import' })).toHaveProperty('disabled', true);
  const file = new File(['x'], 'gauges.xlsx');
  await userEvent.upload(document.querySelector('input[type=file]') as HTMLInputElement, file);
  await userEvent.click(dialog.getByRole('button', { name: 'Import' }));
  expect(await dialog.findByText('1 fault, nothing imported')).toBeTruthy();
  const cells = dialog.getAllByRole('cell').map((cell) => cell.textContent);
  expect(cells.filter(Boolean)).toEqual(['3', 'Code', 'Code is taken']);
  expect(screen.queryByText(/added/)).toBeNull();
});

test('a sheet of many rows is imported in the background, and the dialog says how far it is', async () => {
  const job = {
    id: '7',
    kind: 2,
    state: 2,
    total: 1500,
    done: 400,
    created: 390,
    updated: 6,
    wrong: 4,
    reason: '',
    fileName: '',
  };
  const answers = [
    job,
    { ...job, state: 3, done: 1500, created: 1490, fileName: 'Gauges-not imported.xlsx' },
  ];
  const log = plant(ALL, {
    'GET /blade-desk/sheetjob/detail': () => (answers.length > 1 ? answers.shift() : answers[0]),
  });
  vi.spyOn(untyped, 'upload').mockRejectedValue(
    new ApiError(400, 'At most 1000 rows can be imported at once', 'sheet.tooMany'),
  );
  const later = vi.spyOn(api, 'upload').mockResolvedValue({ id: '7' } as never);
  const download = vi.spyOn(api, 'download').mockResolvedValue({ blob: new Blob(), name: 'x.xlsx' });
  // The window of the tests would follow the link instead of keeping the file.
  const kept = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
  show();
  await userEvent.click(await screen.findByRole('button', { name: /Import/ }));
  const file = new File(['x'], 'gauges.xlsx');
  await userEvent.upload(document.querySelector('input[type=file]') as HTMLInputElement, file);
  const first = await drawer();
  await userEvent.click(first.getByRole('checkbox', { name: 'Update existing rows' }));
  await userEvent.click(first.getByRole('button', { name: 'Import' }));
  expect(await screen.findByText(/You can close this window/)).toBeTruthy();
  const dialog = await drawer();
  expect(await dialog.findByText('400 / 1,500')).toBeTruthy();
  expect(dialog.getByText('Added: 390 · Updated: 6 · Not imported: 4')).toBeTruthy();
  const [path, body] = later.mock.calls[0] as unknown as [string, FormData];
  expect([path, body.get('call'), body.get('isCovered'), body.get('file')]).toEqual([
    '/blade-desk/sheetjob/import',
    'yuzhu-equip/gauge/import',
    '1',
    file,
  ]);
  const before = asked(log, '/yuzhu-equip/gauge/list').length;
  expect(await dialog.findByText('The import has ended.', {}, { timeout: 4000 })).toBeTruthy();
  await waitFor(() => expect(asked(log, '/yuzhu-equip/gauge/list').length).toBe(before + 1));
  await userEvent.click(dialog.getByRole('button', { name: /Download rows not imported/ }));
  expect(download.mock.calls).toEqual([['/blade-desk/sheetjob/download', { id: '7' }]]);
  await waitFor(() =>
    expect(kept.mock.contexts.map((link) => (link as HTMLAnchorElement).download)).toEqual(['x.xlsx']),
  );
});

test('a known reference needs no source: the department filter offers the tree', async () => {
  const log = plant();
  const { router } = show({ filters: ['deptId'] });
  await screen.findByText('Caliper');
  await userEvent.click(screen.getByLabelText('Department'));
  await userEvent.click(await screen.findByTitle('Assembly'));
  await waitFor(() => expect(router.state.location.search).toBe('?deptId=5'));
  expect(await screen.findByText('Department: Assembly')).toBeTruthy();
  expect(asked(log, '/blade-system/dept/tree').length).toBeGreaterThan(0);
});
