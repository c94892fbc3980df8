import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { setLanguage } from '@/i18n';
import { beSignedIn, draw } from '@/testing/render';
import { type Asked, serve } from '@/testing/server';
import { Report, type ReportPage } from './Report';
import { type Printed, reportPdf } from './reportPdf';

vi.mock('./reportPdf', () => ({ reportPdf: vi.fn(async () => new Blob(['%PDF'])) }));
vi.mock('@/lib/save', () => ({ save: vi.fn() }));

const page: ReportPage = {
  records: [{ key: '1', name: 'Press', failures: 2 }],
  total: 1,
  size: 10,
  current: 1,
  pages: 1,
  columns: [
    { key: 'name', title: 'Asset', kind: 'text', figure: '' },
    { key: 'failures', title: 'Failures', kind: 'count', figure: '' },
  ],
  summary: { failures: 2 },
  from: '2026-08-26',
  to: '2026-09-25',
};

const Screen = () => (
  <Report
    name="r"
    title="Figures"
    rowKey="key"
    load={async () => page}
    file={() => '/yuzhu-equip/kpi/export'}
    groups={[{ value: 'machine', label: 'By asset' }]}
    filters={[
      { kind: 'text', name: 'keyword', label: 'Name' },
      { kind: 'month', name: 'month', label: 'Reporting month' },
      { kind: 'dates', name: 'days', label: 'Other dates', bounds: ['startDate', 'endDate'] },
      {
        kind: 'reference',
        name: 'deptId',
        label: 'Department',
        source: { ref: '/blade-system/dept/select' },
      },
    ]}
  />
);

/** A department that is on no page of the list, and is found by its id alone. */
const departments = {
  'GET /blade-system/dept/select': ({ params }: Asked) => ({
    records: params.ids === '40' ? [{ id: '40', name: 'Foundry' }] : [],
    total: 0,
    size: 50,
    current: 1,
    pages: 0,
  }),
};

beforeEach(() => {
  setLanguage('en-US');
  beSignedIn();
  vi.mocked(reportPdf).mockClear();
});

test('the PDF says what was asked for, also of a department that no list has shown', async () => {
  serve(departments);
  draw(<Screen />, '/?year=2026&month=9&deptId=40&keyword=pump');
  await userEvent.click(await screen.findByRole('button', { name: 'Export to PDF' }));
  await waitFor(() => expect(reportPdf).toHaveBeenCalledTimes(1));
  const [printed] = vi.mocked(reportPdf).mock.calls[0] as [Printed];
  expect(printed.about).toEqual([
    '2026-08-26 to 2026-09-25',
    'By asset',
    'Name: pump',
    'Reporting month: 2026-09',
    'Department: Foundry',
  ]);
});

test('days take the place of a reporting month, which would count no more', async () => {
  serve(departments);
  const { router } = draw(<Screen />, '/?year=2026&month=9&keyword=pump');
  await userEvent.click(await screen.findByPlaceholderText('Other dates from'));
  await userEvent.click(await screen.findByText('Today'));
  await waitFor(() => expect(router.state.location.search).toContain('startDate='));
  const asked = new URLSearchParams(router.state.location.search);
  expect([...asked.keys()].sort()).toEqual(['endDate', 'keyword', 'startDate']);
});
