import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { setLanguage } from '@/i18n';
import { beSignedIn, draw } from '@/testing/render';
import { type Asked, serve } from '@/testing/server';
import Followed from './follow.page';

const step = (taskId: string, name: string, assigneeName: string) => ({
  taskId,
  node: name,
  name,
  assigneeName,
  createTime: '2026-11-20 08:00:00',
  isOverdue: false,
});

const row = {
  id: '7',
  processDefinitionName: 'Leave',
  processDefinitionVersion: 2,
  suspensionState: 1,
  parked: null,
  startUser: 'Qin Cao',
  startTime: '2026-11-20 08:00:00',
  endTime: '',
  status: 1,
  statusName: 'Running',
  waits: [step('71', 'Approve', 'Wei Zhang'), step('72', 'Record', 'Jiang Xiu')],
  title: 'Leave of Qin Cao',
  businessNo: 'LC1',
  followActions: ['reassign', 'end'],
};

function plant(codes: readonly string[], answer: object = { moved: 1, left: 0, refused: [] }) {
  return serve({
    'GET /blade-system/menu/buttons': () => codes.map((code) => ({ id: code, code })),
    'GET /blade-flow/follow/list': () => ({ records: [row], total: 1, size: 10, current: 1, pages: 1 }),
    'GET /blade-user/user-list': () => [
      { id: '3', realName: 'Jiang Xiu', account: 'jiang' },
      { id: '4', realName: 'He Kan', account: 'he' },
    ],
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

test('who may only look is offered neither', async () => {
  plant(['flow_follow_view']);
  draw(<Followed />);
  expect(await screen.findByText(/Wei Zhang/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Reassign' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Hand over tasks' })).toBeNull();
});
