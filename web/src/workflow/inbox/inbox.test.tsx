import { act, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { setLanguage } from '@/i18n';
import { beSignedIn, draw } from '@/testing/render';
import { type Asked, Refused, serve } from '@/testing/server';
import { Inbox } from './Inbox';
import { useTaskIds } from './place';

const task = (id: string, more: object = {}) => ({
  taskId: id,
  taskName: 'Approve',
  node: 'approve',
  title: `Leave ${id}`,
  subject: '',
  category: 'flow_1',
  processDefinitionId: '1',
  processDefinitionName: 'Leave',
  processDefinitionVersion: 1,
  processInstanceId: `7${id}`,
  businessTable: 'leave',
  businessId: `8${id}`,
  businessNo: `QJ${id}`,
  starterName: 'Qin',
  priority: -1,
  dueTime: '',
  lateTime: '',
  secondsLeft: null,
  why: 'Assigned to you',
  createTime: '2026-11-21 08:00:00',
  processIsFinished: 'unfinished',
  parkedText: '',
  haltedText: '',
  taskActions: ['complete'],
  outcomes: [
    { value: 'approve', label: 'Approve it', positive: true, asks: 'nothing' },
    { value: 'reject', label: 'Reject it', positive: false, asks: 'comment' },
  ],
  ...more,
});

let waiting: ReturnType<typeof task>[];
let gone: { taskId: string; message: string; isOwn: boolean }[];
let refuse: Set<string>;
let log: Asked[];

beforeEach(async () => {
  await setLanguage('en-US');
  beSignedIn();
  localStorage.removeItem('xunwei.split.7.work.todo');
  waiting = [task('1'), task('2'), task('3')];
  gone = [];
  refuse = new Set();
  log = serve({
    'GET /blade-flow/work/inbox': () => ({
      records: waiting,
      total: waiting.length,
      size: 10,
      current: 1,
      pages: 1,
    }),
    'GET /blade-flow/work/still-open': () => gone,
    'GET /blade-system/dict-biz/dictionary': () => [{ dictKey: '1', dictValue: 'Leave', remark: 'leave' }],
    'POST /blade-flow/work/complete-task': ({ body }) => {
      const { taskId } = body as { taskId: string };
      if (refuse.has(taskId)) throw new Refused(409, { code: 409, msg: 'Approved by Shen at 08:01' });
      waiting = waiting.filter((one) => one.taskId !== taskId);
      return {};
    },
  });
});
afterEach(() => vi.useRealTimers());

function Task() {
  return <p>Page of {useTaskIds().taskId}</p>;
}

const asked = (path: string) => log.filter((one) => one.path === `/blade-flow/work/${path}`);
const boxOf = (title: string) =>
  within(screen.getByText(title).closest('tr') as HTMLElement).getByRole('checkbox');

const inForm = (name: string) => within(screen.getByRole('dialog')).getByRole('button', { name });

test('a row that somebody else has finished says so, and is gone within two seconds', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  draw(<Inbox Task={Task} />);
  await screen.findByText('Leave 2');
  expect(asked('still-open')).toHaveLength(0);
  await act(() => vi.advanceTimersByTimeAsync(1_100));
  expect(asked('still-open').map(({ params }) => params)).toEqual([{ ids: '1,2,3' }]);
  gone = [{ taskId: '2', message: 'Handled by Shen Kai', isOwn: false }];
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  const line = (await screen.findByText('Leave 2')).closest('tr') as HTMLElement;
  expect(line.className).toContain('x-leaving');
  expect(within(line).getByText('Handled by Shen Kai')).toBeTruthy();
  gone = [];
  waiting = [task('1'), task('3')];
  await act(() => vi.advanceTimersByTimeAsync(600));
  expect(screen.queryByRole('row', { name: /Leave 2/ })).toBeNull();
  expect(screen.getByText('2 in total')).toBeTruthy();
  // Who has it stays to be read, until it is put away.
  await userEvent.click(screen.getByText('1 taken or done by others'));
  expect(screen.getByText('Handled by Shen Kai').closest('li')?.textContent).toBe(
    'Leave 2 QJ2 Handled by Shen Kai',
  );
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(screen.queryByText('1 taken or done by others')).toBeNull();
});

