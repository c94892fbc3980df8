/** What the document says of references, decimals and days is all that a page needs for its form, filters and cards. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Noun } from '@/api/noun';
import { setLanguage } from '@/i18n';
import '@/session/sign';
import { beSignedIn, draw } from '@/testing/render';
import { serve } from '@/testing/server';
import { NounPage } from './NounPage';

const part = {
  name: 'part',
  path: '/yuzhu-equip/part',
  title: ['\u5907\u4ef6', 'Part'],
  calls: ['detail', 'list', 'submit'],
  codes: { list: '*', detail: '*', add: '*', submit: '*' },
  fields: {
    partName: { label: ['\u540d\u79f0', 'Name'], kind: 'text', required: true, writable: true, max: 80 },
    supplierId: {
      label: ['\u4f9b\u5e94\u5546', 'Supplier'],
      kind: 'id',
      ref: '/yuzhu-equip/supplier/select?kind=2',
      writable: true,
      nullable: true,
    },
    supplierName: { label: ['\u4f9b\u5e94\u5546', 'Supplier'], kind: 'text' },
    unitPrice: {
      label: ['\u5355\u4ef7', 'Price'],
      kind: 'decimal',
      decimals: 3,
      sortable: true,
      writable: true,
    },
    boughtOn: { label: ['\u8d2d\u5165', 'Bought'], kind: 'date', writable: true, nullable: true },
    stock: { label: ['\u5e93\u5b58', 'Stock'], kind: 'integer', sortable: true },
  },
  filters: { partName: 'text', supplierId: 'id', unitPrice: 'decimal', boughtOn: 'date' },
} as const satisfies Noun;

const page = (records: object[]) => ({ records, total: records.length, size: 10, current: 1, pages: 1 });
const suppliers = [
  { id: '7', code: 'S-7', name: 'Bosch', path: '', enabled: 1, closed: '' },
  { id: '8', code: 'S-8', name: 'SKF', path: 'Bearings', enabled: 0, closed: 'Disabled' },
];
const bearing = {
  id: '1',
  partName: 'Bearing',
  supplierId: '8',
  supplierName: 'SKF',
  unitPrice: 1012.5,
  boughtOn: '2026-11-01',
  stock: 3,
};

function show(address = '/') {
  const log = serve({
    'GET /blade-system/menu/buttons': () => [],
    'GET /blade-system/menu/routes': () => [],
    'GET /yuzhu-equip/part/list': () => page([bearing]),
    'GET /yuzhu-equip/part/detail': () => bearing,
    'POST /yuzhu-equip/part/submit': () => ({ id: '1' }),
    'GET /yuzhu-equip/supplier/select': ({ params }) =>
      page(
        suppliers.filter(({ id, enabled }) =>
          params.ids ? params.ids === id : enabled === 1 || params.closed === '1',
        ),
      ),
  });
  const filters = ['partName', 'supplierId', 'unitPrice', 'boughtOn'] as const;
  const drawn = draw(<NounPage noun={part} name="partName" filters={filters} />, address);
  return { log, ...drawn };
}

beforeEach(async () => {
  vi.restoreAllMocks();
  await setLanguage('en-US');
  beSignedIn();
});

test('an exact number shows all its places', async () => {
  show();
  expect(await screen.findByText('1,012.500')).toBeTruthy();
});

test('a row that may no longer be chosen is shown by its name, and the address of the document narrows the choice', async () => {
  const { log } = show();
  await userEvent.click(await screen.findByRole('button', { name: 'Edit' }));
  const form = within(await screen.findByRole('dialog'));
  await form.findByText('SKF');
  const asked = log.filter((one) => one.path === '/yuzhu-equip/supplier/select').map((one) => one.params);
  expect(asked).toEqual([
    { kind: '2', closed: '1', size: '50' },
    { kind: '2', size: '50' },
    { kind: '2', ids: '8' },
  ]);
  await userEvent.click(form.getByLabelText('Supplier'));
  await userEvent.click(await screen.findByText('S-7'));
  await userEvent.click(form.getByRole('button', { name: /Save/ }));
  await waitFor(() => expect(log.some((one) => one.path.endsWith('/submit'))).toBe(true));
  const sent = log.find((one) => one.path.endsWith('/submit'))?.body as Record<string, unknown>;
  expect([sent.supplierId, sent.unitPrice, sent.boughtOn]).toEqual(['7', 1012.5, '2026-11-01']);
});

test('a filter offers what may no longer be chosen, marked as such, and a form does not', async () => {
  const { log, router } = show();
  await userEvent.click(await screen.findByRole('combobox', { name: 'Supplier' }));
  expect(await screen.findByText('S-8 \u00b7 Bearings \u00b7 Disabled')).toBeTruthy();
  await userEvent.click(screen.getByText('SKF', { selector: '.ant-select-item-option-content' }));
  await waitFor(() => expect(router.state.location.search).toBe('?supplierId=8'));
  expect(await screen.findByText('Supplier: SKF', { selector: '.x-chip span' })).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Edit' }));
  await within(await screen.findByRole('dialog')).findByText('SKF');
  const asked = log.filter((one) => one.path === '/yuzhu-equip/supplier/select').map((one) => one.params);
  expect(asked).toEqual([
    { kind: '2', closed: '1', size: '50' },
    { kind: '2', size: '50' },
    { kind: '2', ids: '8' },
  ]);
});

test('a price and a day are filtered by their bounds', async () => {
  const { log } = show('/?unitPrice_ge=12.125&boughtOn_le=2026-11-30');
  await screen.findByText('Bearing');
  expect(await screen.findByText('Price: 12.125 \u2013 \u2026')).toBeTruthy();
  expect(screen.getByText('Bought: \u2026 \u2013 2026-11-30')).toBeTruthy();
  const { current: _, size: __, ...asked } = log.find((one) => one.path.endsWith('/list'))?.params ?? {};
  expect(asked).toEqual({ unitPrice_ge: '12.125', boughtOn_le: '2026-11-30' });
});
