/** The storekeeper's screens: what is asked for at first, what a number leads to, and what a count refuses. */
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { setLanguage } from '@/i18n';
import '@/session/sign';
import { beSignedIn, draw } from '@/testing/render';
import { type Asked, serve } from '@/testing/server';
import Stocktake from './count.page';
import SpareRequests from './request.page';

const pageOf = (records: object[]) => ({ records, total: records.length, size: 10, current: 1, pages: 1 });
const CODES = ['spareuselog_view', 'repairorder_view', 'maintainorder_view'];
const request = (id: string, orderType: number, orderNo: string) => ({
  id,
  logNo: `LY${id}`,
  orderType,
  orderTypeName: '',
  orderId: orderNo && `${id}0`,
  orderNo,
  machineName: '',
  applyUserName: 'Shen Kai',
  applyTime: '2026-11-29 07:21:00',
  status: 2,
  statusName: 'Reserved',
  lineCount: 2,
  totalAmount: 0,
  remark: '',
});
const part = {
  id: '5',
  spareCode: 'BJ-1',
  spareName: 'Lamp',
  unit: 'pcs',
  locationCode: 'B-04',
  isInteger: 1,
  stockQty: 22,
  availableQty: 22,
};

function store(more: Record<string, (asked: Asked) => unknown> = {}) {
  return serve({
    'GET /blade-system/menu/buttons': () => CODES.map((code) => ({ id: code, code })),
    'GET /blade-system/menu/routes': () => [],
    'GET /yuzhu-equip/spareuselog/list': () =>
      pageOf([request('1', 1, 'WX1'), request('2', 2, 'BY2'), request('3', 3, '')]),
    'GET /yuzhu-equip/spareinfo/list': () => pageOf([part]),
    ...more,
  });
}

beforeEach(async () => {
  localStorage.clear();
  sessionStorage.clear();
  await setLanguage('en-US');
  beSignedIn();
});

test('the queue begins with what is open; all of it is one click away', async () => {
  const log = store();
  draw(<SpareRequests />, '/spare/request');
  await screen.findByText('LY1');
  const states = () =>
    log.filter(({ path }) => path === '/yuzhu-equip/spareuselog/list').map(({ params }) => params.status);
  expect(states()).toEqual(['1,2,3']);
  await userEvent.click(screen.getByText('All'));
  await waitFor(() => expect(states()).toEqual(['1,2,3', undefined]));
});

test('the number of a work order and of a maintenance order lead to them', async () => {
  store();
  draw(<SpareRequests />, '/spare/request');
  expect((await screen.findByText('WX1')).getAttribute('href')).toBe('/repair/order/10');
  expect(screen.getByText('BY2').getAttribute('href')).toBe('/maintain/order/20');
});

test('an emptied quantity is no count of none, and differences are posted with a remark alone', async () => {
  const line = { spareId: '5', spareCode: 'BJ-1', spareName: 'Lamp', unit: 'pcs', stockQty: 22, error: '' };
  const log = store({
    'POST /yuzhu-equip/spareflow/count': () => ({
      surplus: 0,
      shortage: 1,
      surplusAmount: 0,
      shortageAmount: 178.5,
      lines: [{ ...line, countedQty: 1, difference: -21, amount: -178.5 }],
    }),
  });
  draw(<Stocktake />, '/spare/count');
  await userEvent.type(screen.getByRole('textbox', { name: 'Scan a barcode' }), 'BJ-1{Enter}');
  const quantity = await screen.findByRole('spinbutton', { name: 'Lamp Counted' });
  await userEvent.clear(quantity);
  const look = screen.getByRole('button', { name: 'Preview differences' }) as HTMLButtonElement;
  expect(look.disabled).toBe(true);
  await userEvent.type(quantity, '1');
  await userEvent.click(look);
  await screen.findByText('−¥178.50');
  await userEvent.click(screen.getByRole('button', { name: 'Post the count' }));
  await screen.findByText('Please enter a remark on the count');
  expect(log.filter(({ path }) => path === '/yuzhu-equip/spareflow/count')).toHaveLength(1);
});