test('what I have done myself leaves without a word about others', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  draw(<Inbox Task={Task} />);
  await screen.findByText('Leave 2');
  gone = [{ taskId: '2', message: 'Handled by Qin', isOwn: true }];
  waiting = [task('1'), task('3')];
  await act(() => vi.advanceTimersByTimeAsync(1_800));
  expect(screen.queryByText('Leave 2')).toBeNull();
  expect(screen.queryByText(/by others/)).toBeNull();
});

test('while the page is hidden nothing is asked, and after failures it is asked more rarely', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const seen = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  draw(<Inbox Task={Task} />);
  await screen.findByText('Leave 1');
  await act(() => vi.advanceTimersByTimeAsync(20_000));
  expect(asked('still-open')).toHaveLength(0);
  seen.mockReturnValue('visible');
  serve({
    'GET /blade-flow/work/still-open': (one) => {
      log.push(one);
      throw new Refused(500, { code: 500, msg: 'broken' });
    },
  });
  await act(() => vi.advanceTimersByTimeAsync(7_500));
  // After 1, 2 and 4 seconds.
  expect(asked('still-open')).toHaveLength(3);
  expect(screen.queryByText('broken')).toBeNull();
  seen.mockRestore();
});

test('many are done at once, each row tells what came of it, and the refused ones can be tried again', async () => {
  draw(<Inbox Task={Task} />);
  await screen.findByText('Leave 1');
  for (const title of ['Leave 1', 'Leave 2', 'Leave 3']) await userEvent.click(boxOf(title));
  refuse.add('2');
  const bar = screen.getByText('3 selected').closest('.x-bulk') as HTMLElement;
  await userEvent.click(within(bar).getByRole('button', { name: 'Approve it' }));
  await userEvent.type(await screen.findByLabelText('Comment'), 'fine');
  await userEvent.click(inForm('Approve it'));
  expect(await screen.findByText('3 in total: 2 done, 1 failed')).toBeTruthy();
  expect(screen.getByText('Approved by Shen at 08:01')).toBeTruthy();
  expect(asked('complete-task').map(({ body }) => body)).toEqual(
    ['1', '2', '3'].map((id) => ({
      taskId: id,
      processInstanceId: `7${id}`,
      outcome: 'approve',
      comment: 'fine',
      variables: {},
    })),
  );
  refuse.clear();
  await userEvent.click(screen.getByRole('button', { name: 'Retry failed (1)' }));
  expect(await screen.findByText('3 in total: 3 done, 0 failed')).toBeTruthy();
  expect(asked('complete-task')).toHaveLength(4);
});

test('what was handed on is found in the same place, with who has it now', async () => {
  const { router } = draw(<Inbox Task={Task} />);
  await screen.findByText('Leave 1');
  serve({
    'GET /blade-flow/work/handed-list': () => ({
      records: [task('9', { assigneeName: 'Shen Kai', taskActions: [], outcomes: [] })],
      total: 1,
      size: 10,
      current: 1,
      pages: 1,
    }),
    'GET /blade-system/dict-biz/dictionary': () => [],
  });
  await userEvent.click(screen.getByText('Handed over'));
  const row = (await screen.findByText('Leave 9')).closest('tr') as HTMLElement;
  expect(within(row).getByText('Shen Kai')).toBeTruthy();
  expect(router.state.location.search).toBe('?list=handed');
});

/** A phone's width for the time of a test. */
function onPhone() {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) =>
      ({
        matches: query.includes('< 768px'),
        media: query,
        addEventListener: () => undefined,
        removeEventListener: () => undefined,
      }) as unknown as MediaQueryList,
  );
}

