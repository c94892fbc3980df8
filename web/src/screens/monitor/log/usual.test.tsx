import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { setLanguage } from '@/i18n';
import { beSignedIn, draw } from '@/testing/render';
import { serve } from '@/testing/server';
import UsualLog from './usual.page';

const event = (id: string, operation: string, outcome = '', changes = '') => ({
  id,
  createTime: '2026-11-21 16:37:00',
  operation,
  createBy: 'Wei Bin',
  client: 'web',
  remoteIp: '',
  businessType: operation.split('.')[0],
  businessId: '12',
  outcome,
  remark: '',
  changes,
  requestId: '',
});
const events = [
  event('1', 'repairorder.dispatch', 'dispatch'),
  event('2', 'user.edit', '', 'Phone: empty → 139****5678\nStatus: Enabled → Disabled'),
  event('3', 'gauge.calibrate'),
  event('4', 'draft.deploy'),
];

beforeEach(async () => {
  await setLanguage('en-US');
  beSignedIn();
  serve({
    'GET /blade-system/menu/buttons': () => [{ id: '1', code: 'log_usual_view' }],
    'GET /blade-system/menu/routes': () => [
      { id: '9', path: '/repair/order', name: 'Work orders', code: 'order' },
    ],
    'GET /blade-log/usual/list': () => ({ records: events, total: 4, size: 10, current: 1, pages: 1 }),
    'GET /blade-log/usual/detail': ({ params }) => events.find((one) => one.id === params.id),
  });
});

test('acts are told in words; one that the console does not know keeps its name', async () => {
  draw(<UsualLog />);
  await screen.findByText('Work order · Dispatch');
  screen.getByText('User · Edit');
  screen.getByText('Draft · Deploy');
  screen.getByText('gauge.calibrate');
  expect(screen.queryByText('repairorder.dispatch')).toBeNull();
});

test('the detail is as readable as the list, and leads to the order', async () => {
  draw(<UsualLog />);
  await userEvent.click(await screen.findByText('Work order · Dispatch'));
  const detail = within(await screen.findByRole('dialog'));
  const link = await detail.findByRole('link', { name: 'Open the work order' });
  expect(link.getAttribute('href')).toBe('/repair/order/12');
  detail.getByText('Work order · Dispatch');
  const facts = detail.getAllByRole('definition').map((fact) => fact.textContent);
  expect(facts).toEqual([
    '2026-11-21 16:37:00',
    'Wei Bin',
    'Web',
    '-',
    'Work order',
    '12',
    'Dispatch',
    '-',
    '-',
    '-',
  ]);
});

test('what an edit changed is told field by field', async () => {
  draw(<UsualLog />);
  const lines = await screen.findAllByText(/ → /);
  expect(lines.map((line) => line.textContent)).toEqual([
    'Phone: empty → 139****5678',
    'Status: Enabled → Disabled',
  ]);
});
