import { expect, test } from 'vitest';
import { serve } from '@/testing/server';
import { canScan, machineOf } from './scan';

const own = { id: '8', machineName: 'Press', machineCode: 'P-8', path: 'Site/Hall', runState: 1 };
const page = (records: object[]) => ({ records, total: records.length, size: 50, current: 1, pages: 1 });

test('a plate is known by its code or its address, and nothing else is', async () => {
  expect(canScan()).toBe(false);
  serve({
    'GET /yuzhu-equip/inspectmachine/getList': () => [own, { ...own, id: '9', machineCode: 'P-80' }],
    'GET /yuzhu-equip/inspectmachine/select': ({ params }) => page(params.ids === '12' ? [{ id: '12' }] : []),
  });
  expect(await machineOf(' p-8 ')).toBe('8');
  expect(await machineOf('P')).toBeUndefined();
  expect(await machineOf('https://plant.test/equip/machine/12')).toBe('12');
  expect(await machineOf('https://plant.test/repair/report?machineId=12')).toBe('12');
  expect(await machineOf('https://plant.test/equip/machine/13')).toBeUndefined();
});
