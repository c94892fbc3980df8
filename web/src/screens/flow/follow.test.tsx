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
  answer: object = { taskId: '71', assignee: '4' },
  followActions: readonly string[] = row.followActions,
  more: object = {},
  calls: Parameters<typeof serve>[0] = {},
) {
  return serve({
    ...calls,
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
    'GET /blade-flow/follow/counts': () => ({ running: 1, parked: 0, overdue: 0, reasons: [], steps: [] }),
    'POST /blade-flow/follow/suspend-process-instance': () => ({}),
    'POST /blade-flow/follow/resume-process-instance': () => ({}),
    'POST /blade-flow/work/reassign': () => answer,
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
const sent = (log: readonly Asked[], call = 'reassign') =>
  log.find(({ path }) => path === `/blade-flow/work/${call}`)?.body;

beforeEach(async () => {
  await setLanguage('en-US');
  beSignedIn();
});

test('one of the open tasks is reassigned to the person who was chosen', async () => {
  const log = plant(['flow_follow_view', 'flow_follow_reassign']);
  draw(<Followed />);
  expect(await screen.findByText(/Wei Zhang/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Reassign' }));
  expect(await screen.findByText('Reassign “LC1 Leave of Qin Cao”')).toBeTruthy();
  await choose('Task', 'Record · Jiang Xiu');
  // What a record's own rules would refuse is not offered.
  expect(screen.queryByText('Repair · He Kan', { selector: '.ant-select-item-option *' })).toBeNull();
  await choose('Recipient', /He Kan/);
  await send('on leave', 'Reassign');
  await waitFor(() => expect(sent(log)).toEqual({ taskId: '72', userId: '4', reason: 'on leave' }));
});

test('all tasks of a person are handed over, with its progress, and what was refused is told', async () => {
  let asked = 0;
  const log = plant(
    ['flow_follow_view', 'flow_follow_reassign'],
    {},
    row.followActions,
    {},
    {
      'GET /blade-flow/work/colleagues': () => [
        { id: '3', realName: 'Jiang Xiu', account: 'jiang', hasLeft: true },
      ],
      'POST /blade-flow/work/hand-over': () => ({ id: '9' }),
      'GET /blade-flow/work/handed-over': () => {
        asked += 1;
        return {
          id: '9',
          total: 5,
          moved: asked > 1 ? 4 : 2,
          endTime: asked > 1 ? '2026-11-24 08:00:00' : '',
          refused: asked > 1 ? [{ taskId: '9', title: 'WX1', message: 'You may not transfer it' }] : [],
          named: asked > 1 ? [{ process: 'Seal', step: 'Review' }] : [],
        };
      },
    },
  );
  draw(<Followed />);
  await userEvent.click(await screen.findByRole('button', { name: 'Hand over tasks' }));
  await choose('Present assignee', /Jiang Xiu/);
  await choose('Recipient', /He Kan/);
  await send('left', 'Hand over tasks');
  await waitFor(() =>
    expect(sent(log, 'hand-over')).toEqual({ fromUserId: '3', userId: '4', reason: 'left' }),
  );
  expect(await screen.findByText('Handing over: 2 / 5')).toBeTruthy();
  expect(await screen.findByText('Tasks handed over: 4', {}, { timeout: 4000 })).toBeTruthy();
  expect(screen.getByText('You may not transfer it')).toBeTruthy();
  expect(screen.getByText('Seal · Review')).toBeTruthy();
});

test('a number that the title has already is not said twice', async () => {
  plant(['flow_follow_view'], undefined, [], { title: 'Leave LC1' });
  draw(<Followed />);
  expect((await screen.findByText('Leave')).nextSibling?.textContent).toBe('LC1');
  expect(screen.queryByText('Leave LC1')).toBeNull();
  cleanup();
  plant(['flow_follow_view'], undefined, []);
  draw(<Followed />);
  expect(await screen.findByText('LC1')).toBeTruthy();
});

test('a step stands apart from its people, and since when below', async () => {
  plant(['flow_follow_view'], undefined, []);
  draw(<Followed />);
  const said = (await screen.findAllByText(/^since/)).map((since) => since.closest('div')?.parentElement);
  expect(said[0]?.firstChild?.textContent).toBe('Approve · Wei Zhang');
  expect(said[0]?.lastChild?.textContent?.trim()).toBe('since 2026-11-20 08:00');
});

test('rows with two acts show as many as those with more', async () => {
  several([{ followActions: ['suspend', 'end'] }, { followActions: ['reassign', 'suspend', 'end'] }], []);
  draw(<Followed />);
  const bars = await waitFor(() => {
    const found = [...document.querySelectorAll('td .x-row-actions')];
    expect(found).toHaveLength(2);
    return found;
  });
  expect(bars.map((bar) => [...bar.querySelectorAll('button')].map((one) => one.textContent))).toEqual([
    ['View', 'Suspend', 'More'],
    ['View', 'Reassign', 'More'],
  ]);
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

/** Chooses the last so many rows. */
const tick = async (number: number) => {
  expect((await screen.findAllByText(/Wei Zhang/)).length).toBeGreaterThan(0);
  for (const box of screen.getAllByRole('checkbox').slice(-number)) await userEvent.click(box);
};
const press = async (name: string) => {
  const buttons = await screen.findAllByRole('button', { name });
  await userEvent.click(buttons.at(-1) as HTMLElement);
};
const told = (id: string, message = '', detail = '') => ({
  processInstanceId: id,
  businessNo: `LC${id}`,
  title: `Leave ${id}`,
  message,
  detail,
});

/** Two rows; `answers` are of the bulk calls, in their order. */
function several(rows: readonly object[], answers: readonly object[], ways: object = {}) {
  const left = [...answers];
  return serve({
    'GET /blade-system/menu/buttons': () =>
      ['retry', 'reassign', 'move', 'suspend', 'delete'].map((code) => ({ code: `flow_follow_${code}` })),
    'GET /blade-flow/follow/list': () => ({
      records: rows.map((more, place) => ({ ...row, id: String(place + 7), ...more })),
      total: rows.length,
      size: 10,
      current: 1,
      pages: 1,
    }),
    'GET /blade-flow/follow/counts': () => ({ running: 2, parked: 0, overdue: 0, reasons: [], steps: [] }),
    'POST /blade-flow/follow/bulk-ways': () => ways,
    'POST /blade-flow/follow/bulk': () => ({ done: 0, refused: 0, left: 0, records: [left.shift()].flat() }),
  });
}
const bulks = (log: readonly Asked[]) =>
  log.filter(({ path }) => path === '/blade-flow/follow/bulk').map(({ body }) => body);

test('what is done with several is previewed, then done with each of those, and tried again', async () => {
  const rows = [{ followActions: ['retry'] }, {}, {}];
  const log = several(rows, [
    [told('7'), told('8', 'no incident'), told('9')],
    [told('7')],
    [told('9', 'somebody was faster')],
    [told('8')],
    [told('9')],
  ]);
  draw(<Followed />);
  await tick(3);
  await press('Retry');
  await press('Preview');
  expect(await screen.findByText(/Can be done: 2. Cannot be done: 1./)).toBeTruthy();
  expect(bulks(log)).toEqual([{ act: 'retry', ids: '7,8,9', isPreview: true }]);
  await press('Retry (2)');
  expect(await screen.findByText('3 in total: 1 done, 2 failed')).toBeTruthy();
  expect(screen.getByText('somebody was faster')).toBeTruthy();
  expect(bulks(log).slice(1)).toEqual(['7', '9'].map((ids) => ({ act: 'retry', ids, isPreview: false })));
  await press('Retry failed (2)');
  expect(await screen.findByText('3 in total: 3 done, 0 failed')).toBeTruthy();
  expect(bulks(log).slice(3)).toEqual(['8', '9'].map((ids) => ({ act: 'retry', ids, isPreview: false })));
});

test('several of one version are moved, to where they can be, and it is told where they then stand', async () => {
  const rows = [{ processDefinitionKey: 'leave', processDefinitionId: '1' }];
  const way = { node: 'approve', name: 'Approve', to: 'record', toName: 'Record', count: 2 };
  const log = several(
    [...rows, ...rows],
    [
      [told('7', '', 'Record Jiang Xiu'), told('8', 'It waits elsewhere')],
      [told('7', '', 'Record Jiang Xiu')],
    ],
    { models: 1, versions: 1, skips: [], targets: [way, { ...way, to: 'end', toName: 'End' }] },
  );
  draw(<Followed />);
  await tick(2);
  await press('Move');
  await choose('From → to', 'Approve → Record (2)');
  await send('left behind', 'Preview');
  expect(await screen.findByText('Then: Record Jiang Xiu')).toBeTruthy();
  const said = { act: 'move', node: 'approve', to: 'record', reason: 'left behind' };
  expect(bulks(log)).toEqual([{ ...said, ids: '7,8', isPreview: true }]);
  await press('Move (1)');
  expect(await screen.findByText('2 in total: 1 done, 1 failed')).toBeTruthy();
  expect(bulks(log)[1]).toEqual({ ...said, ids: '7', isPreview: false });
  expect(screen.getByText('Then: Record Jiang Xiu')).toBeTruthy();
});

test('a step is skipped for several of one model, and it is said where there is none', async () => {
  const of = (processDefinitionId: string, processDefinitionKey = 'leave') => ({
    processDefinitionKey,
    processDefinitionId,
    followActions: ['suspend'],
  });
  const way = { node: 'approve', name: 'Approve', to: 'agree', toName: 'Agree', count: 1 };
  const log = several([of('1'), of('2')], [[told('7'), told('8')]], {
    models: 1,
    versions: 2,
    skips: [way],
    targets: [],
  });
  draw(<Followed />);
  await tick(2);
  const isOff = (name: string) =>
    (screen.getAllByRole('button', { name }).at(-1) as HTMLButtonElement).disabled;
  // Of two versions nothing is moved, and what none of them allows is not offered.
  expect(['Skip', 'Move', 'Suspend', 'Retry', 'Terminate'].map(isOff)).toEqual([
    false,
    true,
    false,
    true,
    true,
  ]);
  await press('Skip');
  expect((await screen.findAllByText('Approve · Agree (1)')).length).toBeGreaterThan(0);
  await send('nobody there', 'Preview');
  await waitFor(() =>
    expect(bulks(log)).toEqual([
      { act: 'skip', ids: '7,8', node: 'approve', outcome: 'agree', reason: 'nobody there', isPreview: true },
    ]),
  );
  cleanup();
  several([of('1'), of('1')], [], { models: 1, versions: 1, skips: [], targets: [] });
  draw(<Followed />);
  await tick(2);
  await press('Skip');
  expect(await screen.findByText('No selected process is at a step that can be skipped')).toBeTruthy();
  cleanup();
  several([of('1'), of('2', 'repair')], []);
  draw(<Followed />);
  await tick(2);
  expect(['Skip', 'Move'].map(isOff)).toEqual([true, true]);
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
