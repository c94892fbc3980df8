import { expect, test } from 'vitest';
import { keysOf, matching, pathTo, type TreeNode } from './tree';

const forest: TreeNode[] = [
  {
    key: 'site',
    label: 'Site',
    children: [
      { key: 'shop', label: 'Machining shop', children: [{ key: 'lathe', label: 'Lathe 1' }] },
      { key: 'power', label: 'Power station' },
    ],
  },
];

test('the path runs from the root to the node', () => {
  expect(pathTo(forest, 'lathe').map((node) => node.key)).toEqual(['site', 'shop', 'lathe']);
  expect(pathTo(forest, 'gone')).toEqual([]);
});

test('a search keeps the ways to the hits, and what lies below a hit', () => {
  expect(keysOf(matching(forest, 'LATHE'))).toEqual(['site', 'shop', 'lathe']);
  expect(keysOf(matching(forest, 'shop'))).toEqual(['site', 'shop', 'lathe']);
  expect(matching(forest, 'press')).toEqual([]);
});
