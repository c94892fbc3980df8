/** Extra fields: a noun's page shows, asks, filters and sorts what the company has declared, without knowing it. */
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import type { Noun } from '@/api/noun';
import { setLanguage } from '@/i18n';
import '@/session/sign';
import { gauge } from '@/testing/nouns';
import { beSignedIn, draw, TOKEN } from '@/testing/render';
import { type Asked, Refused, serve } from '@/testing/server';
import { fromParts, withParts } from './extras';
import { personKey } from './listLook';
import { NounPage } from './NounPage';

const noun = {
  ...gauge,
  fields: {
    ...gauge.fields,
    ext: {
      label: ['扩展字段', 'Extra fields'],
      kind: 'extras',
      writable: true,
      parts: '/yuzhu-equip/extfield/getList?noun=gauge',
    },
  },
} as const satisfies Noun;

const field = (key: string, labelEn: string, type: number, more: object = {}) => ({
  key,
  label: `${key}中`,
  labelEn,
  type,
  decimals: 0,
  required: 0,
  isSealed: 0,
  options: [],
  ...more,
});
const DECLARED = [
  field('contract_no', 'Contract no.', 1, { required: 1 }),
  field('weight', 'Weight', 2, { decimals: 2 }),
  field('checked', 'Calibrated on', 3),
  field('colour', 'Colour', 4, {
    options: [
      { value: 'red', label: '红', labelEn: 'Red' },
      { value: 'blue', label: '蓝', labelEn: '' },
    ],
  }),
  field('old', 'Old', 1, { isSealed: 1 }),
];
const rows = [
  {
    id: '1',
    gaugeCode: 'G-1',
    gaugeName: 'Caliper',
    lockVersion: 3,
    ext: { contract_no: 'HT-1', weight: 1.5, colour: 'red', old: 'was' },
  },
  { id: '2', gaugeCode: 'G-2', gaugeName: 'Manometer', lockVersion: 1, ext: {} },
];

function plant(more: Record<string, (asked: Asked) => unknown> = {}) {
  const codes = ['gauge_view', 'gauge_add', 'gauge_edit'];
  return serve({
    'GET /blade-system/menu/buttons': () => codes.map((code) => ({ id: code, code })),
    'GET /blade-system/menu/routes': () => [],
    'GET /yuzhu-equip/extfield/getList': () => DECLARED,
    'GET /yuzhu-equip/gauge/list': () => ({ records: rows, total: 2, size: 10, current: 1, pages: 1 }),
    'GET /yuzhu-equip/gauge/detail': ({ params }) => rows.find((one) => one.id === params.id),
    'POST /yuzhu-equip/gauge/submit': () => ({ id: '1' }),
    ...more,
  });
}

const show = (address = '/equip/gauge') =>
  draw(
    <NounPage noun={noun} columns={['gaugeName']} filters={['gaugeName']} form={['gaugeName', 'ext']} />,
    address,
  );
const sent = (log: Asked[]) =>
  log.filter(({ path }) => path === '/yuzhu-equip/gauge/submit').map((one) => one.body);
const edit = async () => {
  await userEvent.click((await screen.findAllByRole('button', { name: 'Edit' }))[0] as HTMLElement);
  const drawer = within(await screen.findByRole('dialog'));
  await drawer.findByLabelText('Contract no.');
  return drawer;
};

beforeEach(async () => {
  localStorage.clear();
  await setLanguage('en-US');
  beSignedIn();
});

test('a form asks for what is declared by its type, and not for what is sealed', async () => {
  const log = plant();
  show();
  const drawer = await edit();
  expect((drawer.getByLabelText('Contract no.') as HTMLInputElement).value).toBe('HT-1');
  expect((drawer.getByLabelText('Weight') as HTMLInputElement).value).toBe('1.50');
  drawer.getByText('Red');
  expect(drawer.queryByLabelText('Old')).toBeNull();
  await userEvent.clear(drawer.getByLabelText('Contract no.'));
  await userEvent.click(drawer.getByRole('button', { name: 'Save' }));
  await drawer.findByText('Please enter contract no.');
  expect(sent(log)).toEqual([]);
  await userEvent.type(drawer.getByLabelText('Contract no.'), 'HT-2');
  await userEvent.clear(drawer.getByLabelText('Weight'));
  await userEvent.click(drawer.getByRole('button', { name: 'Save' }));
  await screen.findByText('Caliper');
  expect(sent(log)).toMatchObject([
    { id: '1', lockVersion: 3, ext: { contract_no: 'HT-2', weight: null, colour: 'red' } },
  ]);
  // Asked once, however many parts of the page show them.
  expect(log.filter(({ path }) => path.endsWith('/extfield/getList'))).toHaveLength(1);
});

test('the server’s sentence stands under its extra field', async () => {
  plant({
    'POST /yuzhu-equip/gauge/submit': () => {
      throw new Refused(400, {
        code: 400,
        success: false,
        msg: 'Weight is too much',
        error: 'input.invalid',
        data: { fields: { 'ext.weight': 'Weight is too much' } },
      });
    },
  });
  show();
  const drawer = await edit();
  await userEvent.click(drawer.getByRole('button', { name: 'Save' }));
  const told = await drawer.findByText('Weight is too much');
  expect(told.closest('.ant-form-item')?.textContent).toContain('Weight');
});

