/** What can be done with one row of the inbox, or with all chosen ones at once. */
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import type { QueueRow } from '../queries';

type Outcome = Wire<'FlowTask'>['outcomes'][number];

export type Act =
  | { kind: 'claim' }
  | { kind: 'transfer' }
  /** `gives` is what is chosen beside a comment, where it asks for more. */
  | { kind: 'outcome'; outcome: Outcome; gives?: Gives };

/** Input that is the same for all rows, by the record's business table and its outcome. */
export type Gives = 'repairer';

const GIVES: Readonly<Record<string, Gives>> = { 'repairorder.dispatch': 'repairer' };

export interface Given {
  comment?: string;
  userId?: string;
  reason?: string;
}

/** Tasks of a company's own process have nothing but their drawing in common. */
const STANDALONE = 'process';
const stepOf = (row: QueueRow) =>
  `${row.businessTable === STANDALONE ? row.processDefinitionId : row.businessTable}/${row.node}`;

const givesOf = (row: QueueRow, { value }: Outcome) => GIVES[`${row.businessTable}.${value}`];

function actOf(row: QueueRow, outcome: Outcome): Act[] {
  if (outcome.asks !== 'input') return [{ kind: 'outcome', outcome }];
  const gives = givesOf(row, outcome);
  return gives ? [{ kind: 'outcome', outcome, gives }] : [];
}

/** The acts that every one of the rows allows: an outcome only where they are all at the same step. */
export function actsOn(rows: readonly QueueRow[]): Act[] {
  const [first, ...others] = rows;
  if (!first) return [];
  const all = (action: QueueRow['taskActions'][number]) =>
    rows.every(({ taskActions }) => taskActions.includes(action));
  const step = stepOf(first);
  const outcomes = first.outcomes.filter(({ value, asks }) =>
    others.every(
      (row) =>
        stepOf(row) === step && row.outcomes.some((other) => other.value === value && other.asks === asks),
    ),
  );
  return [
    ...(all('claim') ? [{ kind: 'claim' } as const] : []),
    ...outcomes.flatMap((outcome) => actOf(first, outcome)),
    ...(all('transfer') ? [{ kind: 'transfer' } as const] : []),
  ];
}

/** The act behind the key A, or R: the first outcome that agrees, or does not. */
export function decisionOn(row: QueueRow, positive: boolean): Act | undefined {
  return actsOn([row]).find((act) => act.kind === 'outcome' && act.outcome.positive === positive);
}

/** What a step answered whose result the other signers had decided a moment before: it is no failure. */
export function decidedIn(answer: unknown): string | undefined {
  if (typeof answer !== 'object' || answer === null || !('decidedText' in answer)) return undefined;
  return typeof answer.decidedText === 'string' ? answer.decidedText : undefined;
}

/** One call a row, so that each is a step of its own, with its own entry in the history. */
export function carryOut(act: Act, row: QueueRow, given: Given): Promise<unknown> {
  const { taskId } = row;
  if (act.kind === 'claim') return api.post('/blade-flow/work/claim-task', undefined, { taskId });
  const { userId = '', reason = '', comment = '' } = given;
  if (act.kind === 'transfer')
    return api.post('/blade-flow/work/transfer-task', { taskId, userId, reason: reason.trim() });
  return api.post('/blade-flow/work/complete-task', {
    taskId,
    processInstanceId: row.processInstanceId,
    outcome: act.outcome.value,
    comment: comment.trim(),
    variables: act.gives === 'repairer' ? { repairUserId: userId } : {},
  });
}
