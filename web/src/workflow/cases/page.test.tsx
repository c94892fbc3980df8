/** What people do with a record beside its commands: comments, reminders; and how its page says no. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Case, CaseCommand } from '@/api/case';
import type { Wire } from '@/api/wire';
import { setLanguage } from '@/i18n';
import '@/session/sign';
import { beSignedIn, draw } from '@/testing/render';
import { Refused, serve } from '@/testing/server';
import { CaseDocument } from './CaseDocument';

const command: CaseCommand = {
  name: 'send',
  label: ['', 'Dispatch'],
  labels: { accept: ['', 'Reassign'] },
  will: ['', ''],
  tone: 'main',
  code: '*',
  edits: false,
  remark: '',
  steps: ['dispatch', 'accept'],
  outcomes: [{ key: 'send', label: ['', 'Dispatch'], values: {}, refuses: false }],
  input: {},
};
const of: Case = {
  name: 'job',
  title: ['', 'Job'],
  path: '/x/job',
  segment: 'job',
  key: 'id',
  number: 'jobNo',
  statuses: [[1, '', 'Open', 'quiet']],
  start: {
    name: 'start',
    label: ['', 'Start'],
    code: '*',
    call: 'start',
    page: '',
    drafts: false,
    input: {},
  },
  acts: {},
  commands: [
    command,
    { ...command, name: 'no', label: ['', 'Decline'], labels: {}, tone: '', outcomes: outcome('no', true) },
    {
      ...command,
      name: 'check',
      label: ['', 'Verify'],
      labels: {},
      input: {
        result: {
          label: ['', 'Result'],
          kind: 'choice',
          required: true,
          writable: true,
          options: [
            [1, '', 'Pass'],
            [2, '', 'Fail'],
          ],
        },
      },
      outcomes: [
        { key: 'pass', label: ['', 'Pass'], values: { result: 1 }, refuses: false },
        { key: 'fail', label: ['', 'Fail'], values: { result: 2 }, refuses: true },
      ],
    },
  ],
  steps: [],
  open: [1],
  others: [],
  document: [['place']],
  sections: [{ title: ['', 'Fault'], fields: [['what']] }],
  fields: {
    place: { label: ['', 'Place'], kind: 'text' },
    what: { label: ['', 'What'], kind: 'text', max: 500 },
  },
};

function outcome(key: string, refuses: boolean) {
  return [{ key, label: ['', key], values: {}, refuses }] as const;
}

const step: Wire<'OpenTask'> = {
  taskId: '4',
  node: 'dispatch',
  nodeName: 'Dispatch',
  assigneeName: '',
  candidateNames: ['Leaders'],
  peopleNames: ['Wei Bin'],
  createTime: '2026-11-23 08:00:00',
  parkedText: '',
  haltedText: '',
};
const log: Wire<'Log'> = {
  time: '2026-11-23 08:00:00',
  userName: 'Qin',
  action: 'start',
  taskId: '',
  actionName: 'Start',
  toName: '',
  fromStatusName: '',
  toStatusName: '',
  remark: '',
  changes: [],
};
const row = {
  id: '9',
  jobNo: 'J-1',
  userName: 'Qin',
  status: 1,
  statusName: 'Open',
  lockVersion: 1,
  processInstanceId: '',
  allowedActions: [],
  openTask: step,
  openTasks: [step],
  urge: null as Wire<'Urge'> | null,
  comments: [] as Wire<'Comment'>[],
  logs: [log],
  place: 'Hall 2',
  what: 'It is noisy',
};
const comment: Wire<'Comment'> = {
  id: '70',
  time: '2026-11-23 08:30:00',
  userName: 'Wei Bin',
  text: 'Ask @Jiang Ping first',
  images: ['/api/picture'],
  mentions: ['Jiang Ping'],
  isDeleted: false,
  mayDelete: true,
};

let shown: object = row;
const read = { 'GET /x/job/detail': () => shown };

beforeEach(async () => {
  localStorage.clear();
  shown = row;
  await setLanguage('en-US');
  beSignedIn();
});

const page = (address = '/') =>
  draw(<CaseDocument of={of} screen={{ lead: () => <p>Lead</p> }} id="9" parent="/" />, address);
const bar = () => [...document.querySelectorAll<HTMLElement>('.x-sticky-bar button')];
const has = (element: HTMLElement | undefined, part: string) => Boolean(element?.className.includes(part));

test('comments stand in the timeline by their time, with mentions marked; a deleted one keeps its place', async () => {
  const later = { ...comment, id: '71', time: '2026-11-23 09:00:00', text: '', images: [], isDeleted: true };
  shown = { ...row, comments: [comment, { ...later, mayDelete: false }] };
  serve(read);
  page();
  await screen.findByText('Write a comment');
  const titles = [...document.querySelectorAll('.x-timeline-title')].map(({ textContent }) => textContent);
  expect(titles).toEqual(['Start', 'Comment', 'Comment deleted', 'Current step: Dispatch']);
  expect(screen.getByText('@Jiang Ping').className).toBe('x-mention');
  expect(document.querySelectorAll('.x-timeline-note .x-photo')).toHaveLength(1);
  expect(screen.getAllByRole('button', { name: 'Delete comment' })).toHaveLength(1);
});

test('the open step says since when it waits, and its decision stands below what is decided on', async () => {
  serve(read);
  draw(<CaseDocument of={of} screen={{}} id="9" parent="/" decision={<p>Decide here</p>} />);
  const what = await screen.findByText('It is noisy');
  expect(what.compareDocumentPosition(screen.getByText('Decide here'))).toBe(
    Node.DOCUMENT_POSITION_FOLLOWING,
  );
  expect(screen.getByText('Current step: Dispatch').nextElementSibling?.textContent).toBe(
    'Wei Bin · since 2026-11-23 08:00',
  );
  expect(screen.getByText('Current step', { selector: 'dt' })).toBeTruthy();
});

test('a comment is sent with those who were chosen and still stand in it, and the box is empty after it', async () => {
  const asked = serve({
    ...read,
    'GET /x/job/comment-people': ({ params }) =>
      params.keyword === 'J' ? [{ id: '5', realName: 'Jiang Ping', deptName: 'Repair' }] : [],
    'POST /x/job/comment': () => ({ id: '72' }),
  });
  page();
  const box = await screen.findByLabelText('Write a comment');
  await userEvent.click(screen.getByRole('button', { name: 'Post comment' }));
  expect(await screen.findByText('Write a comment or add a picture')).toBeTruthy();
  await userEvent.type(box, 'Ask @J');
  await userEvent.click(await screen.findByText('Jiang Ping'));
  await userEvent.type(screen.getByLabelText('Write a comment'), 'first');
  await userEvent.click(screen.getByRole('button', { name: 'Post comment' }));
  await waitFor(() => expect(screen.getByLabelText('Write a comment')).toHaveProperty('value', ''));
  const [sent] = asked.filter(({ path }) => path.endsWith('/comment'));
  expect(sent?.body).toEqual({ id: '9', text: 'Ask @Jiang Ping first', images: [], mentions: ['5'] });
  expect(sent?.headers['Idempotency-Key']).toMatch(/^[0-9a-f]{32}$/);
});

test('what is written stays in the browser, and a refusal stands under the words', async () => {
  serve({
    ...read,
    'POST /x/job/comment': () => {
      throw new Refused(400, {
        code: 400,
        success: false,
        msg: 'no',
        data: { fields: { text: 'Too rude' } },
      });
    },
  });
  const first = page();
  await userEvent.type(await screen.findByLabelText('Write a comment'), 'Half a sent');
  await userEvent.click(screen.getByRole('button', { name: 'Post comment' }));
  expect(await screen.findByText('Too rude')).toBeTruthy();
  first.unmount();
  page();
  await waitFor(() =>
    expect(screen.getByLabelText('Write a comment')).toHaveProperty('value', 'Half a sent'),
  );
});

test('the writer deletes a comment', async () => {
  shown = { ...row, comments: [comment] };
  const asked = serve({ ...read, 'POST /x/job/remove-comment': () => null });
  page();
  await userEvent.click(await screen.findByRole('button', { name: 'Delete comment' }));
  await waitFor(() => expect(asked.filter(({ path }) => path.endsWith('remove-comment'))).toHaveLength(1));
  expect(asked.find(({ path }) => path.endsWith('remove-comment'))?.params).toEqual({
    id: '9',
    commentId: '70',
  });
});

test('who started it reminds those whom it waits for; until it may be done again the page says when', async () => {
  shown = { ...row, urge: { againTime: '' } };
  const asked = serve({ ...read, 'POST /blade-flow/work/urge': () => null });
  const first = page();
  await userEvent.click(await screen.findByRole('button', { name: 'Remind' }));
  const form = within(await screen.findByRole('dialog'));
  expect(form.getByText('Sends a reminder to Wei Bin; possible once in half an hour.')).toBeTruthy();
  await userEvent.click(form.getByRole('button', { name: 'Remind' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(asked.some(({ path }) => path === '/blade-flow/work/urge')).toBe(true);
  first.unmount();
  shown = { ...row, urge: { againTime: '2026-11-23 08:40:00' } };
  page();
  expect(await screen.findByText('Reminder sent; possible again from 2026-11-23 08:40')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Remind' })).toBeNull();
});

test('after the dispatch the command has another word and is not the main one any more', async () => {
  shown = { ...row, allowedActions: ['send'], openTask: { ...step, node: 'accept' } };
  serve(read);
  page();
  await userEvent.click(await screen.findByRole('button', { name: 'Reassign' }));
  expect(has(bar()[0], 'primary')).toBe(false);
  expect(await screen.findByText('Reassign J-1')).toBeTruthy();
});

test('a no is red and apart, and so is the button of a form in which one says it', async () => {
  shown = { ...row, allowedActions: ['send', 'no', 'check'] };
  serve(read);
  page();
  await screen.findByRole('button', { name: 'Decline' });
  expect(bar().map(({ textContent }) => textContent)).toEqual(['Decline', 'Verify', 'Dispatch']);
  expect([has(bar()[0], 'dangerous'), has(bar()[0], 'x-bar-apart')]).toEqual([true, true]);
  await userEvent.click(screen.getByRole('button', { name: 'Verify' }));
  const form = within(await screen.findByRole('dialog'));
  const button = () => form.getByRole('button', { name: 'Verify' });
  expect(has(button(), 'dangerous')).toBe(false);
  await userEvent.click(form.getByText('Fail'));
  await waitFor(() => expect(has(button(), 'dangerous')).toBe(true));
  await userEvent.click(form.getByText('Pass'));
  await waitFor(() => expect(has(button(), 'dangerous')).toBe(false));
});

test('who has just made the record reads whom it waits for', async () => {
  serve(read);
  const { router } = page();
  await screen.findByText('It is noisy');
  expect(screen.queryByText('Submitted. Waiting for Wei Bin: Dispatch')).toBeNull();
  await router.navigate('/', { state: { sent: true } });
  expect(await screen.findByText('Submitted. Waiting for Wei Bin: Dispatch')).toBeTruthy();
});

test('on a phone the fault comes first, then the lead, then the folded facts', async () => {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) =>
      ({ matches: query === '(width < 768px)', addEventListener() {}, removeEventListener() {} }) as never,
  );
  serve(read);
  page();
  const fault = await screen.findByText('It is noisy');
  const order = [
    fault,
    screen.getByText('Lead'),
    screen.getByText('More details'),
    screen.getByText('Hall 2'),
  ];
  for (const [index, one] of order.slice(1).entries())
    expect(order[index]?.compareDocumentPosition(one)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  expect(screen.getByText('Hall 2').closest('details')?.open).toBe(false);
  vi.restoreAllMocks();
});
