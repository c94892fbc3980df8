import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { setLanguage } from '@/i18n';
import { beSignedIn, draw } from '@/testing/render';
import { serve } from '@/testing/server';
import SealChecks from './seal.page';

const check = (id: string, state: number, stateName: string, more = {}) => ({
  id,
  state,
  stateName,
  userName: '',
  beginTime: `2026-11-24 0${id}:00:00`,
  endTime: `2026-11-24 0${id}:00:07`,
  total: 1200,
  seals: 1200,
  rows: 56000,
  fromTime: '2026-01-01 08:00:00',
  toTime: '2026-11-24 00:59:00',
  waiting: 3,
  faultCount: 0,
  faults: [],
  ...more,
});
const BROKEN = check('2', 4, 'Broken', {
  faultCount: 22,
  faults: [
    {
      number: 7,
      what: '2 of 40 entries are missing',
      fromTime: '',
      toTime: '2026-02-01 00:00:00',
      sealedTime: '2026-02-01 00:05:00',
    },
    {
      number: 9,
      what: 'The chain was cut after batch 8; this batch was there before',
      fromTime: '',
      toTime: '',
      sealedTime: '',
    },
  ],
});
const STATE = {
  seals: 1200,
  sealedTime: '2026-11-24 01:05:00',
  toTime: '2026-11-24 00:59:00',
  waiting: 3,
  nextTime: '2026-11-25 01:00:00',
  last: check('1', 3, 'Intact'),
  running: null as unknown,
};

function serveChecks(codes: string[], state: () => unknown, rows: () => unknown[], more = {}) {
  return serve({
    'GET /blade-system/menu/buttons': () => codes.map((code) => ({ id: code, code: `sealcheck_${code}` })),
    'GET /blade-log/sealcheck/state': state,
    'GET /blade-log/sealcheck/list': () => ({
      records: rows(),
      total: rows().length,
      size: 10,
      current: 1,
      pages: 1,
    }),
    ...more,
  });
}

const facts = () => screen.getAllByRole('definition').map((one) => one.textContent);

beforeEach(async () => {
  await setLanguage('en-US');
  beSignedIn();
});

test('the state says up to where the log is sealed, and that it is unchanged', async () => {
  serveChecks(
    ['view'],
    () => STATE,
    () => [STATE.last],
  );
  draw(<SealChecks />);
  await screen.findByText('All sealed entries are unchanged since they were sealed.');
  expect(facts()).toEqual([
    '2026-11-24 00:59:00',
    '2026-11-24 01:05:00',
    '3',
    '2026-11-24 01:00:07',
    '2026-11-25 01:00:00',
  ]);
  const [, row] = await screen.findAllByRole('row');
  expect([...(row as HTMLElement).querySelectorAll('td')].map((cell) => cell.textContent)).toEqual([
    '2026-11-24 01:00:00',
    '2026-11-24 01:00:07',
    'Intact',
    '1,200',
    '56,000',
    '0',
    'Daily',
  ]);
  expect(screen.queryByRole('button', { name: 'Verify now' })).toBeNull();
});

test('a check is started, shows how far it is, and can be left', async () => {
  let running: unknown = null;
  const asked = serveChecks(
    ['view', 'start'],
    () => ({ ...STATE, waiting: 10_000, running }),
    () => [STATE.last],
    {
      'POST /blade-log/sealcheck/start': () => {
        running = check('3', 2, 'Running', { seals: 300, endTime: null, userName: 'Zhao Ming' });
        return { id: '3' };
      },
    },
  );
  draw(<SealChecks />);
  const button = await screen.findByRole('button', { name: 'Verify now' });
  await screen.findByText('more than 9,999');
  await userEvent.click(button);
  const status = within(await screen.findByRole('status'));
  status.getByText('300 / 1,200');
  status.getByText('A check is running. You can leave this page; you are told if it finds anything.');
  expect(status.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('25');
  await waitFor(() => expect(button).toHaveProperty('disabled', true));
  expect(asked.filter(({ method }) => method === 'POST').map(({ path, params }) => [path, params])).toEqual([
    ['/blade-log/sealcheck/start', { log: 'usual' }],
  ]);
});

test('what was found stands above and in the drawer of the check', async () => {
  serveChecks(
    ['view'],
    () => ({ ...STATE, last: BROKEN }),
    () => [BROKEN],
    { 'GET /blade-log/sealcheck/detail': () => BROKEN },
  );
  draw(<SealChecks />);
  const expected = [
    'Batch 72 of 40 entries are missingEntries … – 2026-02-01 00:00:00, sealed 2026-02-01 00:05:00',
    'Batch 9The chain was cut after batch 8; this batch was there before',
    '20 more',
  ];
  const alert = within(await screen.findByRole('alert'));
  alert.getByText(/^The audit log differs from what was sealed\./);
  expect(alert.getAllByRole('listitem').map((item) => item.textContent)).toEqual(expected);
  await userEvent.click(await screen.findByText('2026-11-24 02:00:00'));
  const drawer = within(await screen.findByRole('dialog'));
  await drawer.findByText('Findings (22)');
  expect(drawer.getAllByRole('listitem').map((item) => item.textContent)).toEqual(expected);
  expect(drawer.getAllByRole('definition').map((one) => one.textContent)).toEqual([
    '2026-11-24 02:00:00',
    '2026-11-24 02:00:07',
    'Daily',
    '1,200 / 1,200',
    '56,000',
    '3',
    '2026-01-01 08:00:00 – 2026-11-24 00:59:00',
  ]);
});

test('before the first check the page says when there will be one', async () => {
  await setLanguage('zh-CN');
  serveChecks(
    ['view'],
    () => ({ ...STATE, last: null }),
    () => [],
  );
  draw(<SealChecks />);
  await screen.findByText('尚未校验');
  await screen.findByText('暂无校验记录');
});
