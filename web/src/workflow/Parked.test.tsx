import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { setLanguage } from '@/i18n';
import { beSignedIn, draw } from '@/testing/render';
import { Refused, serve } from '@/testing/server';
import { Parked } from './Parked';

beforeEach(async () => {
  await setLanguage('en-US');
  beSignedIn();
});

const RETRY = 'POST /blade-flow/follow/retry-process-instance';
const buttons = (...codes: string[]) => ({
  'GET /blade-system/menu/buttons': () => codes.map((code) => ({ code, children: [] })),
});
const still = <Parked text="over its limit" processInstanceId="77" />;

test('whoever may lets a process that stands still go on', async () => {
  const log = serve({ ...buttons('flow_follow_retry'), [RETRY]: () => ({}) });
  draw(still);
  await userEvent.click(await screen.findByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('Retried; the process goes on')).toBeTruthy();
  const sent = log.filter(({ method }) => method === 'POST').map(({ params }) => params);
  expect(sent).toEqual([{ processInstanceId: '77' }]);
});

test('a refusal of the retry is told below', async () => {
  serve({
    ...buttons('flow_follow_retry'),
    [RETRY]: () => {
      throw new Refused(409, { code: 409, msg: 'It goes on already', error: 'workflow.notParked' });
    },
  });
  draw(still);
  await userEvent.click(await screen.findByRole('button', { name: 'Retry' }));
  expect(await screen.findByText(/It goes on already/)).toBeTruthy();
});

test('all others read why, and who sees to it', async () => {
  const log = serve(buttons('flow_follow_view'));
  draw(still);
  expect(await screen.findByText(/over its limit\. A process administrator/)).toBeTruthy();
  await waitFor(() => expect(log.some(({ path }) => path.endsWith('/buttons'))).toBe(true));
  expect(screen.queryByRole('button')).toBeNull();
});