test('a filter that stands in the address is there at the first load', async () => {
  const log = plant();
  show('/equip/gauge?ext.colour=red&gaugeName=Cal');
  await screen.findByText('Caliper');
  const lists = log.filter(({ path }) => path === '/yuzhu-equip/gauge/list').map(({ params }) => params);
  expect(lists).toMatchObject([{ 'ext.colour': 'red', gaugeName: 'Cal' }]);
});

test('where what is declared cannot be had, the list is there all the same', async () => {
  plant({
    'GET /yuzhu-equip/extfield/getList': () => {
      throw new Refused(403, { code: 403, success: false, msg: 'no', error: 'access.denied' });
    },
  });
  show('/equip/gauge?ext.colour=red');
  await screen.findByText('Caliper');
});

test('a column may be switched on, is sorted by its key, and says what an option is called', async () => {
  localStorage.setItem(
    personKey('look', noun.name, TOKEN.user_id),
    JSON.stringify({ shown: { 'ext.colour': true, 'ext.weight': true, 'ext.old': true } }),
  );
  const log = plant();
  show();
  await screen.findByRole('columnheader', { name: /Colour/ });
  const heads = screen.getAllByRole('columnheader').map((head) => head.textContent);
  expect(heads.filter(Boolean)).toEqual(['Name', 'Weight', 'Colour', 'Old', 'Actions']);
  screen.getByText('Red');
  screen.getByText('1.50');
  screen.getByText('was');
  await userEvent.click(screen.getByRole('columnheader', { name: /Colour/ }));
  await screen.findByText('Caliper');
  expect(log.filter(({ path }) => path.endsWith('/list')).at(-1)?.params.ascs).toBe('ext.colour');
});

test('a filter in the address is sent by type, and stands as a chip', async () => {
  const log = plant();
  show('/equip/gauge?ext.colour=blue&ext.weight_ge=1&ext.nothing=1');
  await screen.findByText('Caliper');
  const chip = await screen.findByText(/Colour: 蓝/);
  expect(chip).toBeTruthy();
  screen.getByText(/Weight: 1 – …/);
  const last = log.filter(({ path }) => path.endsWith('/list')).at(-1)?.params;
  expect(last).toMatchObject({ 'ext.colour': 'blue', 'ext.weight_ge': '1' });
  expect(last?.['ext.nothing']).toBeUndefined();
});

test('a detail tells what a row has, also of what is sealed, and what it may be asked', async () => {
  plant();
  show();
  await userEvent.click(await screen.findByText('Caliper'));
  const drawer = within(await screen.findByRole('dialog'));
  await drawer.findByText('Old');
  const facts = drawer.getAllByRole('term').map((term) => [term.textContent, term.nextSibling?.textContent]);
  expect(facts).toEqual(
    expect.arrayContaining([
      ['Contract no.', 'HT-1'],
      ['Weight', '1.50'],
      ['Calibrated on', '-'],
      ['Colour', 'Red'],
      ['Old', 'was'],
    ]),
  );
});

test('where somebody else was faster, extra fields are compared one by one', async () => {
  const theirs = { ...rows[0], lockVersion: 4, ext: { contract_no: 'HT-9', weight: 1.5, colour: 'blue' } };
  let tries = 0;
  const log = plant({
    'POST /yuzhu-equip/gauge/submit': () => {
      tries += 1;
      if (tries > 1) return { id: '1' };
      throw new Refused(409, {
        code: 409,
        success: false,
        msg: 'changed',
        error: 'data.changed',
        data: { userName: 'Qian', time: '2026-03-02 08:00:00', row: theirs },
      });
    },
  });
  show();
  const drawer = await edit();
  await userEvent.clear(drawer.getByLabelText('Contract no.'));
  await userEvent.type(drawer.getByLabelText('Contract no.'), 'HT-2');
  await userEvent.click(drawer.getByRole('button', { name: 'Save' }));
  await screen.findByText(/Qian/);
  expect(screen.getAllByRole('group').map((one) => one.querySelector('legend')?.textContent)).toEqual(
    expect.arrayContaining(['Contract no.', 'Colour']),
  );
  await userEvent.click(screen.getByRole('button', { name: 'Continue with these values' }));
  await userEvent.click(drawer.getByRole('button', { name: 'Save' }));
  await screen.findByText('Caliper');
  expect(sent(log).at(-1)).toMatchObject({
    lockVersion: 4,
    ext: { contract_no: 'HT-2', weight: 1.5, colour: 'blue' },
  });
});

test('parts stand beside the other values, and go back into their object', () => {
  const fields = {
    'ext.a_b': { label: ['甲', 'A'], kind: 'text' },
    'ext.c': { label: ['丙', 'C'], kind: 'text' },
  } as const;
  const flat = withParts({ name: 'x', ext: { a_b: '1' } }, fields);
  expect(flat).toEqual({ name: 'x', 'ext.a_b': '1', 'ext.c': undefined });
  expect(fromParts({ name: 'y', 'ext.a_b': '2' }, fields)).toEqual({ name: 'y', ext: { a_b: '2' } });
  expect(withParts({ name: 'x' }, {})).toEqual({ name: 'x' });
});
