import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { setLanguage } from '@/i18n';
import { beSignedIn, draw } from '@/testing/render';
import { Refused, serve } from '@/testing/server';
import { AddedStep } from './AddedStep';

beforeEach(async () => {
  await setLanguage('en-US');
  beSignedIn();
});

const task = {
  taskId: '5',
  taskName: 'Approval',
  node: 'approve',
  processInstanceId: '77',
  outcomes: [
    { value: 'agree', label: 'Approve', positive: true, negative: false },
    { value: 'reject', label: 'Reject', positive: false, negative: true },
  ],
} as unknown as Parameters<typeof AddedStep>[0]['task'];
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

test('an added step is completed with its outcome and the opinion, and leads back to the list', async () => {
  const log = serve({ 'POST /blade-flow/work/complete-task': () => ({}) });
  const { router } = draw(
    <AddedStep task={task} touches={[['work']]} />,
    '/work/process/repair/handle/5/77/9',
  );
  await userEvent.type(await screen.findByRole('textbox'), 'Too dear');
  await press('Reject');
  await waitFor(() => expect(router.state.location.pathname).toBe('/work/todo'));
  expect(log.filter(({ path }) => path.endsWith('complete-task')).map(({ body }) => body)).toEqual([
    { taskId: '5', processInstanceId: '77', outcome: 'reject', comment: 'Too dear' },
  ]);
});

test('a refusal stands beside the buttons, and the opinion stays', async () => {
  serve({
    'POST /blade-flow/work/complete-task': () => {
      throw new Refused(409, { code: 409, msg: 'Taken by Wei', error: 'workflow.taskTaken' });
    },
  });
  const { router } = draw(
    <AddedStep task={task} touches={[['work']]} />,
    '/work/process/repair/handle/5/77/9',
  );
  await userEvent.type(await screen.findByRole('textbox'), 'Fine');
  await press('Approve');
  expect(await screen.findByText(/Taken by Wei/)).toBeTruthy();
  expect(router.state.location.pathname).toBe('/work/process/repair/handle/5/77/9');
  expect(screen.getByRole<HTMLTextAreaElement>('textbox').value).toBe('Fine');
});
