import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { setLanguage } from '@/i18n';
import '@/session/sign';
import { beSignedIn, draw } from '@/testing/render';
import { type Asked, Refused, serve } from '@/testing/server';
import Machines from './machines';

const CALL = '/yuzhu-equip/inspectmachine';
const lathe = {
  id: '31',
  parentId: '20',
  nodeType: 4,
  machineCode: 'JJ-CNC-001',
  machineName: 'Lathe 1',
  typeId: '72',
  typeName: 'Lathes',
  deptId: '1',
  runState: 4,
  importance: 2,
  teamId: '5',
  teamName: 'Mechanics',
  dutyUserId: null,
  location: 'Hall 1',
};
const words = (...texts: string[]) =>
  texts.map((dictValue, index) => ({ dictKey: String(index + 1), dictValue }));

const kind = (id: string, title: string, defaultImportance: number, disabled = false) => ({
  id,
  title,
  defaultImportance,
  disabled,
});

function plant(codes: string[], more: Record<string, (asked: Asked) => unknown> = {}) {
  return serve({
    'GET /blade-system/menu/buttons': () => codes.map((code) => ({ id: code, code })),
    'GET /blade-system/menu/routes': () => [],
    'GET /blade-system/dict-biz/dictionary': ({ params }) =>
      params.code === 'machine_run_state'
        ? words('Running', 'Idle', 'Down', 'Repairing', 'Maintaining', 'Disabled', 'Scrapped')
        : words('One', 'Two', 'Three', 'Machine'),
    [`GET ${CALL}/getTreeList`]: () => [
      {
        id: '20',
        nodeType: 2,
        label: 'Machining shop',
        machineCount: 8,
        stopCount: 1,
        children: [{ id: '31', nodeType: 4, label: 'Lathe 1', runState: 4 }],
      },
    ],
    [`GET ${CALL}/list`]: () => ({ records: [lathe], total: 1, size: 10, current: 1, pages: 1 }),
    [`GET ${CALL}/detail`]: () => lathe,
    'GET /yuzhu-equip/inspecttype/tree': () => [
      {
        ...kind('71', 'Machine tools', 2),
        children: [kind('72', 'Lathes', 1), kind('73', 'Planers', 3, true)],
      },
    ],
    'GET /blade-system/dept/tree': () => [{ id: '1', title: 'Production' }],
    'GET /yuzhu-equip/repairteam/getList': () => [{ id: '5', teamName: 'Mechanics' }],
    'GET /yuzhu-equip/user/machineUsers': () => [],
    ...more,
  });
}

beforeEach(async () => {
  await setLanguage('en-US');
  beSignedIn();
});

test('who may only look sees neither add nor row actions', async () => {
  plant(['inspectmachine_view']);
  draw(<Machines />);
  await screen.findByText('JJ-CNC-001');
  for (const name of ['plus Add', 'upload Import', 'download Export'])
    expect(screen.queryByRole('button', { name })).toBeNull();
  expect(screen.queryByText('Edit')).toBeNull();
  expect(screen.queryByText('Delete')).toBeNull();
});

test('sheets are offered to whoever may use them', async () => {
  plant(['inspectmachine_view', 'inspectmachine_add', 'inspectmachine_import', 'inspectmachine_export']);
  draw(<Machines />);
  for (const name of ['plus Add', 'upload Import', 'download Export'])
    expect(await screen.findByRole('button', { name })).toBeTruthy();
});

test('a machine runs or does not, an area has no state of its own', async () => {
  const shop = {
    ...lathe,
    id: '20',
    nodeType: 2,
    machineName: 'Shop',
    machineCode: 'JJ',
    runStateName: 'Running',
  };
  plant(['inspectmachine_view'], {
    [`GET ${CALL}/list`]: () => ({
      records: [{ ...lathe, runStateName: 'Repairing' }, shop],
      total: 2,
      size: 10,
      current: 1,
      pages: 1,
    }),
    [`GET ${CALL}/detail`]: () => shop,
  });
  draw(<Machines />);
  const [row] = await screen.findAllByRole('row', { name: /JJ-CNC-001/ });
  expect(within(row as HTMLElement).getByText('Repairing').className).toContain('x-tag');
  expect(screen.queryByText('Running')).toBeNull();
  await userEvent.click(screen.getByText('Shop'));
  const detail = within(await screen.findByRole('dialog'));
  await detail.findByText('Operating status');
  expect(detail.queryByText('Running')).toBeNull();
});

test('the list follows the node and goes back to its first page', async () => {
  const log = plant([]);
  const { router } = draw(<Machines />, '/equip/machine?current=2');
  const tree = within(await screen.findByRole('navigation', { name: 'Asset tree' }));
  await userEvent.click(await tree.findByText('Machining shop'));
  await waitFor(() => expect(router.state.location.search).toBe('?node=20'));
  await waitFor(() => {
    const last = log.filter((asked) => asked.path === `${CALL}/list`).at(-1);
    expect(last?.params).toEqual({ parentId: '20', current: '1', size: '10' });
  });
});

test('an edited machine keeps its status, and a team taken back is sent as null', async () => {
  const log = plant(['inspectmachine_edit'], { [`POST ${CALL}/submit`]: () => ({}) });
  draw(<Machines />);
  await userEvent.click(await screen.findByText('Edit'));
  const drawer = within(await screen.findByRole('dialog'));
  const name = await drawer.findByLabelText('Asset name');
  await userEvent.clear(name);
  await userEvent.type(name, 'Lathe A');
  expect(drawer.queryByLabelText('Operating status')).toBeNull();
  const team = drawer.getByLabelText('Repair team').closest('.ant-select') as HTMLElement;
  await userEvent.click(team.querySelector('.ant-select-clear') as HTMLElement);
  await userEvent.click(drawer.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(log.find((asked) => asked.method === 'POST')?.body).toBeTruthy());
  expect(log.find((asked) => asked.method === 'POST')?.body).not.toHaveProperty('runState');
  expect(log.find((asked) => asked.method === 'POST')?.body).toMatchObject({
    id: '31',
    parentId: '20',
    nodeType: 4,
    machineCode: 'JJ-CNC-001',
    machineName: 'Lathe A',
    teamId: null,
    dutyUserId: null,
  });
});

