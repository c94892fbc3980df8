import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { setLanguage } from '@/i18n';
import { beSignedIn, draw } from '@/testing/render';
import { type Asked, serve } from '@/testing/server';
import { HandForm } from './HandForm';

beforeEach(async () => {
  await setLanguage('en-US');
  beSignedIn();
});

const task = { taskId: '5', processInstanceId: '77', title: 'Seal' };
const steps = [
  {
    node: 'sign',
    name: 'Countersign',
    userName: 'Wei',
    endTime: '2026-11-21 09:00:00',
    walksAgain: true,
    comesBack: false,
    ends: [{ name: 'Finance', assigneeName: 'Du' }],
  },
  {
    node: 'draft',
    name: 'Draft',
    userName: 'Jiang',
    endTime: '2026-11-21 08:00:00',
    walksAgain: true,
    comesBack: true,
    ends: [],
  },
];
const sent = (log: Asked[]) =>
  log.filter(({ path }) => path.endsWith('-back')).map(({ path, body }) => [path, body]);

test('a task is sent back to a step that one chooses, with what ends and how it goes on', async () => {
  const log = serve({
    'GET /blade-flow/work/earlier-steps': () => steps,
    'POST /blade-flow/work/send-back': () => ({}),
  });
  draw(<HandForm hand="sendBack" task={task} touches={[]} onClose={() => undefined} />);
  expect(await screen.findByText('Also ended: Finance (Du).')).toBeTruthy();
  expect(screen.queryByLabelText('Come straight back to me')).toBeNull();
  await userEvent.click(screen.getByLabelText('Send back to'));
  await userEvent.click(await screen.findByText('Draft (Jiang, 2026-11-21 08:00)'));
  expect(await screen.findByText('No other open task is affected.')).toBeTruthy();
  await userEvent.click(screen.getByLabelText('Come straight back to me'));
  expect(screen.getByText(/Other open tasks stay as they are/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Send back' }));
  expect(await screen.findByText(/Please enter/i)).toBeTruthy();
  expect(sent(log)).toEqual([]);
  await userEvent.type(screen.getByLabelText('Reason'), ' wrong sum ');
  await userEvent.click(screen.getByRole('button', { name: 'Send back' }));
  const body = { taskId: '5', to: 'draft', comesBack: true, reason: 'wrong sum' };
  await waitFor(() => expect(sent(log)).toEqual([['/blade-flow/work/send-back', body]]));
});

test('taking back asks nothing but a yes', async () => {
  const log = serve({ 'POST /blade-flow/work/take-back': () => ({}) });
  draw(<HandForm hand="takeBack" task={task} touches={[]} onClose={() => undefined} />);
  expect(screen.queryByLabelText('Reason')).toBeNull();
  await userEvent.click(await screen.findByRole('button', { name: 'Take back' }));
  await waitFor(() => expect(sent(log)).toEqual([['/blade-flow/work/take-back', { taskId: '5' }]]));
});
