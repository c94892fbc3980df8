import { screen, within } from '@testing-library/react';
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
    'POST /blade-system/queue/retry': () => ({ retried: 2 }),
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
    'Retry',
  ]);
  const timers = screen.getByText('Timers').closest('tr') as HTMLElement;
  within(timers).getByText('Throttled');
  expect(within(timers).queryByText('Retry')).toBeNull();
  await userEvent.click(within(messages).getByText('Retry'));
  const dialog = within(await screen.findByRole('dialog'));
  dialog.getByText('Failed in “Jiangbei”: 2. They are tried again at once.');
  await userEvent.click(dialog.getByRole('button', { name: 'Retry' }));
  const sent = asked.filter(({ method }) => method === 'POST').map(({ path, params }) => ({ path, params }));
  const params = { queue: 'messages', tenantId: '100001' };
  expect(sent).toEqual([{ path: '/blade-system/queue/retry', params }]);
});
