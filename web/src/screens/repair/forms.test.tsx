/** The forms of a repair order, as its declaration and its screen file make them. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { repairorder } from '@/api/cases/repairorder';
import { setLanguage } from '@/i18n';
import '@/session/sign';
import { beSignedIn, draw } from '@/testing/render';
import { serve } from '@/testing/server';
import { CaseDocument } from '@/workflow/cases/CaseDocument';
import type { CaseScreen } from '@/workflow/cases/screen';
import repair from './repairorder.case';

beforeEach(async () => {
  await setLanguage('en-US');
  beSignedIn();
});

const pageOf = (records: object[]) => ({ records, total: records.length, size: 50, current: 1, pages: 1 });
const option = (id: string, name: string) => ({ id, code: '', name, path: '', enabled: 1 });
const person = (userId: string, userName: string, isOfTeam: number) => ({
  userId,
  userName,
  teamName: 'Team 1',
  openOrders: 2,
  isDuty: 0,
  isOfTeam,
});
const order = {
  id: '7',
  lockVersion: 3,
  orderNo: 'WX7',
  title: 'Press leaks',
  status: 3,
  statusName: 'In repair',
  urgency: 3,
  machineId: '5',
  lines: [],
  spares: [],
  images: [],
  afterImages: [],
  helperNames: [],
  stops: [],
  logs: [],
  comments: [],
  openTask: null,
  processInstanceId: '',
  acceptTime: null,
  checkResult: null,
  isStop: 0,
  stopEnd: null,
  repairUserId: '1',
  repairUserName: 'Jiang Ping',
  helperIds: '3',
  solution: 'Sealed',
  causeTagId: '21',
  actionTagIds: '31',
  isOutsource: 0,
};
const around = {
  'GET /blade-system/menu/buttons': () => [],
  'GET /blade-system/menu/routes': () => [],
  'GET /yuzhu-equip/user/machineUsers': () => [
    person('1', 'Jiang Ping', 1),
    person('2', 'Shen Kai', 0),
    person('3', 'Han Dong', 1),
  ],
  'GET /yuzhu-equip/repairteam/select': () => pageOf([option('51', 'Team 1')]),
  'GET /yuzhu-equip/inspectmachine/select': () => pageOf([]),
  'GET /yuzhu-equip/equiptags/select': ({ params }: { params: Record<string, string> }) =>
    pageOf(
      params.type === '5'
        ? [option('21', 'Worn seal')]
        : [option('31', 'Replaced'), option('32', 'Adjusted')],
    ),
  'POST /yuzhu-equip/repairorder/update': () => null,
};

async function openForm(action: string, name: string, more: object = {}) {
  const shown = { ...order, ...more, allowedActions: [action] };
  const log = serve({ ...around, 'GET /yuzhu-equip/repairorder/detail': () => shown });
  draw(<CaseDocument of={repairorder} screen={repair as CaseScreen} id="7" parent="/" />);
  await userEvent.click(await screen.findByRole('button', { name }));
  const form = within(await screen.findByRole('dialog'));
  const send = async () => {
    await userEvent.click(form.getByRole('button', { name }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    return log.find(({ path }) => path.endsWith('/update'))?.body;
  };
  return { form, send };
}

const sent = (action: string, more: object) => ({ id: '7', lockVersion: 3, action, ...more });

test('a dispatch begins with who was asked, and helpers are of the team', async () => {
  const { form, send } = await openForm('dispatch', 'Dispatch');
  await userEvent.click(await form.findByRole('combobox', { name: 'Helpers' }));
  const offered = [...document.querySelectorAll('.ant-select-item-option')].map(
    ({ textContent }) => textContent,
  );
  expect(offered).toEqual(['Han Dong']);
  expect(await send()).toEqual(sent('dispatch', { repairUserId: '1', helperIds: '3' }));
});

test('a dispatch to a team names no person and no helpers', async () => {
  const { form, send } = await openForm('dispatch', 'Dispatch', {
    repairUserId: null,
    teamId: '51',
    helperIds: '',
  });
  await form.findByText('Team 1');
  expect(form.queryByRole('combobox', { name: 'Helpers' })).toBeNull();
  expect(await send()).toEqual(sent('dispatch', { teamId: '51' }));
});

test('a finish goes on from the last round, and asks for the contractor where there is one', async () => {
  const { form, send } = await openForm('finish', 'Complete');
  expect((await form.findByRole('checkbox', { name: 'Replaced' })).getAttribute('checked')).not.toBeNull();
  await userEvent.click(form.getByRole('checkbox', { name: 'Adjusted' }));
  expect(form.queryByLabelText('Contractor')).toBeNull();
  expect(form.queryByLabelText('Component')).toBeNull();
  await userEvent.click(form.getByRole('switch', { name: 'Contractor involved' }));
  await userEvent.type(form.getByLabelText('Contractor'), 'ACME');
  await userEvent.type(form.getByLabelText('Contractor cost'), '80.5');
  expect(await send()).toEqual(
    sent('finish', {
      causeTagId: '21',
      actionTagIds: '31,32',
      solution: 'Sealed',
      afterImages: [],
      isOutsource: 1,
      vendorName: 'ACME',
      outsourceCost: 80.5,
    }),
  );
});

test('a failing check asks why, and may name a new stop', async () => {
  const { form, send } = await openForm('check', 'Verify');
  expect(form.queryByRole('switch')).toBeNull();
  await userEvent.click(form.getByRole('radio', { name: /Fail/ }));
  await userEvent.click(form.getByRole('button', { name: 'Verify' }));
  expect(await form.findByText('Please enter the reason for failing')).toBeTruthy();
  await userEvent.type(form.getByLabelText('Reason for failing'), 'leaks');
  await userEvent.click(form.getByRole('switch', { name: 'The asset is down again' }));
  const body = await send();
  expect(body).toEqual(
    sent('check', {
      checkResult: 2,
      checkRemark: 'leaks',
      stopStart: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:00$/),
    }),
  );
});

test('work lines stand by themselves, and their form is called as the document calls it', async () => {
  const line = {
    id: '9',
    userId: '1',
    userName: 'Jiang Ping',
    workType: 2,
    workTypeName: 'Repair',
    startTime: '2026-03-02 08:00:00',
    endTime: '2026-03-02 08:40:00',
    minutes: 40,
    content: 'New seal',
    images: [],
  };
  const dictionary = { 'GET /blade-system/dict-biz/dictionary': () => [] };
  const shown = { ...order, lines: [line], allowedActions: ['line'] };
  serve({ ...around, ...dictionary, 'GET /yuzhu-equip/repairorder/detail': () => shown });
  draw(<CaseDocument of={repairorder} screen={repair as CaseScreen} id="7" parent="/" />);
  expect(await screen.findByText('New seal')).toBeTruthy();
  // As a fact it would have the word a second time.
  expect(screen.getAllByText('Labor')).toEqual([screen.getByRole('heading', { name: 'Labor' })]);
  await userEvent.click(screen.getByRole('button', { name: 'Log labor' }));
  const form = within(await screen.findByRole('dialog'));
  for (const label of ['Activity', 'Technician', 'Start', 'End', 'Remark'])
    expect(form.getByLabelText(label)).toBeTruthy();
});
