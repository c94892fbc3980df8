import { expect, test } from 'vitest';
import { branches, countRows, hung, joined, narrowed, passes } from './forest';

interface Row {
  id: string;
  name: string;
  children?: Row[];
}

const rows: Row[] = [
  {
    id: '1',
    name: 'Plant',
    children: [
      { id: '2', name: 'Press shop', children: [{ id: '3', name: 'Line A' }] },
      { id: '4', name: 'Paint shop' },
    ],
  },
  { id: '5', name: 'Office' },
];

test('a hit keeps the way to it and what is below it, and nothing else', () => {
  const found = narrowed<Row>(rows, (row) => row.name === 'Press shop');
  expect(found).toEqual([
    {
      id: '1',
      name: 'Plant',
      children: [{ id: '2', name: 'Press shop', children: [{ id: '3', name: 'Line A' }] }],
    },
  ]);
  expect(narrowed<Row>(rows, () => false)).toEqual([]);
});

test('what can be unfolded, by levels', () => {
  expect(branches<Row>(rows)).toEqual(['1', '2']);
  expect(branches<Row>(rows, 1)).toEqual(['1']);
  expect(countRows<Row>(rows)).toBe(5);
});

test('levels that have come are hung in, the others are empty', () => {
  const levels: Record<string, { id: string; hasChildren?: boolean }[]> = {
    1: [{ id: '2', hasChildren: true }, { id: '3' }],
  };
  expect(joined([{ id: '1', hasChildren: true }], (id) => levels[id])).toEqual([
    { id: '1', hasChildren: true, children: [{ id: '2', hasChildren: true, children: [] }, { id: '3' }] },
  ]);
});

test('filters: texts by what they hold, codes by a part, choices whole or one of several, days inclusive', () => {
  const row = { name: 'Press Shop', code: 'PS-1', kind: 2, createTime: '2026-11-21 08:00:00' };
  const kinds = { name: 'text', code: 'code', kind: 'integer', createTime: 'moment' };
  const ok = (filters: Record<string, string>) => passes(row, filters, kinds);
  expect(ok({ name: 'shop' })).toBe(true);
  expect(ok({ name: 'x' })).toBe(false);
  expect(ok({ code: 'PS' })).toBe(false);
  expect(ok({ code_like: 'ps' })).toBe(true);
  expect(ok({ kind: '2' })).toBe(true);
  expect(ok({ kind: '1,2' })).toBe(true);
  expect(ok({ kind: '12' })).toBe(false);
  expect(ok({ createTime_dategt: '2026-11-21', createTime_datelt: '2026-11-21' })).toBe(true);
  expect(ok({ createTime_dategt: '2026-11-22' })).toBe(false);
  expect(ok({ name: 'shop', kind: '1' })).toBe(false);
});

test('found rows hang below each other as far as they are there', () => {
  const found = [
    { id: '1', parentId: '0', hasChildren: true },
    { id: '2', parentId: '1', hasChildren: true },
    { id: '9', parentId: '8' },
  ];
  expect(hung(found)).toEqual([
    {
      id: '1',
      parentId: '0',
      hasChildren: false,
      children: [{ id: '2', parentId: '1', hasChildren: false, children: undefined }],
    },
    { id: '9', parentId: '8', hasChildren: false, children: undefined },
  ]);
});
