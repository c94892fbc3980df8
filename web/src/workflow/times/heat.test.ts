import { expect, test } from 'vitest';
import { heatOf, type NodeTimes } from './heat';

const step = (node: string, values: Partial<NodeTimes>): NodeTimes => ({
  node,
  count: 0,
  waiting: 0,
  overdue: 0,
  medianSeconds: null,
  p90Seconds: null,
  longestSeconds: null,
  ...values,
});

test('levels are even shares of the greatest value, and the legend names what each holds', () => {
  const steps = [100, 61, 60, 1, 0].map((count, index) => step(`s${index}`, { count }));
  const { levels, bounds } = heatOf(steps, 'count');
  expect([...levels]).toEqual([
    ['s0', 5],
    ['s1', 4],
    ['s2', 3],
    ['s3', 1],
  ]);
  expect(bounds).toEqual([
    { level: 1, least: 1, most: 1 },
    { level: 3, least: 60, most: 60 },
    { level: 4, least: 61, most: 61 },
    { level: 5, least: 100, most: 100 },
  ]);
});

test('of what nothing is known there is no heat', () => {
  const { levels, bounds } = heatOf([step('a', { count: 3 })], 'medianSeconds');
  expect(levels.size).toBe(0);
  expect(bounds).toEqual([]);
  expect(heatOf([], 'waiting').bounds).toEqual([]);
});
