/** Rows are edited in the form of their head, and a ledger is only added to. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import type { Noun } from '@/api/noun';
import { setLanguage } from '@/i18n';
import '@/session/sign';
import { beSignedIn, draw } from '@/testing/render';
import { serve } from '@/testing/server';
import { NounPage } from './NounPage';

const purchase = {
  name: 'purchase',
  path: '/yuzhu-equip/purchase',
  title: ['\u91c7\u8d2d', 'Purchase'],
  calls: ['detail', 'list', 'submit'],
  codes: { list: '*', detail: '*', add: '*', submit: '*' },
  fields: {
    purchaseNo: { label: ['\u5355\u53f7', 'No.'], kind: 'text', required: true, writable: true, max: 20 },
    lines: {
      label: ['\u660e\u7ec6', 'Lines'],
      kind: 'details',
      min: 1,
      writable: true,
      rows: {
        spareName: {
          label: ['\u5907\u4ef6', 'Spare'],
          kind: 'text',
          required: true,
          writable: true,
          max: 40,
        },
        quantity: { label: ['\u6570\u91cf', 'Quantity'], kind: 'decimal', decimals: 3, writable: true },
        amount: { label: ['\u91d1\u989d', 'Amount'], kind: 'decimal', decimals: 2 },
      },
    },
  },
  filters: {},
} as const satisfies Noun;

const move = {
  name: 'sparemove',
  path: '/yuzhu-equip/sparemove',
  title: ['\u51fa\u5165\u5e93', 'Movement'],
  calls: ['detail', 'list', 'save'],
  codes: { list: '*', detail: '*', add: '*', save: '*' },
  fields: {
    quantity: { label: ['\u6570\u91cf', 'Quantity'], kind: 'integer', required: true, writable: true },
  },
  filters: {},
} as const satisfies Noun;

const row = {
  id: '1',
  purchaseNo: 'P-1',
  lines: [{ id: '7', spareName: 'Belt', quantity: 1.5, amount: 30 }],
};
const page = (records: object[]) => ({ records, total: records.length, size: 10, current: 1, pages: 1 });
const around = {
  'GET /blade-system/menu/buttons': () => [],
  'GET /blade-system/menu/routes': () => [],
};

beforeEach(async () => {
  await setLanguage('en-US');
  beSignedIn();
});

test('rows are added, changed and taken away in the form of their head; one that was there keeps its id', async () => {
  const log = serve({
    ...around,
    'GET /yuzhu-equip/purchase/list': () => page([row]),
    'GET /yuzhu-equip/purchase/detail': () => row,
    'POST /yuzhu-equip/purchase/submit': () => ({ id: '1' }),
  });
  draw(<NounPage noun={purchase} name="purchaseNo" />);
  await userEvent.click(await screen.findByRole('button', { name: 'Edit' }));
  const form = within(await screen.findByRole('dialog'));
  await userEvent.click(await form.findByRole('button', { name: /Remove row 1/ }));
  await userEvent.click(form.getByRole('button', { name: /Save/ }));
  expect(await form.findByText('Lines: at least 1 needed')).toBeTruthy();
  expect(log.some(({ path }) => path.endsWith('/submit'))).toBe(false);
});

test('a new row is sent beside the old one', async () => {
  const log = serve({
    ...around,
    'GET /yuzhu-equip/purchase/list': () => page([row]),
    'GET /yuzhu-equip/purchase/detail': () => row,
    'POST /yuzhu-equip/purchase/submit': () => ({ id: '1' }),
  });
  draw(<NounPage noun={purchase} name="purchaseNo" />);
  await userEvent.click(await screen.findByRole('button', { name: 'Edit' }));
  const form = within(await screen.findByRole('dialog'));
  await userEvent.click(await form.findByRole('button', { name: /Add a row/ }));
  const second = form.getAllByLabelText('Spare')[1] as HTMLElement;
  await userEvent.type(second, 'Chain');
  await userEvent.click(form.getByRole('button', { name: /Save/ }));
  await waitFor(() => expect(log.some(({ path }) => path.endsWith('/submit'))).toBe(true));
  const sent = log.find(({ path }) => path.endsWith('/submit'))?.body as { lines: object[] };
  expect(sent.lines).toMatchObject([{ id: '7', spareName: 'Belt', quantity: 1.5 }, { spareName: 'Chain' }]);
});

test('an entry of a ledger is saved, and has neither edit nor removal', async () => {
  const log = serve({
    ...around,
    'GET /yuzhu-equip/sparemove/list': () => page([{ id: '4', quantity: 2 }]),
    'POST /yuzhu-equip/sparemove/save': () => ({ id: '5' }),
  });
  draw(<NounPage noun={move} name="quantity" />);
  await screen.findByText('2');
  expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: /Add/ }));
  const form = within(await screen.findByRole('dialog'));
  await userEvent.type(form.getByLabelText('Quantity'), '3');
  await userEvent.click(form.getByRole('button', { name: /Save/ }));
  await waitFor(() =>
    expect(log.find(({ path }) => path.endsWith('/save'))?.body).toMatchObject({ quantity: 3 }),
  );
});
