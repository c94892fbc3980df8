import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { setLanguage } from '@/i18n';
import { beSignedIn, draw } from '@/testing/render';
import { type Asked, serve } from '@/testing/server';
import Followed from './follow.page';
import FollowedProcess from './followed';

const step = (taskId: string, name: string, assigneeName: string) => ({
  taskId,
  node: name,
  name,
  assigneeName,
  createTime: '2026-11-20 08:00:00',
  isOverdue: false,
  canReassign: true,
});

const row = {
  id: '7',
  processDefinitionName: 'Leave',
  processDefinitionVersion: 2,
  suspensionState: 1,
  parked: null,
  suspended: null,
  startUser: 'Qin Cao',
  startTime: '2026-11-20 08:00:00',
  endTime: '',
  status: 1,
  statusName: 'Running',
  waits: [
    step('71', 'Approve', 'Wei Zhang'),
    step('72', 'Record', 'Jiang Xiu'),
    { ...step('73', 'Repair', 'He Kan'), canReassign: false },
  ],
  title: 'Leave of Qin Cao',
  businessNo: 'LC1',
  followActions: ['reassign', 'end'],
};

function plant(
  codes: readonly string[],
  answer: object = { moved: 1, left: 0, refused: [] },
  followActions: readonly string[] = row.followActions,
  more: object = {},
) {
  return serve({
    'GET /blade-system/menu/buttons': () => codes.map((code) => ({ id: code, code })),
    'GET /blade-flow/follow/list': () => ({
      records: [{ ...row, followActions, ...more }],
      total: 1,
      size: 10,
      current: 1,
      pages: 1,
    }),
    'GET /blade-user/user-list': () => [
      { id: '3', realName: 'Jiang Xiu', account: 'jiang' },
      { id: '4', realName: 'He Kan', account: 'he' },
    ],
    'GET /blade-flow/follow/counts': () => ({ running: 1, parked: 0, overdue: 0, reasons: [] }),
    'POST /blade-flow/follow/suspend-process-instance': () => ({}),
    'POST /blade-flow/follow/resume-process-instance': () => ({}),
    'POST /blade-flow/work/reassign': () => answer,
    'POST /blade-flow/follow/bulk': () => ({
      done: 1,
      refused: 0,
      left: 0,
      records: [{ processInstanceId: '7', businessNo: 'LC1', title: 'Leave of Qin Cao', message: '' }],
    }),
  });
}

const choose = async (field: string, option: RegExp | string) => {
  fireEvent.mouseDown(await screen.findByLabelText(field));
  const found = await screen.findAllByText(option, { selector: '.ant-select-item-option *' });
  await userEvent.click(found[found.length - 1] as HTMLElement);
};
const send = async (reason: string, button: string) => {
  fireEvent.change(screen.getByLabelText('Reason'), { target: { value: reason } });
  const buttons = screen.getAllByRole('button', { name: button });
  await userEvent.click(buttons[buttons.length - 1] as HTMLElement);
};
const sent = (log: readonly Asked[]) => log.find(({ path }) => path === '/blade-flow/work/reassign')?.body;

beforeEach(async () => {
  await setLanguage('en-US');
  beSignedIn();
});

