import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { setLanguage } from '@/i18n';
import { beSignedIn, draw } from '@/testing/render';
import { Refused, serve } from '@/testing/server';
import { AddSigners, SignerList } from './Signers';

type Task = Parameters<typeof SignerList>[0]['task'];

beforeEach(async () => {
  await setLanguage('en-US');
  beSignedIn();
});

const signer = {
  userId: '7',
  userName: 'Jiang',
  place: 'before',
  state: 'open',
  addedByName: 'Qian',
  outcomeName: '',
  isNegative: false,
  comment: '',
  endTime: '',
  canRemove: true,
} as const;
const said = { ...signer, userId: '8', userName: 'Shen', state: 'done', canRemove: false } as const;
const task = {
  taskId: '5',
  title: 'Leave',
  signPlaces: ['before', 'after'],
  signers: [
    signer,
    {
      ...said,
      outcomeName: 'Reject',
      isNegative: true,
      comment: 'Too dear',
      endTime: '2026-11-21 08:00:00',
    },
  ],
} as unknown as Task;
const page = { total: 1, size: 50, current: 1, pages: 1 };
const people = {
  'GET /blade-user/select': () => ({
    records: [{ id: '9', code: 'han.d', name: 'Han Dong', selectable: true }],
    ...page,
  }),
};
const sent = (log: { path: string; body: unknown }[], call: string) =>
  log.filter(({ path }) => path.endsWith(call)).map(({ body }) => body);

test('signers are added where the step allows it, with a reason', async () => {
  const log = serve({ ...people, 'POST /blade-flow/work/add-signers': () => ({}) });
  draw(<AddSigners task={task} touches={[['work']]} onClose={() => {}} />, '/');
  const places = (await screen.findAllByRole('radio')).map((one) => one.closest('label')?.textContent);
  expect(places).toEqual([
    'Before me: they give their opinion, then I decide',
    'After me: they sign when I am done',
  ]);
  await userEvent.click(screen.getByLabelText(/After me/));
  await userEvent.click(screen.getByRole('combobox'));
  await userEvent.click(await screen.findByText(/Han Dong/));
  await userEvent.type(screen.getByRole('textbox'), 'please look');
  await userEvent.click(screen.getByRole('button', { name: 'Add signers' }));
  await waitFor(() => expect(sent(log, 'add-signers')).toHaveLength(1));
  expect(sent(log, 'add-signers')).toEqual([
    { taskId: '5', place: 'after', userIds: '9', reason: 'please look' },
  ]);
});

test('what signers said is shown, and who may be removed is removed with a reason', async () => {
  const log = serve({
    'POST /blade-flow/work/remove-signer': () => {
      throw new Refused(409, { code: 409, msg: 'Has signed', error: 'workflow.taskCompleted' });
    },
  });
  draw(<SignerList task={task} touches={[['work']]} />, '/');
  const [first, second] = await screen.findAllByRole('listitem');
  expect(first?.textContent).toContain('JiangCurrentBefore · added by Qian');
  expect(second?.textContent).toMatch(/Shen.*Reject.*2026.*Before · added by Qian.*Too dear/);
  expect(within(second as HTMLElement).queryByRole('button')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Remove' }));
  const drawer = await screen.findByRole('dialog');
  await userEvent.type(within(drawer).getByRole('textbox'), 'not needed');
  await userEvent.click(within(drawer).getByRole('button', { name: 'Remove' }));
  expect(await screen.findByText('Has signed')).toBeTruthy();
  expect(sent(log, 'remove-signer')).toEqual([{ taskId: '5', userId: '7', reason: 'not needed' }]);
});
