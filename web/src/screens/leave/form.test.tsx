import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import dayjs from 'dayjs';
import { beforeEach, expect, test } from 'vitest';
import { leave } from '@/api/cases/leave';
import { setLanguage } from '@/i18n';
import { draw } from '@/testing/render';
import { type Asked, Refused, serve } from '@/testing/server';
import { CaseDocument } from '@/workflow/cases/CaseDocument';
import { CaseForm } from '@/workflow/cases/CaseForm';
import type { CaseScreen } from '@/workflow/cases/screen';
import screenOfLeave from './leave.case';

const AskForLeave = () => <CaseForm of={leave} screen={screenOfLeave as CaseScreen} />;

beforeEach(() => setLanguage('en-US'));

const draft = {
  id: '9',
  type: 1,
  typeName: 'Personal',
  startTime: '2026-03-05 08:00:00',
  endTime: '2026-03-06 12:00:00',
  days: 1.5,
  reason: 'Moving house',
  taskUser: '',
  taskUserName: '',
  attachments: [],
};
const around = {
  'GET /blade-desk/process/leave/form': () => ({ draft, approver: '3', approverName: 'Li' }),
  'GET /blade-user/select': () => ({ records: [], total: 0, size: 50, current: 1, pages: 0 }),
  'GET /blade-system/dict-biz/dictionary': () => [
    { dictKey: '1', dictValue: 'Personal', remark: '' },
    { dictKey: '2', dictValue: 'Sick', remark: '' },
  ],
};
const saved = { id: '9', leaveNo: 'QJ1', status: 2, statusName: 'In approval', lockVersion: 1 };
const sends = (log: Asked[], call: string) =>
  log.filter(({ path }) => path === `/blade-desk/process/leave/${call}`);
const click = (name: string) => userEvent.click(screen.getByRole('button', { name }));

test('a draft is gone on with, its days counted, and sent as the request', async () => {
  const log = serve({ ...around, 'POST /blade-desk/process/leave/start-process': () => saved });
  const { router } = draw(<AskForLeave />, '/work/process/leave/form/7');
  expect(await screen.findByText('1.5 days in all.')).toBeTruthy();
  expect(screen.getByText('Head of the department: Li')).toBeTruthy();
  await click('Send request');
  await waitFor(() => expect(router.state.location.pathname).toBe('/work/process/leave/detail/-/9'));
  // The page of the record says that it arrived.
  expect(router.state.location.state).toEqual({ sent: true });
  const [sent] = sends(log, 'start-process');
  expect(sent?.body).toMatchObject({ type: 1, startTime: draft.startTime, reason: 'Moving house' });
  expect(sent?.headers['Idempotency-Key']).toMatch(/^[0-9a-f]{32}$/);
});

test('what is missing is said and nothing is sent, but it can be kept as a draft', async () => {
  const log = serve({
    ...around,
    'GET /blade-desk/process/leave/form': () => ({ draft: null, approver: '', approverName: '' }),
    'POST /blade-desk/process/leave/save-draft': () => ({ id: '9' }),
  });
  const { router } = draw(<AskForLeave />, '/work/process/leave/form/7');
  await userEvent.type(await screen.findByLabelText('Reason'), 'Perhaps');
  await click('Send request');
  for (const sentence of ['Please select type', 'Please select from', 'Please select to'])
    expect(await screen.findByText(sentence)).toBeTruthy();
  expect(screen.getByText('Your department has no head, please choose an approver')).toBeTruthy();
  expect(sends(log, 'start-process')).toEqual([]);
  await click('Save draft');
  await waitFor(() => expect(router.state.location.pathname).toBe('/work/start'));
  expect(sends(log, 'save-draft')[0]?.body).toMatchObject({ reason: 'Perhaps' });
});

test('an end before the start is not sent', async () => {
  const backwards = { ...draft, endTime: '2026-03-05 07:00:00' };
  const log = serve({
    ...around,
    'GET /blade-desk/process/leave/form': () => ({ draft: backwards, approver: '3', approverName: 'Li' }),
  });
  draw(<AskForLeave />, '/work/process/leave/form/7');
  await screen.findByText('This is the draft that you saved.');
  await click('Send request');
  expect(await screen.findByText('End must be after start')).toBeTruthy();
  expect(sends(log, 'start-process')).toEqual([]);
});

