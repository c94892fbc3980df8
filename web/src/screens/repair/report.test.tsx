import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { repairorder } from '@/api/cases/repairorder';
import { api } from '@/api/client';
import { setLanguage } from '@/i18n';
import '@/session/sign';
import { withIndexedDb } from '@/testing/indexedDb';
import { beSignedIn, draw } from '@/testing/render';
import { type Asked, Refused, serve } from '@/testing/server';
import { CaseForm } from '@/workflow/cases/CaseForm';
import type { CaseScreen } from '@/workflow/cases/screen';
import repair from './repairorder.case';

const ReportFault = () => <CaseForm of={repairorder} screen={repair as CaseScreen} />;

withIndexedDb(['7']);
beforeEach(() => setLanguage('en-US'));

const around = {
  'GET /yuzhu-equip/inspectmachine/select': () => ({ records: [], total: 0, size: 50, current: 1, pages: 0 }),
  'GET /yuzhu-equip/equiptags/select': () => ({ records: [], total: 0, size: 50, current: 1, pages: 0 }),
};
const saved = { id: '77', orderNo: 'WX1', status: 1, statusName: 'To dispatch', lockVersion: 1 };
const alike = {
  id: '66',
  orderNo: 'WX0',
  title: 'Noise',
  statusName: 'Repairing',
  reportTime: '2026-11-21 08:00:00',
};

const sends = (log: Asked[]) => log.filter(({ path }) => path === '/yuzhu-equip/repairorder/save');
const key = (asked: Asked | undefined) => asked?.headers['Idempotency-Key'];
const report = () => userEvent.click(screen.getByRole('button', { name: 'Report fault' }));

async function fill() {
  await userEvent.type(await screen.findByLabelText('Description'), 'strange noise');
}

test('a likely duplicate is shown, and reported anyway it is another request with force', async () => {
  const log = serve({
    ...around,
    'POST /yuzhu-equip/repairorder/save': ({ body }) =>
      (body as { force: number }).force ? saved : { needConfirm: true, orders: [alike] },
  });
  const { router } = draw(<ReportFault />, '/repair/report?machineId=5');
  await fill();
  await report();
  expect(await screen.findByText('Noise')).toBeTruthy();
  screen.getByText('This asset already has open work order WX0. Report the fault anyway?');
  await userEvent.click(screen.getByRole('button', { name: 'Different fault, report anyway' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/repair/order/77'));
  // The page of the order says that it arrived, and whom it waits for.
  expect(router.state.location.state).toEqual({ sent: true });
  const [first, second] = sends(log);
  expect(first?.body).toEqual({
    machineId: '5',
    description: 'strange noise',
    urgency: 3,
    isStop: 0,
    images: [],
    files: [],
    clientTime: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    sentTime: expect.any(String),
  });
  expect(second?.body).toMatchObject({ force: 1 });
  expect(key(first)).toMatch(/^[0-9a-f]{32}$/);
  expect(key(second)).not.toBe(key(first));
});

test('what failed on the way is sent again under the same key, so that it is stored once', async () => {
  let tries = 0;
  const log = serve({
    ...around,
    'POST /yuzhu-equip/repairorder/save': () => {
      tries += 1;
      if (tries === 1) throw new Refused(502, {});
      return saved;
    },
  });
  const { router } = draw(<ReportFault />, '/repair/report?machineId=5');
  await fill();
  await report();
  await screen.findByRole('alert');
  await report();
  await waitFor(() => expect(router.state.location.pathname).toBe('/repair/order/77'));
  const [first, second] = sends(log);
  expect(key(second)).toBe(key(first));
});

test('what was written is there again after a reload, for the same machine, until it is sent', async () => {
  beSignedIn();
  serve({ ...around, 'POST /yuzhu-equip/repairorder/save': () => saved });
  const open = (machineId: string) => draw(<ReportFault />, `/repair/report?machineId=${machineId}`);
  const description = () => screen.findByLabelText<HTMLTextAreaElement>('Description');
  const first = open('5');
  await fill();
  await waitFor(() => expect(JSON.stringify({ ...localStorage })).toContain('strange noise'));
  first.unmount();
  const other = open('6');
  expect((await description()).value).toBe('');
  other.unmount();
  const second = open('5');
  expect((await description()).value).toBe('strange noise');
  expect(screen.getByText(/^Restored your unsubmitted entries/)).toBeTruthy();
  await report();
  await waitFor(() => expect(second.router.state.location.pathname).toBe('/repair/order/77'));
  expect(JSON.stringify({ ...localStorage })).not.toContain('strange noise');
});

test('a description that says nothing is not sent', async () => {
  const log = serve(around);
  draw(<ReportFault />, '/repair/report?machineId=5');
  await userEvent.type(await screen.findByLabelText('Description'), 'bad');
  await report();
  expect(await screen.findByText('Please enter a description (at least 4 characters)')).toBeTruthy();
  expect(sends(log)).toEqual([]);
});

test('a recording and files are taken on this device, to be sent with the report', async () => {
  beSignedIn();
  serve(around);
  const upload = vi.spyOn(api, 'upload');
  draw(<ReportFault />, '/repair/report?machineId=5');
  await fill();
  const choose = async (label: string, name: string, type: string) => {
    await userEvent.upload(screen.getByLabelText(label), new File(['x'], name, { type }), {
      applyAccept: false,
    });
  };
  // Here is no recorder: a file is offered.
  await choose('Choose a recording', 'said.mp3', 'audio/mpeg');
  await screen.findByLabelText('Listen to the recording');
  await choose('Attach files', 'plan.pdf', 'application/pdf');
  await screen.findByRole('link', { name: 'plan.pdf' });
  // They go when the report does: session/offline/queue.test.ts.
  expect(upload).not.toHaveBeenCalled();
});
