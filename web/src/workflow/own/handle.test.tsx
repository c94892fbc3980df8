import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { setLanguage } from '@/i18n';
import { beSignedIn, draw } from '@/testing/render';
import { type Asked, Refused, serve } from '@/testing/server';
import OwnTask from './handle';

beforeEach(async () => {
  await setLanguage('en-US');
  beSignedIn();
});

const field = (key: string, more: object = {}) => ({ type: 'number', key, label: key, ...more });
const task = {
  taskId: '5',
  taskName: 'Approve',
  node: 'look',
  title: 'Leave',
  processInstanceId: '77',
  processDefinitionName: 'Leave',
  processDefinitionVersion: 1,
  assigneeName: '',
  createTime: '2026-11-21 08:00:00',
  endTime: '',
  outcomes: [
    { value: 'agree', label: 'Approve', positive: true, negative: false },
    { value: 'reject', label: 'Reject', positive: false, negative: true },
  ],
  canClaim: true,
  canUnclaim: false,
  canComplete: true,
  delegatedBy: '',
  opinion: '',
  parkedText: '',
  haltedText: '',
  taskActions: [],
  signPlaces: [],
  signers: [],
  form: {
    components: [field('days', { readonly: true }), field('granted', { validate: { required: true } })],
  },
  formData: { days: 3 },
};
const detail = {
  processInstanceId: '77',
  title: 'Qin · Leave',
  businessNo: 'LC1',
  processDefinitionName: 'Leave',
  processDefinitionVersion: 1,
  starterName: 'Qin',
  startTime: '2026-11-21 08:00:00',
  endTime: '',
  status: 1,
  statusName: 'Running',
  sections: [
    {
      node: '',
      name: '',
      form: { components: [field('days'), { type: 'textarea', key: 'reason', label: 'Reason' }] },
      values: { days: 3, reason: 'rest' },
    },
  ],
};
const around = {
  'GET /blade-flow/work/task-detail': () => task,
  'GET /blade-flow/process/detail': () => detail,
  'GET /blade-flow/process/history-flow-list': () => [],
};
const sends = (log: Asked[]) => log.filter(({ path }) => path === '/blade-flow/work/complete-task');
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

test('the form of the step, and what was filled in before but for its own fields', async () => {
  serve(around);
  draw(<OwnTask />, '/work/process/own/handle/5/77/77');
  expect(await screen.findByText('rest')).toBeTruthy();
  expect(screen.getAllByText('days')).toHaveLength(1);
  expect(screen.getByLabelText('granted')).toBeTruthy();
});

test('a step that several sign is named once, with all who hold it', async () => {
  const row = (id: string, step: string, name: string) => ({
    id,
    historyActivityId: step,
    historyActivityName: step,
    historyActivityType: 'userTask',
    assigneeName: name,
    createTime: '2026-11-21 08:00:00',
    endTime: '',
  });
  const history = [row('1', 'Sign', 'Jiang'), row('2', 'Record', ''), row('3', 'Sign', 'Shen')];
  serve({ ...around, 'GET /blade-flow/process/history-flow-list': () => history });
  draw(<OwnTask />, '/work/process/own/handle/5/77/77');
  expect(await screen.findByText('Sign · Jiang, Shen; Record')).toBeTruthy();
});

test('an agreement needs what is required, and goes with outcome, opinion and values', async () => {
  const log = serve({ ...around, 'POST /blade-flow/work/complete-task': () => ({}) });
  const { router } = draw(<OwnTask />, '/work/process/own/handle/5/77/77');
  await screen.findByLabelText('granted');
  await press('Approve');
  expect(await screen.findByText('Please enter granted')).toBeTruthy();
  expect(sends(log)).toEqual([]);
  await userEvent.type(screen.getByLabelText('granted'), '2');
  await userEvent.type(screen.getByLabelText('Comment'), 'fine');
  await press('Approve');
  await waitFor(() => expect(router.state.location.pathname).toBe('/work/todo'));
  expect(sends(log)[0]?.body).toEqual({
    taskId: '5',
    processInstanceId: '77',
    outcome: 'agree',
    comment: 'fine',
    variables: { granted: 2 },
  });
});

test('who rejects fills in nothing, and a conflict is told in the bar', async () => {
  const log = serve({
    ...around,
    'POST /blade-flow/work/complete-task': () => {
      throw new Refused(409, { code: 409, msg: 'Somebody was faster', error: 'workflow.taskCompleted' });
    },
  });
  draw(<OwnTask />, '/work/process/own/handle/5/77/77');
  await screen.findByLabelText('granted');
  await press('Reject');
  expect(await screen.findByText('Somebody was faster')).toBeTruthy();
  expect(sends(log)[0]?.body).toMatchObject({ outcome: 'reject', variables: { granted: null } });
});

test('who may not complete it sees what it is, without a form or a button', async () => {
  serve({
    ...around,
    'GET /blade-flow/work/task-detail': () => ({ ...task, canComplete: false, canClaim: false }),
  });
  draw(<OwnTask />, '/work/process/own/handle/5/77/77');
  expect(await screen.findByText('rest')).toBeTruthy();
  expect(screen.queryByLabelText('granted')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull();
});
