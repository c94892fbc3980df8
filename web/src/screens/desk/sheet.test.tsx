import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { setLanguage } from '@/i18n';
import { beSignedIn, draw } from '@/testing/render';
import { serve } from '@/testing/server';
import Sheets from './sheet.page';

const row = (id: string, state: number, more = {}) => ({
  id,
  kind: 1,
  kindName: 'Export',
  userId: '7',
  userName: 'Qian',
  state,
  stateName: ['', 'Queued', 'Running', 'Done', 'Failed', 'Cancelled'][state],
  title: `Assets ${id}`,
  call: 'yuzhu-equip/inspectmachine/export',
  query: { machineName: 'a' },
  total: 12000,
  done: 3000,
  created: 0,
  updated: 0,
  wrong: 0,
  isStopping: 0,
  reason: '',
  fileName: '',
  fileSize: 0,
  createTime: '2026-03-02 08:30:00',
  startTime: null,
  endTime: null,
  ...more,
});

test('a row tells how far its export is, and one that runs is cancelled after a question', async () => {
  await setLanguage('en-US');
  beSignedIn();
  const rows = [row('1', 2), row('2', 4, { reason: 'You have no permission' })];
  const asked = serve({
    'GET /blade-system/menu/buttons': () => [{ id: '1', code: 'sheetjob_view' }],
    'GET /blade-desk/sheetjob/list': () => ({ records: rows, total: 2, size: 10, current: 1, pages: 1 }),
    'POST /blade-desk/sheetjob/cancel': () => null,
  });
  draw(<Sheets />);
  const runs = within((await screen.findByText('Assets 1')).closest('tr') as HTMLElement);
  runs.getByText('Running');
  runs.getByText('3,000 / 12,000');
  within(screen.getByText('Assets 2').closest('tr') as HTMLElement).getByText('You have no permission');
  await userEvent.click(runs.getByText('Cancel export'));
  const dialog = within(await screen.findByRole('dialog'));
  dialog.getByText('The export of “Assets 1” is cancelled.');
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel export' }));
  const sent = asked.filter(({ method }) => method === 'POST').map(({ path, params }) => ({ path, params }));
  expect(sent).toEqual([{ path: '/blade-desk/sheetjob/cancel', params: { id: '1' } }]);
});

test('an import tells what came of its rows, and its wrong ones are loaded by whoever asked for it', async () => {
  await setLanguage('en-US');
  beSignedIn();
  const done = { kind: 2, kindName: 'Import', done: 12000, created: 11000, updated: 990, wrong: 10 };
  const rows = [
    row('1', 3, { ...done, fileName: 'Assets-not imported.xlsx' }),
    row('2', 2, { ...done, done: 5 }),
  ];
  const asked = serve({
    'GET /blade-system/menu/buttons': () => [{ id: '1', code: 'sheetjob_view' }],
    'GET /blade-desk/sheetjob/list': () => ({ records: rows, total: 2, size: 10, current: 1, pages: 1 }),
    'POST /blade-desk/sheetjob/cancel': () => null,
  });
  draw(<Sheets />);
  const first = within((await screen.findByText('Assets 1')).closest('tr') as HTMLElement);
  first.getByText('Import');
  first.getByText('Added: 11000 · Updated: 990 · Not imported: 10');
  first.getByText('Download rows not imported');
  expect(first.queryByText('Export again')).toBeNull();
  const runs = within(screen.getByText('Assets 2').closest('tr') as HTMLElement);
  await userEvent.click(runs.getByText('Cancel import'));
  const dialog = within(await screen.findByRole('dialog'));
  dialog.getByText('The import of “Assets 2” is cancelled. Rows that have been imported stay.');
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel import' }));
  expect(asked.filter(({ method }) => method === 'POST').map(({ params }) => params)).toEqual([{ id: '2' }]);
});
