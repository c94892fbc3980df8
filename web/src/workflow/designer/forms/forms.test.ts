import { expect, test } from 'vitest';
import type { Component } from '../../forms/schema';
import { drawable } from './drawable';

import {
  cleaned,
  copied,
  type Drawn,
  find,
  fitting,
  identified,
  made,
  moved,
  placeAfter,
  placed,
  shifted,
  TYPES,
  tableOf,
  without,
} from './tree';

const form = identified({
  components: [
    { type: 'textfield', key: 'name' },
    {
      type: 'group',
      id: 'why',
      components: [
        { type: 'number', id: 'n', key: 'days_1' },
        { type: 'text', id: 'why' },
      ],
    },
    { type: 'separator' },
  ],
}).components;

/** The ids as they stand, groups in brackets. */
const ids = (components: readonly Component[]): string =>
  components.map(({ id, components: inner }) => (inner ? `${id}[${ids(inner)}]` : id)).join(' ');

test('every component has an id of its own, kept where it had one', () => {
  expect(ids(form)).toBe('textfield_1 why[n text_1] separator_1');
  expect(identified({ components: form }).components).toEqual(form);
});

test('a component is moved before another, into a group, out of it; never into itself', () => {
  expect(ids(moved(form, 'separator_1', { before: 'n' }))).toBe('textfield_1 why[separator_1 n text_1]');
  expect(ids(moved(form, 'n', { endOf: undefined }))).toBe('textfield_1 why[text_1] separator_1 n');
  expect(ids(moved(form, 'textfield_1', { endOf: 'why' }))).toBe('why[n text_1 textfield_1] separator_1');
  expect(ids(moved(form, 'why', { endOf: 'why' }))).toBe(ids(form));
  expect(ids(moved(form, 'why', { before: 'n' }))).toBe(ids(form));
});

test('one place up and down stays among its neighbours', () => {
  expect(ids(shifted(form, 'text_1', -1))).toBe('textfield_1 why[text_1 n] separator_1');
  expect(ids(shifted(form, 'text_1', 1))).toBe(ids(form));
  expect(ids(shifted(form, 'separator_1', -1))).toBe('textfield_1 separator_1 why[n text_1]');
});

test('a copy has ids and keys that are not taken, in all that it holds', () => {
  const twin = copied(find(form, 'why') as Drawn, form);
  expect(ids([twin])).toBe('group_1[number_1 text_2]');
  expect(twin.components?.[0]?.key).toBe('days_2');
});

test('what is new goes behind what is chosen, into the group that is chosen, else to the end', () => {
  const at = (chosen: string | undefined) =>
    ids(placed(form, { type: 'spacer', id: 'new' }, placeAfter(form, chosen)));
  expect(at('textfield_1')).toBe('textfield_1 new why[n text_1] separator_1');
  expect(at('why')).toBe('textfield_1 why[n text_1 new] separator_1');
  expect(at('text_1')).toBe('textfield_1 why[n text_1 new] separator_1');
  expect(at(undefined)).toBe('textfield_1 why[n text_1] separator_1 new');
  expect(ids(without(form, 'n'))).toBe('textfield_1 why[text_1] separator_1');
});

test('each of the types begins with what the server asks of it', () => {
  const all = Object.values(TYPES).flat();
  expect(all).toHaveLength(18);
  const drawn: Drawn[] = [];
  for (const type of all)
    drawn.push(
      made(
        type,
        { label: '名', option: '项', column: '列' },
        { label: 'Name', option: 'Item', column: 'Column' },
        drawn,
      ),
    );
  const keys = drawn.flatMap(({ key }) => key ?? []);
  expect(keys).toContain('asset_1');
  expect(keys.filter((key) => !/^[A-Za-z][A-Za-z0-9_]*$/.test(key))).toEqual([]);
  expect(drawn.find(({ type }) => type === 'datetime')).toEqual({
    type: 'datetime',
    id: 'datetime_1',
    key: 'datetime_1',
    label: '名',
    properties: { labelEn: 'Name' },
    subtype: 'date',
  });
  expect(drawn.find(({ type }) => type === 'radio')?.values).toEqual([
    { value: 'a', label: '项 1', labelEn: 'Item 1' },
    { value: 'b', label: '项 2', labelEn: 'Item 2' },
  ]);
  expect(drawn.find(({ type }) => type === 'separator')).toEqual({ type: 'separator', id: 'separator_1' });
  expect(drawn.find(({ type }) => type === 'filepicker')?.multiple).toBe(true);
  expect(drawn.find(({ type }) => type === 'xw-table')?.components).toEqual([
    {
      type: 'textfield',
      id: 'textfield_2',
      key: 'textfield_2',
      label: '列',
      properties: { labelEn: 'Column' },
    },
  ]);
});

test('a table takes what can be a column; anything else comes to stand behind it', () => {
  const table: Drawn = { type: 'xw-table', id: 't', key: 't', components: [{ type: 'number', id: 'c' }] };
  const drawn = [table, { type: 'xw-table', id: 'u', key: 'u', components: [] }, ...form];
  expect(fitting(drawn, 'xw-person', placeAfter(drawn, 't'))).toEqual({ endOf: 't' });
  expect(fitting(drawn, 'filepicker', placeAfter(drawn, 't'))).toEqual({ before: 'u' });
  expect(fitting(drawn, 'group', { before: 'c' })).toEqual({ before: 'u' });
  expect(fitting(drawn, 'group', { before: 't' })).toEqual({ before: 't' });
  expect(ids(moved(drawn, 'textfield_1', { endOf: 'u' }))).toBe(
    't[c] u[textfield_1] why[n text_1] separator_1',
  );
  expect(ids(moved(drawn, 'why', { endOf: 't' }))).toBe(ids(drawn));
  expect(tableOf(drawn, 'c')?.id).toBe('t');
  expect(tableOf(drawn, 'n')).toBeUndefined();
});

test('what says nothing is not kept; what only looks like nothing is', () => {
  const component: Drawn = {
    type: 'checkbox',
    id: 'a',
    key: 'a',
    label: '',
    readonly: false,
    defaultValue: false,
    validate: { required: false },
    properties: { labelEn: '' },
  };
  expect(cleaned(component)).toEqual({ type: 'checkbox', id: 'a', key: 'a', defaultValue: false });
  const number: Drawn = { type: 'number', id: 'b', key: 'b', validate: { min: 0 }, decimalDigits: 0 };
  expect(cleaned(number)).toEqual(number);
});

test('what our fields could not show is left out of the picture only', () => {
  const wrong: Component[] = [
    { type: 'textfield', id: 'a', key: 'a', validate: { pattern: '(', required: true } },
    { type: 'number', id: 'b', key: 'a' },
    { type: 'select', id: 'c', key: '', values: [] },
    {
      type: 'radio',
      id: 'd',
      key: 'd',
      values: [
        { value: '1', label: 'x' },
        { value: '1', label: 'y' },
      ],
    },
  ];
  expect(drawable(wrong)).toEqual([
    { type: 'textfield', id: 'a', key: 'a', validate: { required: true } },
    { type: 'radio', id: 'd', key: 'd', values: [{ value: '1', label: 'y' }] },
  ]);
});
