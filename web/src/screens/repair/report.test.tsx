import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { repairorder } from '@/api/cases/repairorder';
import { api } from '@/api/client';
import { setLanguage } from '@/i18n';
import { beSignedIn, draw } from '@/testing/render';
import { type Asked, Refused, serve } from '@/testing/server';
import { CaseForm } from '@/workflow/cases/CaseForm';
import type { CaseScreen } from '@/workflow/cases/screen';
import repair from './repairorder.case';
import { canScan, machineOf } from './scan';

const ReportFault = () => <CaseForm of={repairorder} screen={repair as CaseScreen} />;

beforeEach(() => setLanguage('en-US'));

const machine = {
  id: '5',
  parentId: '0',
  nodeType: 4,
  label: 'Lathe',
  machineCode: 'L-1',
  runState: 1,
  machineCount: 1,
  stopCount: 0,
};
const own = { id: '8', machineName: 'Press', machineCode: 'P-8', path: 'Site/Hall', runState: 1 };
const around = {
  'GET /yuzhu-equip/inspectmachine/getList': ({ params }: Asked) => (params.mine ? [own] : []),
  'GET /yuzhu-equip/repairorder/list': () => ({ records: [], total: 0, size: 20, current: 1, pages: 0 }),
  'GET /yuzhu-equip/inspectmachine/getTreeList': () => [machine],
  'GET /yuzhu-equip/equiptags/select': () => ({ records: [], total: 0, size: 50, current: 1, pages: 0 }),
};
const saved = { id: '77', orderNo: 'WX1', status: 1, statusName: 'To dispatch', lockVersion: 1 };
const alike = {
  id: '66',
  orderNo: 'WX0',
  title: 'Noise',
  statusName: 'Repairing',
  reportTime: '2026-11-21 08:00:00',
};

const sends = (log: Asked[]) => log.filter(({ path }) => path === '/yuzhu-equip/repairorder/save');
const key = (asked: Asked | undefined) => asked?.headers['Idempotency-Key'];
const report = () => userEvent.click(screen.getByRole('button', { name: 'Submit request' }));

async function fill() {
  await userEvent.type(await screen.findByLabelText('Description'), 'strange noise');
}

test('an area leads to its machines and is not taken itself', async () => {
  const area = (nodeType: number, label: string, child: unknown) => ({
    ...machine,
    id: `${nodeType}0`,
    nodeType,
    label,
    children: [child],
  });
  const site = area(1, 'Site', area(2, 'Hall', area(3, 'Line', machine)));
  const log = serve({
    ...around,
    'GET /yuzhu-equip/inspectmachine/getTreeList': () => [site],
    'POST /yuzhu-equip/repairorder/save': () => saved,
  });
  draw(<ReportFault />, '/repair/report');
  const field = () => screen.getByRole('combobox', { name: 'Asset' });
  await waitFor(() => expect(field()).toHaveProperty('disabled', false));
  await userEvent.click(field());
  expect(screen.queryByText('Lathe L-1')).toBeNull();
  await userEvent.click(await screen.findByText('Line'));
  await userEvent.click(await screen.findByText('Lathe L-1'));
  await fill();
  await report();
  await waitFor(() => expect(sends(log)[0]?.body).toMatchObject({ machineId: '5' }));
});

