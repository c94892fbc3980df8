import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { setLanguage } from '@/i18n';
import '@/session/sign';
import { beSignedIn, draw } from '@/testing/render';
import { serve } from '@/testing/server';
import Jobs from './job.page';

const CALL = '/yuzhu-task/schedulejob';
const job = (id: string, jobName: string, parameters: unknown[]) => ({
  id,
  uuid: `u${id}`,
  jobCode: `job.${id}`,
  jobName,
  text: '',
  group: 1,
  scheduleType: 1,
  cron: '0 0 1 * * ?',
  tenantScope: 1,
  tenantIds: '',
  alarmUserIds: '',
  status: 1,
  statusName: 'Running',
  running: 0,
  blockStrategy: 1,
  misfire: 1,
  timeoutSeconds: 600,
  retryCount: 0,
  lockVersion: 3,
  params: {},
  parameters,
});
const DAYS = { name: 'aheadDays', label: 'Days ahead', least: 0, most: 31, value: 5 };

beforeEach(async () => {
  await setLanguage('en-US');
  beSignedIn();
});

test('a job that takes numbers asks for them before a run, any other one only whether', async () => {
  const records = [job('1', 'Make tasks', [DAYS]), job('2', 'Refresh', [])];
  const asked = serve({
    'GET /blade-system/menu/buttons': () =>
      ['schedulejob_view', 'schedulejob_run'].map((code) => ({ id: code, code })),
    'GET /blade-system/menu/routes': () => [],
    [`GET ${CALL}/list`]: () => ({ records, total: 2, size: 10, current: 1, pages: 1 }),
    [`POST ${CALL}/run`]: () => ({ id: '1', status: 1, running: 1, nextFireTime: null }),
  });
  draw(<Jobs />);
  const line = async (name: string) => within((await screen.findByText(name)).closest('tr') as HTMLElement);
  await userEvent.click((await line('Make tasks')).getByText('Run once'));
  const drawer = within(await screen.findByRole('dialog'));
  const days = drawer.getByRole('spinbutton', { name: /Days ahead/ });
  expect((days as HTMLInputElement).value).toBe('5');
  await userEvent.clear(days);
  await userEvent.type(days, '32');
  await userEvent.click(drawer.getByRole('button', { name: 'Run once' }));
  await drawer.findByText('Days ahead must be between 0 and 31');
  await userEvent.clear(days);
  await userEvent.type(days, '7');
  await userEvent.click(drawer.getByRole('button', { name: 'Run once' }));
  const sent = () => asked.filter(({ method }) => method === 'POST').map(({ body }) => body);
  await waitFor(() => expect(sent()).toEqual([{ id: '1', params: { aheadDays: 7 } }]));
});
