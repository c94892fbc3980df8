import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { setLanguage } from '@/i18n';
import { reached } from '@/session/net';
import { beSignedIn, draw } from '@/testing/render';
import { serve } from '@/testing/server';
import { Wall } from './Wall';

const totals = { machineRunning: 41, machineTotal: 45, machineStopped: 2, spareKinds: 9, safeDays: null };
const upkeep = {
  compliance: 100,
  onTime: 1,
  due: 1,
  list: [],
  reliability: { availability: 99.8, mttrMinutes: null },
};
const checks = { completionRate: null, done: 0, due: 0, missed: 0, abnormal: 0, itemChecked: 0, byGroup: [] };

test('the wall board keeps its last figures without a network and says of when they are; Esc leaves it', async () => {
  await setLanguage('en-US');
  beSignedIn();
  serve({
    'GET /blade-system/menu/buttons': () => [],
    'GET /blade-system/menu/routes': () => [],
    'GET /yuzhu-equip/homeMetric/cumulativeData': () => totals,
    'GET /yuzhu-equip/homeMetric/inspectionOverviewData': () => checks,
    'GET /yuzhu-equip/homeMetric/equipmentMaintenanceOverview': () => upkeep,
    'GET /yuzhu-equip/homeMetric/repairWorkloadReport': () => ({ topMachines: [] }),
  });
  const leave = vi.fn();
  draw(<Wall asked={{}} onLeave={leave} />);
  await screen.findByText('41');
  expect(screen.getByText('2').closest('.x-wall-bad')?.textContent).toContain('2');
  expect(screen.getByText('99.8').textContent).toBe('99.8%');
  const status = screen.getByRole('status');
  expect(status.textContent).toMatch(/^Updated \d\d:\d\d:\d\d$/);
  reached(false);
  await waitFor(() => expect(status.textContent).toMatch(/^No connection\. Figures of \d\d:\d\d:\d\d$/));
  expect(screen.getByText('41')).toBeTruthy();
  reached(true);
  await waitFor(() => expect(status.textContent).toMatch(/^Updated/));
  await userEvent.keyboard('{Escape}');
  expect(leave).toHaveBeenCalledTimes(1);
});
