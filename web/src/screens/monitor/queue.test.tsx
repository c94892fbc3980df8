import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { setLanguage } from '@/i18n';
import { beSignedIn, draw } from '@/testing/render';
import { serve } from '@/testing/server';
import Queues from './queue.page';

const row = (queue: string, more = {}) => ({
  id: queue,
  tenantId: '100001',
  tenantName: 'Jiangbei',
  queue,
  due: 0,
  later: 0,
  asleep: 0,
  parked: 0,
  lag: 0,
  used: 0,
  budget: 6000,
  isOver: false,
  ...more,
});

test('the figures stand in a row, and what has failed is tried again after a question', async () => {
  await setLanguage('en-US');
  beSignedIn();
  const rows = [
    row('messages', { due: 1200, asleep: 30, parked: 2, lag: 90, used: 17 }),
    row('timers', { isOver: true }),
  ];
  const asked = serve({
    'GET /blade-system/menu/buttons': () => [
      { id: '1', code: 'queue_view' },
      { id: '2', code: 'queue_retry' },
    ],
    'GET /blade-system/queue/list': () => ({ records: rows, total: 2, size: 10, current: 1, pages: 1 }),
    'POST /blade-system/queue/retry': () => ({ retried: 1, left: 1 }),
  });
  draw(<Queues />);
  const messages = (await screen.findByText('Messages')).closest('tr') as HTMLElement;
  expect([...messages.querySelectorAll('td')].map((cell) => cell.textContent)).toEqual([
    'Messages',
    'Failures',
    '90 s',
    '1,200',
    '0',
    '30',
    '2',
    '17 / 6,000',
    'Show failuresRetry all',
  ]);
  const timers = screen.getByText('Timers').closest('tr') as HTMLElement;
  within(timers).getByText('Throttled');
  expect(within(timers).queryByRole('button')).toBeNull();
  await userEvent.click(within(messages).getByText('Retry all'));
  const dialog = within(await screen.findByRole('dialog'));
  dialog.getByText(
    'Failed in “Jiangbei”: 2. They are tried again at once, except for those of processes, which are repaired in Process instances.',
  );
  await userEvent.click(dialog.getByRole('button', { name: 'Retry' }));
  await screen.findByText('1 belongs to a process and was left: repair it in Process instances');
  const sent = asked.filter(({ method }) => method === 'POST').map(({ path, params }) => ({ path, params }));
  const params = { queue: 'messages', tenantId: '100001' };
  expect(sent).toEqual([{ path: '/blade-system/queue/retry', params }]);
});

test('what has failed says why; a process leads to its repair, anything else is tried again or discarded', async () => {
  await setLanguage('en-US');
  beSignedIn();
  const failed = (id: string, more = {}) => ({
    id,
    topic: 'desk.message',
    error: `ValueError: ${id}`,
    attempts: 5,
    processInstanceId: '',
    ...more,
  });
  let left = [failed('1'), failed('2', { topic: 'process.message', processInstanceId: '77' }), failed('3')];
  const asked = serve({
    'GET /blade-system/menu/buttons': () =>
      ['view', 'retry', 'discard'].map((act) => ({ id: act, code: `queue_${act}` })),
    'GET /blade-system/menu/routes': () => [
      {
        id: '1',
        parentId: '0',
        code: 'flow_follow',
        name: 'x',
        alias: '',
        path: '/flow/follow',
        source: 'x',
        sort: 1,
        category: 1,
        action: 0,
        isOpen: 1,
        group: '',
        meta: {},
        query: {},
      },
    ],
    'GET /blade-system/queue/list': () => ({
      records: [row('messages', { parked: left.length })],
      total: 1,
      size: 10,
      current: 1,
      pages: 1,
    }),
    'GET /blade-system/queue/failed': () => ({
      records: left,
      total: left.length,
      size: 20,
      current: 1,
      pages: 1,
    }),
    'POST /blade-system/queue/discard': ({ params }) => {
      left = left.filter(({ id }) => id !== params.ids);
      return { discarded: 1 };
    },
  });
  draw(<Queues />);
  await userEvent.click(await screen.findByText('Show failures'));
  const drawer = within(await screen.findByRole('dialog', { name: 'Failed messages' }));
  const items = (await drawer.findAllByRole('listitem')).map((item) => item.textContent);
  expect(items).toEqual([
    'Message to peopleValueError: 1Tried 5 timesRetryDiscard',
    'Message between processesValueError: 2Tried 5 timesShow process',
    'Message to peopleValueError: 3Tried 5 timesRetryDiscard',
  ]);
  expect(drawer.getByRole('link').getAttribute('href')).toBe('/flow/follow/77');
  await userEvent.click(drawer.getAllByRole('button', { name: 'Discard' })[1] as HTMLElement);
  const question = await screen.findByText(
    '“Message to people” of “Jiangbei” is deleted and not carried out. This cannot be undone.',
  );
  const dialog = within(question.closest('.ant-modal') as HTMLElement);
  await userEvent.click(dialog.getByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(drawer.getAllByRole('listitem')).toHaveLength(2));
  const sent = asked.filter(({ method }) => method === 'POST').map(({ path, params }) => ({ path, params }));
  const params = { queue: 'messages', tenantId: '100001', ids: '3' };
  expect(sent).toEqual([{ path: '/blade-system/queue/discard', params }]);
});
