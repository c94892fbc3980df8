import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { setLanguage } from '@/i18n';
import { beSignedIn, draw } from '@/testing/render';
import { Refused, serve } from '@/testing/server';
import { TaskList } from './TaskList';

beforeEach(async () => {
  await setLanguage('en-US');
  beSignedIn();
});

const task = {
  taskId: '8',
  processInstanceId: '9',
  businessTable: 'leave',
  businessId: '7',
  businessNo: 'QJ1',
  category: 'flow_1',
  title: 'Qin · Annual leave, 1 day',
  subject: '',
  taskName: 'Manager approves',
  starterName: 'Qin',
  priority: -1,
  secondsLeft: null,
  dueTime: '',
  why: '',
  createTime: '2026-03-05 08:00:00',
  processIsFinished: 'unfinished',
  parkedText: '',
  haltedText: '',
  lateTime: '',
  processDefinitionName: 'Leave',
  processDefinitionVersion: 1,
  taskActions: ['complete'],
};
const approve = { value: 'approve', label: 'Approve', positive: true, asks: 'nothing' };
const reject = { value: 'reject', label: 'Reject', positive: false, asks: 'comment' };

const inbox = (row: object, more = {}) =>
  serve({
    'GET /blade-flow/work/inbox': () => ({
      records: [{ ...task, ...row }],
      total: 1,
      size: 20,
      current: 1,
      pages: 1,
    }),
    'GET /blade-system/dict-biz/dictionary': () => [],
    ...more,
  });
const rowOf = async () => within((await screen.findByText(task.title)).closest('tr') as HTMLElement);

test('what asks nothing is done at one tap in the row, once', async () => {
  const log = inbox({ outcomes: [approve, reject] }, { 'POST /blade-flow/work/complete-task': () => null });
  draw(<TaskList queue="todo" />, '/work/todo');
  const row = await rowOf();
  expect(row.queryByRole('button', { name: 'Reject' })).toBeNull();
  await userEvent.dblClick(row.getByRole('button', { name: 'Approve' }));
  expect(await screen.findByText('Approve: done. Qin · Annual leave, 1 day')).toBeTruthy();
  const sent = log.filter(({ path }) => path.endsWith('/complete-task')).map(({ body }) => body);
  expect(sent).toEqual([
    { taskId: '8', processInstanceId: '9', outcome: 'approve', comment: '', variables: {} },
  ]);
});

test('a refusal is told above the list', async () => {
  const text = 'It was claimed by Li';
  inbox(
    { outcomes: [approve] },
    {
      'POST /blade-flow/work/complete-task': () => {
        throw new Refused(409, { code: 409, msg: text, error: 'workflow.taskTaken', data: {} });
      },
    },
  );
  draw(<TaskList queue="todo" />, '/work/todo');
  await userEvent.click((await rowOf()).getByRole('button', { name: 'Approve' }));
  expect(await screen.findByText(text)).toBeTruthy();
});

test.each([
  ['nothing', { ...approve }, ['Approve', 'Open', 'Claim']],
  ['for an opinion', { ...approve, asks: 'comment' }, ['Approve', 'Claim']],
])('beside a way on that asks %s', async (_, outcome, names) => {
  inbox({ outcomes: [outcome], taskActions: ['complete', 'claim'] });
  draw(<TaskList queue="todo" />, '/work/todo');
  const row = await rowOf();
  expect(row.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(names);
  expect(row.getAllByRole('cell').map(({ textContent }) => textContent)).toContain('-');
});

test('who has started nothing finds the first step, and is not asked for the starter', async () => {
  serve({
    'GET /blade-flow/work/send-list': () => ({ records: [], total: 0, size: 20, current: 1, pages: 0 }),
    'GET /blade-system/dict-biz/dictionary': () => [],
    'GET /blade-system/menu/routes': () => [{ id: '1', path: '/work/start', name: 'Start', code: 'start' }],
  });
  const { router } = draw(<TaskList queue="send" />, '/work/send');
  expect(await screen.findByRole('textbox', { name: 'Title, number' })).toBeTruthy();
  await userEvent.click(await screen.findByRole('button', { name: 'Start a process' }));
  expect(router.state.location.pathname).toBe('/work/start');
});

test('the result says no more where the step is called so', async () => {
  const rows = [
    { ...task, taskId: '1', businessNo: 'WX1', taskName: 'Dispatch', outcomeName: 'Dispatch' },
    { ...task, taskId: '2', businessNo: 'WX2', taskName: 'Verify', outcomeName: 'Pass' },
  ].map((one) => ({ ...one, outcomes: [], taskActions: [], endTime: '2026-03-05 09:00:00' }));
  serve({
    'GET /blade-flow/work/done-list': () => ({ records: rows, total: 2, size: 20, current: 1, pages: 1 }),
    'GET /blade-system/dict-biz/dictionary': () => [],
  });
  draw(<TaskList queue="done" />, '/work/done');
  const cells = async (number: string) =>
    within(await screen.findByRole('row', { name: new RegExp(number) }))
      .getAllByRole('cell')
      .map(({ textContent }) => textContent);
  expect((await cells('WX1')).slice(2, 4)).toEqual(['Dispatch', '-']);
  expect((await cells('WX2')).slice(2, 4)).toEqual(['Verify', 'Pass']);
});

test.each([
  ['offers no way on', { outcomes: [reject] }],
  ['stands still', { outcomes: [approve], taskActions: [] }],
  ['asks for a form of the company', { outcomes: [{ ...approve, asks: 'input' }], businessTable: 'process' }],
])('a row that %s has its page alone', async (_, row) => {
  inbox(row);
  draw(<TaskList queue="todo" />, '/work/todo');
  const there = await rowOf();
  await waitFor(() => expect(there.queryByRole('button', { name: 'Approve' })).toBeNull());
});