test('one of the open tasks is reassigned to the person who was chosen', async () => {
  const log = plant(['flow_follow_view', 'flow_follow_reassign']);
  draw(<Followed />);
  expect(await screen.findByText(/Wei Zhang/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Reassign' }));
  await choose('Task', 'Record · Jiang Xiu');
  // What a record's own rules would refuse is not offered.
  expect(screen.queryByText('Repair · He Kan', { selector: '.ant-select-item-option *' })).toBeNull();
  await choose('Recipient', /He Kan/);
  await send('on leave', 'Reassign');
  await waitFor(() => expect(sent(log)).toEqual({ taskId: '72', userId: '4', reason: 'on leave' }));
});

test('all tasks of a person are handed over, and what was refused is told', async () => {
  const refused = [{ taskId: '9', title: 'WX1', message: 'You may not transfer it' }];
  const log = plant(['flow_follow_view', 'flow_follow_reassign'], { moved: 4, left: 0, refused });
  draw(<Followed />);
  await userEvent.click(await screen.findByRole('button', { name: 'Hand over tasks' }));
  await choose('Present assignee', /Jiang Xiu/);
  await choose('Recipient', /He Kan/);
  await send('left', 'Hand over tasks');
  await waitFor(() => expect(sent(log)).toEqual({ fromUserId: '3', userId: '4', reason: 'left' }));
  expect(await screen.findByText(/handed over: 4.*WX1: You may not transfer it/)).toBeTruthy();
});

test('a number that the title has already is not said twice', async () => {
  plant(['flow_follow_view'], undefined, [], { title: 'Leave LC1' });
  draw(<Followed />);
  expect(await screen.findByText('Leave LC1')).toBeTruthy();
  expect(screen.queryByText('LC1')).toBeNull();
  cleanup();
  plant(['flow_follow_view'], undefined, []);
  draw(<Followed />);
  expect(await screen.findByText('LC1')).toBeTruthy();
});

test('who may only look is offered neither', async () => {
  plant(['flow_follow_view'], undefined, []);
  draw(<Followed />);
  expect(await screen.findByText(/Wei Zhang/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Reassign' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Hand over tasks' })).toBeNull();
});

test('one is suspended with a reason, says so, and is resumed', async () => {
  const log = plant(['flow_follow_view', 'flow_follow_suspend'], undefined, ['suspend']);
  draw(<Followed />);
  await userEvent.click((await screen.findAllByRole('button', { name: 'Suspend' })).at(-1) as HTMLElement);
  await send('audit', 'Suspend');
  const suspended = { userName: 'Gao Lan', time: '2026-11-20 09:00:00', reason: 'audit' };
  const asked = (path: string) => log.find((one) => one.path === `/blade-flow/follow/${path}`)?.params;
  await waitFor(() =>
    expect(asked('suspend-process-instance')).toMatchObject({ processInstanceId: '7', reason: 'audit' }),
  );
  cleanup();
  const later = plant(['flow_follow_view', 'flow_follow_suspend'], undefined, ['resume'], {
    suspended,
    suspensionState: 2,
  });
  draw(<Followed />);
  expect(await screen.findByText('Suspended by Gao Lan at 2026-11-20 09:00: audit')).toBeTruthy();
  expect(screen.getByText('Suspended')).toBeTruthy();
  await userEvent.click((await screen.findAllByRole('button', { name: 'Resume' })).at(-1) as HTMLElement);
  const buttons = await screen.findAllByRole('button', { name: 'Resume' });
  await userEvent.click(buttons.at(-1) as HTMLElement);
  await waitFor(() =>
    expect(later.find(({ path }) => path.endsWith('resume-process-instance'))?.params).toMatchObject({
      processInstanceId: '7',
    }),
  );
});

test('what is done with several is previewed, and then done with exactly those', async () => {
  const log = plant(['flow_follow_view', 'flow_follow_retry']);
  draw(<Followed />);
  expect(await screen.findByText(/Wei Zhang/)).toBeTruthy();
  const boxes = screen.getAllByRole('checkbox');
  await userEvent.click(boxes[boxes.length - 1] as HTMLElement);
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Preview' }));
  expect(await screen.findByText(/Will be done: 1. Cannot be done: 0./)).toBeTruthy();
  const bulk = () => log.filter(({ path }) => path === '/blade-flow/follow/bulk').map(({ body }) => body);
  expect(bulk()).toEqual([{ act: 'retry', ids: '7', isPreview: true }]);
  await userEvent.click(screen.getByRole('button', { name: 'Carry out (1)' }));
  expect(await screen.findByText(/Done: 1. Not done: 0./)).toBeTruthy();
  expect(bulk()[1]).toEqual({ act: 'retry', ids: '7', isPreview: false });
});

const detail = {
  ...row,
  processInstanceId: '7',
  businessTable: 'process',
  isConfidential: false,
  incidents: [
    {
      time: '2026-11-20 09:00:00',
      endTime: '',
      resolvedBy: '',
      node: 'wait',
      nodeName: 'Wait a day',
      text: 'A timer failed',
      error: 'ValueError',
    },
  ],
  tokens: [],
  values: [
    {
      key: 'days',
      label: 'Days',
      value: 2,
      text: '',
      field: { type: 'number', key: 'days', label: 'Days' },
      canCorrect: true,
    },
  ],
};

const moved = {
  cancelled: [{ node: 'approve', name: 'Approve', assigneeName: 'Wei Zhang' }],
  opened: [{ node: 'record', name: 'Record', assigneeName: 'Jiang Xiu' }],
  stays: [],
  timersEnded: [],
  timersStarted: [],
  operations: [],
  isFinished: false,
};

function opened(more: object = {}, told: object = {}) {
  return serve({
    'GET /blade-system/menu/buttons': () => [],
    'GET /blade-system/dict-biz/dictionary': () => [],
    'GET /blade-flow/follow/detail': () => ({ ...detail, ...more }),
    'GET /blade-flow/process/detail': () => ({
      ...row,
      processInstanceId: '7',
      starterName: 'Qin Cao',
      parkedText: '',
      haltedText: '',
      sections: [],
      ...told,
    }),
    'GET /blade-flow/process/history-flow-list': () => [],
    'GET /blade-flow/process/model-view': () => new Promise(() => undefined),
    'POST /blade-flow/follow/move-token': () => moved,
    'POST /blade-flow/follow/skip-element': () => moved,
    'POST /blade-flow/follow/correct-value': () => ({ key: 'days', label: 'Days', before: 2, after: 3 }),
  });
}

test('a process is opened with its incidents, and a value is corrected after a look at the change', async () => {
  const log = opened();
  draw(<FollowedProcess />);
  await userEvent.click(await screen.findByRole('tab', { name: 'Incidents (1)' }));
  expect(await screen.findByText('A timer failed')).toBeTruthy();
  await userEvent.click(screen.getByRole('tab', { name: 'Data' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Correct' }));
  fireEvent.change(await screen.findByLabelText('Days'), { target: { value: '3' } });
  await send('miscounted', 'Preview');
  expect(await screen.findByText(/From “2” to “3”/)).toBeTruthy();
  const asked = () => log.filter(({ path }) => path === '/blade-flow/follow/correct-value');
  expect(asked()[0]?.body).toMatchObject({ key: 'days', value: 3, reason: 'miscounted', isPreview: true });
  const buttons = screen.getAllByRole('button', { name: 'Correct' });
  await userEvent.click(buttons[buttons.length - 1] as HTMLElement);
  await waitFor(() => expect(asked()[1]?.body).toMatchObject({ value: 3, isPreview: false }));
});

test('a token is moved after a look at what would wait', async () => {
  const tokens = [
    {
      node: 'approve',
      name: 'Approve',
      kind: 'userTask',
      skips: true,
      outcomes: [{ value: 'agree', label: 'Agree' }],
      targets: [{ node: 'record', name: 'Record', kind: 'userTask' }],
    },
  ];
  const log = opened({ tokens, followActions: ['skip', 'move'] });
  draw(<FollowedProcess />);
  await userEvent.click(await screen.findByRole('button', { name: 'Move' }));
  await send('left behind', 'Preview');
  expect(await screen.findByText('Record · Jiang Xiu')).toBeTruthy();
  expect(screen.getByText('Approve · Wei Zhang')).toBeTruthy();
  const asked = () =>
    log.filter(({ path }) => path === '/blade-flow/follow/move-token').map(({ body }) => body);
  const body = { processInstanceId: expect.anything(), node: 'approve', to: 'record', reason: 'left behind' };
  expect(asked()).toEqual([{ ...body, isPreview: true }]);
  const buttons = screen.getAllByRole('button', { name: 'Move' });
  await userEvent.click(buttons.at(-1) as HTMLElement);
  await waitFor(() => expect(asked()[1]).toEqual({ ...body, isPreview: false }));
  await userEvent.click(await screen.findByRole('button', { name: 'Skip' }));
  await send('nobody there', 'Preview');
  await waitFor(() =>
    expect(log.find(({ path }) => path === '/blade-flow/follow/skip-element')?.body).toMatchObject({
      node: 'approve',
      outcome: 'agree',
      isPreview: true,
    }),
  );
});

test('a suspended process says so in its head, and resuming it is the first thing to do', async () => {
  opened(
    { followActions: ['reassign', 'resume'], suspensionState: 2 },
    { haltedText: 'Gao Lan suspended it' },
  );
  draw(<FollowedProcess />);
  expect(await screen.findByText('Gao Lan suspended it')).toBeTruthy();
  expect(screen.getByText('Suspended')).toBeTruthy();
  expect(screen.queryByText('Running')).toBeNull();
  expect((await screen.findByRole('button', { name: 'Resume' })).className).toContain('ant-btn-primary');
});

test('who may not read the record is told so in place of its data', async () => {
  opened({ isConfidential: true, values: [], businessTable: 'leave' });
  draw(<FollowedProcess />);
  await userEvent.click(await screen.findByRole('tab', { name: 'Data' }));
  expect(
    await screen.findByText('You may not read this record, so its content is not shown here'),
  ).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Open the record' })).toBeNull();
});
