import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import type { Wire } from '@/api/wire';
import { setLanguage } from '@/i18n';
import { beSignedIn, draw } from '@/testing/render';
import { serve } from '@/testing/server';
import { MachineFigures } from './MachineFigures';
import { MachineMeter } from './MachineMeter';

const kpi = {
  mtbfHours: null,
  mttrMinutes: null,
  availability: 100,
  failureCount: 0,
  upMinutes: 129600,
  downMinutes: 0,
  repairCount: 0,
  windowStart: '2026-01-01',
  windowEnd: '2026-04-01',
};
const lathe = {
  id: '31',
  machineName: 'Lathe 1',
  nodeType: 4,
  runState: 1,
  isSealed: 0,
  meterUnitName: 'h',
  runHours: 1012,
  avgDailyHours: 6,
  lastReadTime: '2026-03-03 08:00:00',
  openRepairCount: 0,
  stopMinutesThisMonth: 0,
  kpi,
} as unknown as Wire<'MachineCard'>;

const reading = (id: string, day: number, value: number, delta: number | null, isReset = 0) => ({
  id,
  readTime: `2026-03-0${day} 08:00:00`,
  value,
  delta,
  isReset,
  userName: 'Qin',
});

function plant(codes: string[], more: Parameters<typeof serve>[0] = {}) {
  return serve({
    ...more,
    'GET /blade-system/menu/buttons': () => codes.map((code) => ({ id: code, code })),
    'GET /blade-system/menu/routes': () => [],
    'GET /yuzhu-equip/meterreading/list': () => ({
      records: [reading('3', 3, 4, 2), reading('2', 2, 2, 2, 1), reading('1', 1, 1008, null)],
      total: 3,
    }),
    'POST /yuzhu-equip/meterreading/submit': () => ({ id: '4' }),
  });
}

beforeEach(async () => {
  await setLanguage('en-US');
  beSignedIn();
});

test('a new counter goes on where the old one ended', async () => {
  plant(['meterreading_view']);
  draw(<MachineMeter machine={lathe} />);
  const chart = await screen.findByRole('img', { name: /Running total/ });
  expect(chart.getAttribute('aria-label')).toBe(
    'Running total from 2026-03-01 to 2026-03-03: 1,008.0 to 1,012.0 h',
  );
  expect([...chart.querySelectorAll('title')].map((title) => title.textContent)).toEqual([
    '2026-03-01 08:00 1,008.0 h',
    '2026-03-02 08:00 2.0 h Meter replaced',
    '2026-03-03 08:00 4.0 h',
  ]);
  expect(screen.queryByRole('button', { name: /Enter reading/ })).toBeNull();
});

test('whoever reads meters enters what the counter shows', async () => {
  const log = plant(['meterreading_view', 'meterreading_add']);
  draw(<MachineMeter machine={lathe} />);
  await userEvent.click(await screen.findByRole('button', { name: /Enter reading/ }));
  await screen.findByText('Lathe 1: last reading 4.0 h (2026-03-03 08:00)');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Please enter reading');
  await userEvent.type(screen.getByLabelText('Reading'), '9.5');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await expect
    .poll(() => log.find((asked) => asked.method === 'POST')?.body)
    .toMatchObject({
      machineId: '31',
      value: 9.5,
    });
});

test('a figure without a denominator is a dash, with what is known instead', () => {
  plant([]);
  const { container } = draw(<MachineFigures machine={lathe} seesRepairs={false} />);
  const shown = Object.fromEntries(
    [...container.querySelectorAll<HTMLElement>('[data-figure]')].map((figure) => [
      figure.dataset.figure,
      [...figure.querySelectorAll('dd')].map((value) => value.textContent),
    ]),
  );
  expect(shown).toEqual({
    mtbf: ['-', 'No failure in 2,160.0 h of up time'],
    mttr: ['-'],
    availability: ['100%'],
    failures: ['0'],
    open: ['0'],
    month: ['0m'],
  });
});

test('the next year is marked as an estimate, with its range, for who sees the KPIs', async () => {
  plant(['kpi_view'], {
    'GET /yuzhu-equip/kpi/nextYear': () => ({
      machineId: '31',
      estimate: { low: 120.4, middle: 5508, high: 11016, months: 11 },
    }),
  });
  const { container } = draw(<MachineFigures machine={lathe} seesRepairs={false} />);
  const shown = () => container.querySelector('[data-figure=nextYear]')?.textContent;
  await expect
    .poll(shown)
    .toBe(
      'Cost of the next 12 months (estimate)About ¥5,508¥120 – ¥11,016, by the last 11 complete reporting months',
    );
});