test('a likely duplicate is shown, and reported anyway it is another request with force', async () => {
  const log = serve({
    ...around,
    'POST /yuzhu-equip/repairorder/save': ({ body }) =>
      (body as { force: number }).force ? saved : { needConfirm: true, orders: [alike] },
  });
  const { router } = draw(<ReportFault />, '/repair/report?machineId=5');
  await fill();
  await report();
  expect(await screen.findByText('Noise')).toBeTruthy();
  screen.getByText('This asset already has open work order WX0. Report the fault anyway?');
  await userEvent.click(screen.getByRole('button', { name: 'Different fault, report anyway' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/repair/order/77'));
  // The page of the order says that it arrived, and whom it waits for.
  expect(router.state.location.state).toEqual({ sent: true });
  const [first, second] = sends(log);
  expect(first?.body).toEqual({
    machineId: '5',
    description: 'strange noise',
    urgency: 3,
    isStop: 0,
    images: [],
    files: [],
  });
  expect(second?.body).toMatchObject({ force: 1 });
  expect(key(first)).toMatch(/^[0-9a-f]{32}$/);
  expect(key(second)).not.toBe(key(first));
});

test('what failed on the way is sent again under the same key, so that it is stored once', async () => {
  let tries = 0;
  const log = serve({
    ...around,
    'POST /yuzhu-equip/repairorder/save': () => {
      tries += 1;
      if (tries === 1) throw new Refused(502, {});
      return saved;
    },
  });
  const { router } = draw(<ReportFault />, '/repair/report?machineId=5');
  await fill();
  await report();
  await screen.findByRole('alert');
  await report();
  await waitFor(() => expect(router.state.location.pathname).toBe('/repair/order/77'));
  const [first, second] = sends(log);
  expect(key(second)).toBe(key(first));
});

test('what was written is there again after a reload, for the same machine, until it is sent', async () => {
  beSignedIn();
  serve({ ...around, 'POST /yuzhu-equip/repairorder/save': () => saved });
  const open = (machineId: string) => draw(<ReportFault />, `/repair/report?machineId=${machineId}`);
  const description = () => screen.findByLabelText<HTMLTextAreaElement>('Description');
  const first = open('5');
  await fill();
  await waitFor(() => expect(JSON.stringify({ ...localStorage })).toContain('strange noise'));
  first.unmount();
  const other = open('6');
  expect((await description()).value).toBe('');
  other.unmount();
  const second = open('5');
  expect((await description()).value).toBe('strange noise');
  expect(screen.getByText(/^Restored your unsubmitted entries/)).toBeTruthy();
  await report();
  await waitFor(() => expect(second.router.state.location.pathname).toBe('/repair/order/77'));
  expect(JSON.stringify({ ...localStorage })).not.toContain('strange noise');
});

test('a description that says nothing is not sent', async () => {
  const log = serve(around);
  draw(<ReportFault />, '/repair/report?machineId=5');
  await userEvent.type(await screen.findByLabelText('Description'), 'bad');
  await report();
  expect(await screen.findByText('Please enter a description (at least 4 characters)')).toBeTruthy();
  expect(sends(log)).toEqual([]);
});

test('a recording and files go with the report', async () => {
  const log = serve({ ...around, 'POST /yuzhu-equip/repairorder/save': () => saved });
  const upload = vi
    .spyOn(api, 'upload')
    .mockImplementation(async (_path, file) => ({ link: `/f/${(file as File).name}` }) as never);
  draw(<ReportFault />, '/repair/report?machineId=5');
  await fill();
  const choose = async (label: string, name: string) => {
    await userEvent.upload(screen.getByLabelText(label), new File(['x'], name), { applyAccept: false });
  };
  // Here is no recorder: a file is offered.
  await choose('Choose a recording', 'said.mp3');
  await screen.findByLabelText('Listen to the recording');
  await choose('Attach files', 'plan.pdf');
  await screen.findByRole('link', { name: 'plan.pdf' });
  await userEvent.click(await screen.findByRole('button', { name: 'Submit request' }));
  await waitFor(() =>
    expect(sends(log)[0]?.body).toMatchObject({ voice: '/f/said.mp3', files: ['/f/plan.pdf#plan.pdf'] }),
  );
  const put = '/blade-resource/oss/endpoint/put-file';
  expect(upload.mock.calls.map(([path, , options]) => [path, options?.query])).toEqual([
    [put, { place: 'voice' }],
    [put, { place: 'file' }],
  ]);
});

const page = (records: object[]) => ({ records, total: records.length, size: 50, current: 1, pages: 1 });
const onPhone = () =>
  vi
    .spyOn(window, 'matchMedia')
    .mockImplementation(
      (query) => ({ matches: query.includes('<'), addEventListener() {}, removeEventListener() {} }) as never,
    );

test('one’s own machines and those reported lately are taken at one tap', async () => {
  beSignedIn();
  const order = (machineId: string, machineName: string) => ({
    machineId,
    machineName,
    machineCode: machineName,
  });
  const log = serve({
    ...around,
    'GET /yuzhu-equip/repairorder/list': ({ params }) =>
      page(params.reportUserId === '7' ? [order('8', 'Press'), order('9', 'Saw'), order('9', 'Saw')] : []),
    'POST /yuzhu-equip/repairorder/save': () => saved,
  });
  draw(<ReportFault />, '/repair/report');
  const mine = await screen.findByRole('group', { name: 'My assets' });
  const lately = await screen.findByRole('group', { name: 'Recently reported' });
  const names = (group: HTMLElement) =>
    within(group)
      .getAllByRole('radio')
      .map((each) => each.parentElement?.textContent);
  expect([names(mine), names(lately)]).toEqual([['Press P-8'], ['Saw Saw']]);
  await userEvent.click(within(mine).getByLabelText('Press P-8'));
  await fill();
  await report();
  await waitFor(() => expect(sends(log)[0]?.body).toMatchObject({ machineId: '8' }));
});

test('on a phone machines are a list in a sheet, found by what the server knows of them', async () => {
  onPhone();
  const found = { ...own, id: '5', machineName: 'Lathe', machineCode: 'L-1' };
  const log = serve({
    ...around,
    'GET /yuzhu-equip/inspectmachine/getList': ({ params }) =>
      params.mine ? [own] : params.keyword ? [found, { ...found, id: '6', runState: 7 }] : [own, found],
    'GET /yuzhu-equip/inspectmachine/select': () =>
      page([{ id: '5', code: 'L-1', name: 'Lathe', path: '', enabled: 1 }]),
    'POST /yuzhu-equip/repairorder/save': () => saved,
  });
  draw(<ReportFault />, '/repair/report');
  await userEvent.click(await screen.findByRole('button', { name: 'Asset' }));
  const sheet = await screen.findByRole('dialog', { name: 'Select an asset' });
  expect(await within(sheet).findAllByRole('button', { name: 'Press P-8 · Site/Hall' })).toHaveLength(2);
  await userEvent.type(within(sheet).getByLabelText('Name, code or location'), 'hall');
  await within(sheet).findByText('Search results');
  expect(log.filter(({ params }) => params.keyword).map(({ params }) => params)).toEqual([
    { nodeType: '4,5', keyword: 'hall' },
  ]);
  // A scrapped one cannot be reported.
  await userEvent.click(within(sheet).getByRole('button', { name: 'Lathe L-1 · Site/Hall' }));
  expect(await screen.findByText('Lathe')).toBeTruthy();
  await fill();
  await report();
  await waitFor(() => expect(sends(log)[0]?.body).toMatchObject({ machineId: '5' }));
});

test('a plate is known by its code or its address, and nothing else is', async () => {
  expect(canScan()).toBe(false);
  serve({
    'GET /yuzhu-equip/inspectmachine/getList': () => [own, { ...own, id: '9', machineCode: 'P-80' }],
    'GET /yuzhu-equip/inspectmachine/select': ({ params }) => page(params.ids === '12' ? [{ id: '12' }] : []),
  });
  expect(await machineOf(' p-8 ')).toBe('8');
  expect(await machineOf('P')).toBeUndefined();
  expect(await machineOf('https://plant.test/equip/machine/12')).toBe('12');
  expect(await machineOf('https://plant.test/repair/report?machineId=12')).toBe('12');
  expect(await machineOf('https://plant.test/equip/machine/13')).toBeUndefined();
});