test('an overlap is told under the start', async () => {
  const text = 'This overlaps with another leave of yours';
  serve({
    ...around,
    'POST /blade-desk/process/leave/start-process': () => {
      throw new Refused(400, {
        code: 400,
        msg: text,
        error: 'leave.overlap',
        data: { fields: { startTime: text } },
      });
    },
  });
  const { router } = draw(<AskForLeave />, '/work/process/leave/form/7');
  await screen.findByText('This is the draft that you saved.');
  await click('Send request');
  expect(await screen.findByText(text)).toBeTruthy();
  expect(router.state.location.pathname).toBe('/work/process/leave/form/7');
});

test('a day and a length fill in from when to when, and the day counts at once', async () => {
  serve({
    ...around,
    'GET /blade-desk/process/leave/form': () => ({ draft: null, approver: '3', approverName: 'Li' }),
  });
  draw(<AskForLeave />, '/work/process/leave/form/7');
  const soon = await screen.findByRole('radiogroup', { name: 'First day' });
  await userEvent.click(within(soon).getByRole('radio', { name: 'Tomorrow' }));
  expect(await screen.findByText('1 day in all.')).toBeTruthy();
  const length = screen.getByRole('radiogroup', { name: 'Length' });
  await userEvent.click(within(length).getByRole('radio', { name: '3 days' }));
  expect(await screen.findByText('3 days in all.')).toBeTruthy();
  const tomorrow = dayjs().add(1, 'day');
  const shown = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value.slice(0, 10);
  expect(shown('From')).toBe(tomorrow.format('YYYY-MM-DD'));
  expect(shown('To')).toBe(tomorrow.add(2, 'day').format('YYYY-MM-DD'));
  const half = screen.getByRole('radiogroup', { name: 'To · Half day' });
  await userEvent.click(within(half).getByText('Morning'));
  expect(await screen.findByText('2.5 days in all.')).toBeTruthy();
});

const record = {
  ...draft,
  leaveNo: 'QJ1',
  userName: 'Qin',
  status: 4,
  statusName: 'Rejected',
  lockVersion: 2,
  processInstanceId: '',
  nextText: '',
  allowedActions: [],
  openTask: null,
  comments: [],
  logs: [
    {
      time: '2026-03-01 09:00:00',
      userName: 'Li',
      action: 'reject',
      actionName: 'Reject',
      remark: 'First',
      changes: [],
    },
    {
      time: '2026-03-02 09:00:00',
      userName: 'Du',
      action: 'reject',
      actionName: 'Reject',
      remark: 'Busy week',
      toStatusName: 'Rejected',
      changes: [],
    },
  ],
};

test('the form is called by its noun, and both rows of short words say what they are', async () => {
  serve({
    ...around,
    'GET /blade-desk/process/leave/form': () => ({ draft: null, approver: '3', approverName: 'Li' }),
  });
  draw(<AskForLeave />, '/work/process/leave/form/7');
  expect(await screen.findByRole('heading', { name: 'Leave request' })).toBeTruthy();
  for (const word of ['First day', 'Length']) expect(screen.getByText(word)).toBeTruthy();
});

test('the record says its days with their unit', async () => {
  serve({ ...around, 'GET /blade-desk/process/leave/detail': () => ({ ...record, days: 1.5 }) });
  draw(<CaseDocument of={leave} screen={screenOfLeave as CaseScreen} id="9" parent="/work/send" />);
  expect(await screen.findByText('1.5 days')).toBeTruthy();
});

test('why it was rejected stands in the head, and only while it is', async () => {
  let shown: object = record;
  serve({ ...around, 'GET /blade-desk/process/leave/detail': () => shown });
  const Page = () => (
    <CaseDocument of={leave} screen={screenOfLeave as CaseScreen} id="9" parent="/work/send" />
  );
  const { unmount } = draw(<Page />);
  const note = within(await screen.findByRole('alert'));
  expect(note.getByText('Reject: Du, 2026-03-02 09:00')).toBeTruthy();
  expect(note.getByText('Busy week')).toBeTruthy();
  unmount();
  shown = { ...record, status: 2, statusName: 'In approval' };
  draw(<Page />);
  await screen.findByText('In approval');
  expect(screen.queryByRole('alert')).toBeNull();
});