test('on a phone cards are chosen by a button or a resting finger, and done at once', async () => {
  onPhone();
  vi.useFakeTimers({ shouldAdvanceTime: true });
  draw(<Inbox Task={Task} />);
  const card = (await screen.findByText('Leave 2')).closest('li') as HTMLElement;
  expect(screen.queryByRole('checkbox')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Select' }));
  expect(screen.getByText('0 selected')).toBeTruthy();
  // A tap chooses, and opens nothing; a second one takes it back.
  for (const title of ['Leave 1', 'Leave 2', 'Leave 1']) await userEvent.click(screen.getByText(title));
  expect(screen.getByText('1 selected')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Clear selection' }));
  expect(screen.queryByText(/selected$/)).toBeNull();

  fireEvent.pointerDown(card, { pointerType: 'touch' });
  await act(() => vi.advanceTimersByTimeAsync(600));
  fireEvent.pointerUp(card, { pointerType: 'touch' });
  // The click that follows is the finger's that was lifted.
  fireEvent.click(screen.getByText('Leave 2'));
  expect(screen.getByText('1 selected')).toBeTruthy();
  await userEvent.click(screen.getByText('Leave 3'));
  const bar = screen.getByText('2 selected').closest('.x-bulk') as HTMLElement;
  await userEvent.click(within(bar).getByRole('button', { name: 'Approve it' }));
  await screen.findByLabelText('Comment');
  await userEvent.click(inForm('Approve it'));
  expect(await screen.findByText('2 in total: 2 done, 0 failed')).toBeTruthy();
  expect(asked('complete-task').map(({ body }) => (body as { taskId: string }).taskId)).toEqual(['2', '3']);
  vi.restoreAllMocks();
});

test('a short touch, or one that pushes the list, chooses nothing', async () => {
  onPhone();
  vi.useFakeTimers({ shouldAdvanceTime: true });
  draw(<Inbox Task={Task} />);
  const card = (await screen.findByText('Leave 2')).closest('li') as HTMLElement;
  for (const end of [fireEvent.pointerUp, fireEvent.pointerCancel]) {
    fireEvent.pointerDown(card, { pointerType: 'touch' });
    await act(() => vi.advanceTimersByTimeAsync(400));
    end(card, { pointerType: 'touch' });
    await act(() => vi.advanceTimersByTimeAsync(400));
  }
  fireEvent.pointerDown(card, { pointerType: 'mouse' });
  await act(() => vi.advanceTimersByTimeAsync(800));
  expect(screen.queryByText(/selected$/)).toBeNull();
  vi.restoreAllMocks();
});

test('rejecting many asks for a comment first', async () => {
  draw(<Inbox Task={Task} />);
  await screen.findByText('Leave 1');
  for (const title of ['Leave 1', 'Leave 2']) await userEvent.click(boxOf(title));
  const bar = screen.getByText('2 selected').closest('.x-bulk') as HTMLElement;
  await userEvent.click(within(bar).getByRole('button', { name: 'Reject it' }));
  await screen.findByLabelText('Comment');
  await userEvent.click(inForm('Reject it'));
  expect(await screen.findByText(/Please enter/)).toBeTruthy();
  expect(asked('complete-task')).toHaveLength(0);
});

test('J, X and A work through the list by the keyboard', async () => {
  draw(<Inbox Task={Task} />);
  await screen.findByText('Leave 1');
  await userEvent.keyboard('jjx');
  expect(screen.getByText('1 selected')).toBeTruthy();
  await userEvent.keyboard('a');
  expect(await screen.findByText('Approve it · Leave 2')).toBeTruthy();
});

test('beside its list a task is followed by the next one', async () => {
  localStorage.setItem('xunwei.split.7.work.todo', '1');
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) =>
      ({
        matches: query.includes('>='),
        media: query,
        addEventListener: () => undefined,
        removeEventListener: () => undefined,
      }) as unknown as MediaQueryList,
  );
  draw(<Inbox Task={Task} />);
  await userEvent.click(await screen.findByText('Leave 2'));
  expect(await screen.findByText('Page of 2')).toBeTruthy();
  await userEvent.keyboard('a');
  await screen.findByLabelText('Comment');
  await userEvent.click(inForm('Approve it'));
  expect(await screen.findByText('Page of 3')).toBeTruthy();
  vi.restoreAllMocks();
});
