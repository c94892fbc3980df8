import { expect, test } from 'vitest';
import type { Wire } from '@/api/wire';
import { story } from './story';

const log = (action: string, userName: string, time: string, remark = '', taskId = ''): Wire<'Log'> => ({
  action,
  taskId,
  actionName: action.toUpperCase(),
  userName,
  toName: '',
  time: `2026-11-21 ${time}`,
  remark,
  changes: [],
  fromStatusName: '',
  toStatusName: '',
});
const step = (node: string, who: string, end: string, outcome: string, comment = ''): Wire<'HistoryRow'> => ({
  id: `${node}-${end}`,
  assigneeName: who,
  readTime: '',
  createTime: '2026-11-21 08:00:00',
  endTime: end && `2026-11-21 ${end}`,
  historyActivityId: node,
  historyActivityName: node,
  historyActivityType: 'userTask',
  historyActivityDurationTime: end && '5m',
  comment,
  outcome,
  outcomeName: outcome && `(${outcome})`,
  isNegative: outcome === 'fail',
  round: 1,
});

test('an act and the step it closed are one entry, with the step’s waiting time', () => {
  const entries = story(
    [log('save', 'Qin', '08:00:00'), log('dispatch', 'Wei', '08:05:00', '', 'dispatch-08:05:01')],
    [step('dispatch', 'Wei', '08:05:01', 'dispatch', 'hurry'), step('accept', 'Jiang', '', '')],
  );
  expect(entries.map(({ name, by, spent, note }) => [name, by, spent, note])).toEqual([
    ['SAVE', 'Qin', undefined, undefined],
    ['(dispatch)', 'Wei', '5m', 'hurry'],
  ]);
});

test('a failed check says so, in the tone of a failure, with the reason once', () => {
  const [entry] = story(
    [log('check', 'Qin', '09:00:00', 'still noisy', 'check-09:00:00')],
    [step('check', 'Qin', '09:00:00', 'fail', 'still noisy')],
  );
  expect(entry).toMatchObject({ name: 'CHECK', outcome: '(fail)', tone: 'bad', note: 'still noisy' });
});

test('taking the task is an entry of its own, even a second before the step is done', () => {
  const entries = story(
    [log('task.claim', 'Wei', '08:05:00'), log('dispatch', 'Wei', '08:05:01', '', 'dispatch-08:05:01')],
    [step('dispatch', 'Wei', '08:05:01', 'dispatch')],
  );
  expect(entries.map(({ name, outcome, spent }) => [name, outcome, spent])).toEqual([
    ['TASK.CLAIM', undefined, undefined],
    ['(dispatch)', undefined, '5m'],
  ]);
});

test('work lines of one person in a row are one entry, those of another person a second one', () => {
  const entries = story(
    [log('line', 'Jiang', '09:00:00'), log('line', 'Jiang', '09:10:00'), log('line', 'Shen', '09:20:00')],
    [],
  );
  expect(entries.map(({ by, times, time }) => [by, times, time.slice(11)])).toEqual([
    ['Jiang', 2, '09:10:00'],
    ['Shen', 1, '09:20:00'],
  ]);
});

test('edits that say what changed stay apart, those that say nothing are one entry', () => {
  const urgency = { field: 'urgency', fieldName: 'Priority', oldText: 'Normal', newText: 'Critical' };
  const edit = (time: string) => log('edit', 'Qin', time);
  const entries = story(
    [
      edit('09:00:00'),
      edit('09:05:00'),
      { ...edit('09:10:00'), changes: [urgency] },
      { ...edit('09:20:00'), changes: [urgency] },
    ],
    [],
  );
  expect(entries.map(({ times, changes }) => [times, changes])).toEqual([
    [2, []],
    [1, [urgency]],
    [1, [urgency]],
  ]);
});

test('a step that no act tells of is not lost and stands at its time', () => {
  const entries = story(
    [log('save', 'Qin', '08:00:00'), log('accept', 'Jiang', '10:00:00')],
    [step('approve', 'Qian', '09:00:00', 'agree')],
  );
  expect(entries.map(({ name }) => name)).toEqual(['SAVE', 'approve', 'ACCEPT']);
});

test('a step of the company’s own model is called by its name, with what it ended with', () => {
  const [entry] = story(
    [log('task.complete', 'Wei', '09:00:00', '', 'second-09:00:00')],
    [step('second', 'Wei', '09:00:00', 'agree')],
  );
  expect(entry).toMatchObject({ name: 'second', outcome: '(agree)' });
});

test('two rounds of the same step by the same person keep their own times', () => {
  const entries = story(
    [
      log('finish', 'Jiang', '09:00:00', '', 'repair-09:00:00'),
      log('finish', 'Jiang', '09:00:01', '', 'repair-09:00:01'),
    ],
    [
      step('repair', 'Jiang', '09:00:00', 'finish', 'one'),
      step('repair', 'Jiang', '09:00:01', 'finish', 'two'),
    ],
  );
  expect(entries.map(({ note }) => note)).toEqual(['one', 'two']);
});

test('who handed a step to whom is told in one line', () => {
  const [entry] = story([{ ...log('task.transfer', 'Wei', '09:00:00', 'away'), toName: 'Jiang' }], []);
  expect([entry?.by, entry?.note, entry?.tone]).toEqual(['Wei → Jiang', 'away', 'waiting']);
});
