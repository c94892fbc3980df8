import { expect, test } from 'vitest';
import type { QueueRow } from '../queries';
import { type Act, actsOn, decisionOn } from './acts';
import { following } from './place';

const outcome = (value: string, asks: 'nothing' | 'comment' | 'input', positive = true) => ({
  value,
  label: value,
  positive,
  negative: !positive,
  asks,
});
const row = (id: string, more: Partial<QueueRow> = {}) =>
  ({
    id,
    taskId: id,
    businessTable: 'leave',
    node: 'approve',
    processDefinitionId: '1',
    taskActions: ['claim', 'complete', 'transfer'],
    outcomes: [outcome('approve', 'nothing'), outcome('reject', 'comment', false)],
    ...more,
  }) as QueueRow;

const names = (acts: readonly Act[]) =>
  acts.map((act) => (act.kind === 'outcome' ? act.outcome.value : act.kind));

test('what all rows allow is offered, and nothing else', () => {
  expect(names(actsOn([row('1'), row('2')]))).toEqual(['claim', 'approve', 'reject', 'transfer']);
  expect(names(actsOn([row('1'), row('2', { taskActions: ['complete'] })]))).toEqual(['approve', 'reject']);
  expect(names(actsOn([row('1'), row('2', { node: 'hr' })]))).toEqual(['claim', 'transfer']);
  expect(names(actsOn([row('1'), row('2', { outcomes: [outcome('approve', 'nothing')] })]))).toEqual([
    'claim',
    'approve',
    'transfer',
  ]);
  expect(actsOn([])).toEqual([]);
});

test('steps of the company’s own drawings are the same in one version only', () => {
  const own = (id: string, processDefinitionId: string) =>
    row(id, { businessTable: 'process', processDefinitionId, taskActions: [] });
  expect(names(actsOn([own('1', '1'), own('2', '1')]))).toEqual(['approve', 'reject']);
  expect(actsOn([own('1', '1'), own('2', '2')])).toEqual([]);
});

test('an outcome that asks for more is not offered, but for the repairer of orders', () => {
  const ways = { outcomes: [outcome('dispatch', 'input')], taskActions: [] };
  expect(actsOn([row('1', ways)])).toEqual([]);
  const order = { ...ways, businessTable: 'repairorder', node: 'dispatch' };
  expect(actsOn([row('1', order), row('2', order)])).toEqual([
    { kind: 'outcome', outcome: ways.outcomes[0], gives: 'repairer' },
  ]);
});

test('the keys A and R mean the outcome that agrees, and the one that does not', () => {
  expect(decisionOn(row('1'), true)).toMatchObject({ outcome: { value: 'approve' } });
  expect(decisionOn(row('1'), false)).toMatchObject({ outcome: { value: 'reject' } });
  expect(decisionOn(row('1', { outcomes: [outcome('finish', 'input')] }), true)).toBeUndefined();
});

test('after a task comes the one that stood behind it and is still there, else the first', () => {
  const rows = ['1', '2', '4', '5'].map((id) => row(id));
  const ids = ['1', '2', '3', '4'];
  expect(following(ids, rows, '2')?.id).toBe('4');
  expect(following(ids, rows, '4')?.id).toBe('1');
  expect(following(ids, rows, '9')?.id).toBe('1');
  expect(following(ids, [row('4')], '4')).toBeUndefined();
});
