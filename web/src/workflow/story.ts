/** A record's acts and its process's steps as one story: one line an act. */
import type { Wire } from '@/api/wire';
import type { Tone } from '@/kit/tones';

type Log = Wire<'Log'>;
type Row = Wire<'HistoryRow'>;

export interface Entry {
  key: string;
  /** The act's own word, or the step's. */
  action: string;
  name: string;
  /** The step's outcome where it says more than the act does. */
  outcome?: string;
  by: string;
  time: string;
  note?: string;
  /** The fields that it changed. */
  changes: Log['changes'];
  /** How long the step had waited, in words. */
  spent?: string;
  tone: Tone;
  /** So many acts alike, one after the other. */
  times: number;
}

const TONES: Readonly<Record<string, Tone>> = {
  dispatch: 'active',
  claim: 'active',
  accept: 'active',
  resume: 'active',
  finish: 'good',
  pass: 'good',
  fail: 'bad',
  refuse: 'bad',
  hang: 'waiting',
  transfer: 'waiting',
  'timer.fire': 'waiting',
  'process.park': 'bad',
  'process.retry': 'active',
  'process.suspend': 'waiting',
  'process.skip': 'off',
  'process.move': 'waiting',
  'process.resume': 'active',
  'task.delegate': 'waiting',
  'task.handBack': 'active',
  'task.transfer': 'waiting',
  'task.sendBack': 'bad',
  'task.takeBack': 'waiting',
  'task.urge': 'waiting',
  'task.addBefore': 'waiting',
  'task.addBeside': 'waiting',
  'task.addAfter': 'waiting',
  'task.addLast': 'waiting',
  'task.removeSigner': 'off',
  cancel: 'off',
  approve: 'good',
  reject: 'bad',
  submit: 'active',
  withdraw: 'off',
};

/** Acts that are no news when they follow their like, unless they say what changed: many work lines are one entry. */
const ALIKE = new Set(['line', 'removeLine', 'edit']);

/** Completes a step that no act of the record belongs to: what it says is the step and its outcome. */
const OF_STEP = 'task.complete';

/** In words; less than a minute is not worth saying. */
function spentOf(row: Row | undefined): string | undefined {
  const words = row?.historyActivityDurationTime ?? '';
  return words === '' || words.startsWith('0') ? undefined : words;
}

/** Oldest first; the step that waits now comes last, without a `spent`. */
export function story(logs: readonly Log[], history: readonly Row[]): Entry[] {
  const done = history.filter((row) => row.historyActivityType === 'userTask' && row.endTime !== '');
  const taken = new Set<string>();
  const entries: Entry[] = [];
  for (const [index, log] of logs.entries()) {
    const last = entries.at(-1);
    const isAlike = last?.action === log.action && last.by === log.userName && log.changes.length === 0;
    if (last && isAlike && ALIKE.has(log.action)) {
      last.times += 1;
      last.time = log.time;
      continue;
    }
    const row = log.taskId ? done.find(({ id }) => id === log.taskId) : undefined;
    if (row) taken.add(row.id);
    const isOwn = row?.outcome === log.action;
    const outcome = row && !isOwn ? row.outcomeName : undefined;
    entries.push({
      key: `log-${index}`,
      action: log.action,
      // The step's own word: who dispatches a second time reassigns.
      name:
        (isOwn && row?.outcomeName) || (log.action === OF_STEP && row?.historyActivityName) || log.actionName,
      outcome,
      by: [log.userName, log.toName].filter(Boolean).join(' → '),
      time: log.time,
      note: log.remark || row?.comment || undefined,
      changes: log.changes,
      spent: spentOf(row),
      tone: row?.isNegative ? 'bad' : (TONES[(outcome && row?.outcome) || log.action] ?? 'quiet'),
      times: 1,
    });
  }
  // A step that no act of the record tells of, such as one that a changed model added.
  for (const row of done.filter(({ id }) => !taken.has(id))) {
    entries.push({
      key: row.id,
      action: row.outcome,
      name: row.historyActivityName,
      outcome: row.outcomeName || undefined,
      by: row.assigneeName,
      time: row.endTime,
      note: row.comment || undefined,
      changes: [],
      spent: spentOf(row),
      tone: row.isNegative ? 'bad' : (TONES[row.outcome] ?? 'quiet'),
      times: 1,
    });
  }
  // The wire's moments sort as texts; entries of one second keep their order.
  return entries.sort((one, other) => (one.time < other.time ? -1 : one.time > other.time ? 1 : 0));
}
