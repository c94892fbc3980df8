/** The pages of a case know nothing of it but its declaration. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import type { Case, CaseCommand } from '@/api/case';
import { setLanguage } from '@/i18n';
import '@/session/sign';
import { beSignedIn, draw } from '@/testing/render';
import { serve } from '@/testing/server';
import { CaseDocument } from './CaseDocument';
import { sentFrom } from './CaseFields';
import { byTask, offers } from './CommandForm';

const request = {
  name: 'sparerequest',
  title: ['\u7533\u8bf7', 'Spare request'],
  path: '/yuzhu-equip/sparerequest',
  segment: 'spare',
  key: 'businessId',
  number: 'requestNo',
  statuses: [
    [2, '\u5f85\u6279', 'To approve', 'waiting'],
    [3, '\u5df2\u6279', 'Approved', 'good'],
  ],
  start: {
    name: 'start',
    label: ['\u7533\u8bf7', 'Request'],
    code: '*',
    call: 'start-process',
    page: '',
    drafts: false,
    input: {},
  },
  acts: { count: ['', 'Count it'] },
  commands: [
    {
      name: 'approve',
      label: ['\u540c\u610f', 'Approve'],
      labels: {},
      will: ['\u4e0d\u80fd\u66f4\u6539', 'It cannot be changed.'],
      tone: 'main',
      code: '*',
      edits: false,
      remark: 'comment',
      steps: ['approve'],
      outcomes: [{ key: 'approve', label: ['\u540c\u610f', 'Approve'], values: {}, refuses: false }],
      input: {
        quantity: {
          label: ['\u6570\u91cf', 'Quantity'],
          kind: 'decimal',
          decimals: 3,
          required: true,
          writable: true,
        },
        comment: { label: ['\u610f\u89c1', 'Comment'], kind: 'text', writable: true, max: 500 },
        hidden: { label: ['x', 'x'], kind: 'id', writable: true },
      },
    },
    {
      name: 'cancel',
      label: ['', 'Cancel it'],
      labels: {},
      will: ['', ''],
      tone: 'danger',
      code: '*',
      edits: false,
      remark: '',
      steps: [],
      outcomes: [],
      input: {},
    },
  ],
  steps: ['approve'],
  open: [1],
  others: ['count', 'remove'],
  document: [['machineName', 'place'], ['neededOn'], ['reason'], ['images']],
  sections: [{ title: ['', 'Costs'], fields: [['cost'], ['delivery'], ['minutes']] }],
  fields: {
    machineName: { label: ['\u8bbe\u5907', 'Machine'], kind: 'text' },
    place: { label: ['', 'Place'], kind: 'text' },
    cost: { label: ['', 'Price'], kind: 'decimal', decimals: 2, unit: '\u00a5' },
    delivery: { label: ['', 'Delivery'], kind: 'decimal', decimals: 2, unit: '\u00a5' },
    minutes: { label: ['', 'Work'], kind: 'minutes' },
    neededOn: { label: ['', 'Needed'], kind: 'date' },
    reason: { label: ['', 'Reason'], kind: 'text', max: 500 },
    images: { label: ['', 'Pictures'], kind: 'images' },
  },
} as const satisfies Case;

const task = {
  taskId: '4',
  node: 'approve',
  nodeName: 'Approve',
  assigneeName: 'Li',
  candidateNames: [],
  peopleNames: [],
  createTime: '',
  parkedText: '',
  haltedText: '',
};
const row = {
  id: '9',
  requestNo: 'SR-1',
  userName: 'Wang',
  status: 2,
  statusName: 'To approve',
  lockVersion: 5,
  processInstanceId: '',
  allowedActions: ['approve'],
  nextText: 'The store issues it',
  openTask: task,
  openTasks: [task],
  urge: null,
  comments: [],
  logs: [],
  machineName: 'Press',
  place: 'Hall 2',
  cost: 1234.5,
  delivery: 0,
  minutes: 90,
  neededOn: null,
  reason: 'Worn',
  images: [],
};

beforeEach(async () => {
  await setLanguage('en-US');
  beSignedIn();
});

test('a document shows the declared fields that are filled in, the next step, and the commands that are allowed', async () => {
  serve({ 'GET /yuzhu-equip/sparerequest/detail': ({ params }) => (params.businessId === '9' ? row : null) });
  draw(<CaseDocument of={request} screen={{}} id="9" parent="/" />);
  expect(await screen.findByRole('heading', { name: 'Spare request of Wang' })).toBeTruthy();
  expect(screen.getByText('The store issues it')).toBeTruthy();
  expect(screen.getByText('Press')).toBeTruthy();
  expect(screen.getByRole('heading', { name: 'Reason' })).toBeTruthy();
  expect(screen.getByText('Hall 2').className).toBe('x-quiet');
  const costs = within(screen.getByRole('heading', { name: 'Costs' }).closest('section') as HTMLElement);
  expect(costs.getByText('\u00a51,234.50')).toBeTruthy();
  expect(costs.getByText('1h 30m')).toBeTruthy();
  for (const absent of ['Needed', 'Pictures', 'Cancel it', 'Place', 'Delivery', 'Count it'])
    expect(screen.queryByText(absent)).toBeNull();
});

test('a part of which the screen has only empty texts to show is left out', async () => {
  serve({ 'GET /yuzhu-equip/sparerequest/detail': () => row });
  draw(<CaseDocument of={request} screen={{ values: { reason: () => '' } }} id="9" parent="/" />);
  expect(await screen.findByRole('heading', { name: 'Costs' })).toBeTruthy();
  expect(screen.queryByRole('heading', { name: 'Reason' })).toBeNull();
});

test('a command asks for its input and is sent with the version that was read', async () => {
  const log = serve({
    'GET /yuzhu-equip/sparerequest/detail': () => row,
    'POST /yuzhu-equip/sparerequest/update': () => null,
  });
  draw(<CaseDocument of={request} screen={{}} id="9" parent="/" />);
  await userEvent.click(await screen.findByRole('button', { name: 'Approve' }));
  const form = within(await screen.findByRole('dialog'));
  expect(form.getByText('It cannot be changed.')).toBeTruthy();
  expect(form.queryByLabelText('x')).toBeNull();
  await userEvent.click(form.getByRole('button', { name: 'Approve' }));
  expect(await form.findByText('Please enter quantity')).toBeTruthy();
  await userEvent.type(form.getByLabelText('Quantity'), '1.125');
  await userEvent.type(form.getByLabelText('Comment'), 'Fine');
  await userEvent.click(form.getByRole('button', { name: 'Approve' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const sent = log.filter(({ path }) => path.endsWith('/update')).map(({ body }) => body);
  expect(sent).toEqual([{ id: '9', lockVersion: 5, action: 'approve', quantity: 1.125, comment: 'Fine' }]);
});

const task8 = {
  taskId: '8',
  processInstanceId: '9',
  canComplete: true,
  outcomes: [
    { value: 'pass', label: 'Pass', positive: true, negative: false, asks: 'input' as const },
    { value: 'fail', label: 'Fail', positive: false, negative: true, asks: 'input' as const },
  ],
};
const [approve] = request.commands;
const check: CaseCommand = {
  ...approve,
  name: 'check',
  remark: 'words',
  outcomes: [
    { key: 'pass', label: ['', 'Pass'], values: { result: 1 }, refuses: false },
    { key: 'fail', label: ['', 'Fail'], values: { result: 2 }, refuses: true },
  ],
};

test('from the queue a command is an outcome with its words as opinion, and what the outcome says is not sent twice', () => {
  expect(byTask(task8, check, { result: 2, words: ' still noisy ' })).toEqual({
    taskId: '8',
    processInstanceId: '9',
    outcome: 'fail',
    comment: 'still noisy',
    variables: { words: ' still noisy ' },
  });
  expect(byTask(task8, check, { result: 1, score: 5 })).toEqual({
    taskId: '8',
    processInstanceId: '9',
    outcome: 'pass',
    comment: '',
    variables: { score: 5 },
    flag: 'ok',
  });
  const wordless = {
    ...check,
    remark: '',
    outcomes: [{ key: 'pass', label: check.label, values: {}, refuses: false }],
  };
  expect(byTask(task8, wordless, {}, ' soon ').comment).toBe('soon');
});

test('only what the open step offers goes through the queue', () => {
  expect(offers(task8, check)).toBe(true);
  expect(offers(task8, approve)).toBe(false);
  expect(offers({ ...task8, canComplete: false }, check)).toBe(false);
});

test('nothing is sent that the input does not know, nor null where it knows none', () => {
  const input = { ...approve.input, due: { label: ['', ''], kind: 'moment', nullable: true } } as const;
  const values = { quantity: null, comment: '', due: null, to: 1, hidden: undefined };
  expect(sentFrom(input, values)).toEqual({ comment: '', due: null });
});

test('the first main command is the main button, and a record that can be ended is not deleted', async () => {
  const ready = { ...row, allowedActions: ['approve', 'again', 'cancel', 'count', 'remove'] };
  let shown = ready;
  const log = serve({
    'GET /yuzhu-equip/sparerequest/detail': () => shown,
    'POST /yuzhu-equip/sparerequest/remove': () => null,
  });
  const of = {
    ...request,
    commands: [approve, { ...approve, name: 'again', label: ['', 'Again'] }, request.commands[1]],
  };
  const { router, unmount } = draw(<CaseDocument of={of as Case} screen={{}} id="9" parent="/list" />);
  await screen.findByRole('heading', { name: 'Spare request of Wang' });
  const bar = () => [...document.querySelectorAll<HTMLElement>('.x-sticky-bar button')];
  expect(bar().map(({ textContent }) => textContent)).toEqual(['Cancel it', 'Again', 'Count it', 'Approve']);
  expect(bar().filter(({ className }) => className.includes('primary'))).toHaveLength(1);
  unmount();
  shown = { ...ready, allowedActions: ['remove'] };
  const second = draw(<CaseDocument of={of as Case} screen={{}} id="9" parent="/list" />);
  await userEvent.click(await screen.findByRole('button', { name: 'Delete' }));
  const question = within(await screen.findByRole('dialog'));
  expect(question.getByText('SR-1 will be deleted. This cannot be undone.')).toBeTruthy();
  await userEvent.click(question.getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(second.router.state.location.pathname).toBe('/list'));
  expect(log.filter(({ path }) => path.endsWith('/remove')).map(({ params }) => params)).toEqual([
    { ids: '9' },
  ]);
  expect(router.state.location.pathname).toBe('/');
});