test('a status is changed by hand with a date and a reason, and the answer says what is still open', async () => {
  const rows = [
    { ...lathe, runState: 1 },
    { ...lathe, id: '32', machineCode: 'JJ-CNC-002' },
  ];
  const log = plant(['inspectmachine_edit'], {
    [`GET ${CALL}/list`]: () => ({ records: rows, total: 2, size: 10, current: 1, pages: 1 }),
    [`POST ${CALL}/changeState`]: () => ({ changed: 1, affected: { repairOrders: 2 } }),
  });
  draw(<Machines />);
  const [row, other] = await Promise.all(
    ['JJ-CNC-001', 'JJ-CNC-002'].map((name) => screen.findByRole('row', { name: new RegExp(name) })),
  );
  // The second one is under repair: its process says when that is over.
  expect(within(other as HTMLElement).queryByText('Change status')).toBeNull();
  await userEvent.click(within(row as HTMLElement).getByText('Change status'));
  const drawer = within(await screen.findByRole('dialog'));
  const offered = await drawer.findAllByRole('radio');
  expect(offered.map((one) => one.closest('label')?.textContent)).toEqual(['Idle', 'Disabled', 'Scrapped']);
  await userEvent.click(offered[1] as HTMLElement);
  await userEvent.click(drawer.getByRole('button', { name: 'Change status' }));
  await drawer.findByText('Please enter reason');
  await userEvent.type(drawer.getByLabelText('Reason'), 'No orders');
  await userEvent.click(drawer.getByRole('button', { name: 'Change status' }));
  await screen.findByText('The status of 1 asset was changed. 2 work orders are still open.');
  expect(log.find((asked) => asked.method === 'POST')?.body).toEqual({
    ids: '31',
    runState: 6,
    changeDate: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
    reason: 'No orders',
  });
});

test('a new machine is as important as its class until somebody says otherwise', async () => {
  const log = plant(['inspectmachine_add'], { [`POST ${CALL}/submit`]: () => ({}) });
  draw(<Machines />, '/?node=20');
  await userEvent.click(await screen.findByRole('button', { name: 'plus Add' }));
  const drawer = within(await screen.findByRole('dialog'));
  await userEvent.type(await drawer.findByLabelText('Asset code'), 'N1');
  await userEvent.type(drawer.getByLabelText('Asset name'), 'New');
  const choose = async (field: string, option: string) => {
    await waitFor(() => expect(drawer.getByLabelText(field)).toHaveProperty('disabled', false));
    await userEvent.click(drawer.getByLabelText(field));
    const offered = await screen.findAllByText(option);
    await userEvent.click(offered.at(-1) as HTMLElement);
  };
  const shown = (field: string) => drawer.getByLabelText(field).closest('.ant-select')?.textContent;
  await choose('Department', 'Production');
  await userEvent.click(drawer.getByRole('button', { name: 'Save' }));
  await drawer.findByText('Please select asset type');
  // A sealed class is in sight and cannot be taken.
  await choose('Asset type', 'Planers');
  expect(shown('Asset type')).not.toContain('Planers');
  await userEvent.click(await screen.findByText('Lathes', { selector: '.ant-select-tree-title' }));
  await waitFor(() => expect(shown('Criticality')).toBe('One'));
  await choose('Criticality', 'Three');
  await choose('Asset type', 'Machine tools');
  expect(shown('Criticality')).toBe('Three');
  await userEvent.click(drawer.getByRole('button', { name: 'Save' }));
  const sent = () => log.filter((asked) => asked.method === 'POST').map((asked) => asked.body);
  await waitFor(() => expect(sent()).toHaveLength(1));
  expect(sent()[0]).toMatchObject({
    machineCode: 'N1',
    nodeType: 4,
    typeId: '71',
    importance: 3,
    parentId: '20',
  });
});

test('an area is asked for no class', async () => {
  plant(['inspectmachine_edit'], { [`GET ${CALL}/detail`]: () => ({ ...lathe, nodeType: 3, typeId: null }) });
  draw(<Machines />);
  await userEvent.click(await screen.findByText('Edit'));
  const drawer = within(await screen.findByRole('dialog'));
  await drawer.findByLabelText('Asset name');
  expect(drawer.queryByLabelText('Asset type')).toBeNull();
});

test('a refused delete stays with its reason', async () => {
  plant(['inspectmachine_delete'], {
    [`POST ${CALL}/remove`]: () => {
      throw new Refused(400, { code: 400, msg: 'Two open orders', requestId: 'r-9' });
    },
  });
  draw(<Machines />);
  await userEvent.click(await screen.findByText('Delete'));
  const dialog = within(await screen.findByRole('dialog'));
  // Many machines have a part of the same name: the code says which.
  expect(dialog.getByText(/JJ-CNC-001 Lathe 1/).textContent).toContain('This cannot be undone.');
  await userEvent.click(dialog.getByRole('button', { name: 'Delete' }));
  expect(await dialog.findByText('Two open orders')).toBeTruthy();
  expect(dialog.getByText('Request r-9')).toBeTruthy();
});
