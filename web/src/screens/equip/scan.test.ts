import { expect, test } from 'vitest';
import { canScan } from '@/screens/shared/camera';
import { Refused, serve } from '@/testing/server';
import { machineOf } from './scan';

const none = () => {
  throw new Refused(400, { code: 400, error: 'input.invalid', msg: 'none' });
};
const page = (records: object[]) => ({ records, total: records.length, size: 50, current: 1, pages: 1 });

test('a plate is known by what the server finds of it, and a report by its machine', async () => {
  expect(canScan()).toBe(false);
  serve({
    'POST /yuzhu-equip/equiptags/scan': ({ body }) =>
      (body as { text: string }).text === 'P-8' ? { machine: { id: '8' } } : none(),
    'GET /yuzhu-equip/inspectmachine/select': ({ params }) => page(params.ids === '12' ? [{ id: '12' }] : []),
  });
  expect(await machineOf('P-8')).toBe('8');
  expect(await machineOf('P')).toBeUndefined();
  expect(await machineOf('https://plant.test/repair/report?machineId=12')).toBe('12');
});
