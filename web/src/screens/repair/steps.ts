/** From an act and what was filled in to the call that carries it: through the order, or through the task in the queue. */
import type { Wire } from '@/api/wire';

export type Step = Exclude<Wire<'RepairOrderDetailAllowedActionsEnum'>, 'line' | 'edit' | 'remove'>;

const NODES = ['dispatch', 'accept', 'repair', 'hold', 'check'] as const;

/** Whether the step is the shipped model's, and not one that a company added. */
export function isOurs(node: string): node is (typeof NODES)[number] {
  return (NODES as readonly string[]).includes(node);
}

export const PASS = 1;
export const FAIL = 2;
/** Of a dispatch: to one person, or to whoever of a team is first. */
export const TO_PERSON = 1;
export const TO_TEAM = 2;

/** The fields of all forms; each form fills its own. Moments are the wire's texts. */
export interface StepValues {
  to?: number;
  repairUserId?: string;
  teamId?: string;
  planFinishTime?: string;
  reason?: string;
  hangReason?: number;
  cancelReason?: number;
  remark?: string;
  solution?: string;
  causeTagId?: string;
  actionTagIds?: string[];
  stopEnd?: string;
  afterImages?: string[];
  helperIds?: string[];
  partMachineId?: string;
  isOutsource?: number;
  vendorName?: string;
  outsourceCost?: number;
  otherCost?: number;
  /** Whether a failing check names a new stop; `stopStart` is its begin. */
  stoppedAgain?: number;
  stopStart?: string;
  checkResult?: number;
  checkScore?: number;
  checkRemark?: string;
  /** The opinion, which only the queue asks for. */
  comment?: string;
}

type Carried = Partial<
  Wire<'DispatchInputRequest'> &
    Wire<'RefuseInputRequest'> &
    Wire<'TransferInputRequest'> &
    Wire<'HangInputRequest'> &
    Wire<'FinishInputRequest'> &
    Wire<'CheckInputRequest'> &
    Wire<'CancelInputRequest'>
>;

/** The fields as the wire wants them: what is empty stays away, and of person and team only the one that was meant. */
function carried(step: Step, values: StepValues): Carried {
  const { to, comment, actionTagIds, helperIds, repairUserId, teamId, stoppedAgain, stopStart, ...rest } =
    values;
  const person = step !== 'dispatch' || to !== TO_TEAM;
  const all = {
    ...rest,
    repairUserId: person ? repairUserId : undefined,
    teamId: person ? undefined : teamId,
    actionTagIds: actionTagIds?.join(','),
    helperIds: person ? helperIds?.join(',') : undefined,
    stopStart: stoppedAgain === 1 && values.checkResult === FAIL ? stopStart : undefined,
  };
  return Object.fromEntries(
    Object.entries(all).filter(([, value]) => value !== undefined && value !== null && value !== ''),
  ) as Carried;
}

/** The outcome of the open step that an act means; a cancel is none, it comes from outside. */
export function outcomeOf(step: Step, values: StepValues): string | undefined {
  if (step === 'cancel') return undefined;
  if (step === 'check') return values.checkResult === PASS ? 'pass' : 'fail';
  return step;
}

export interface Call {
  path: string;
  body: object;
}

/** `lockVersion` is the one the person has read: whoever was faster must not be overwritten. */
export function byRecord(
  order: Pick<Wire<'RepairOrderDetail'>, 'id' | 'lockVersion'>,
  step: Step,
  values: StepValues,
): Call {
  const { id, lockVersion } = order;
  return {
    path: '/yuzhu-equip/repairorder/update',
    body: { ...carried(step, values), id, lockVersion, action: step },
  };
}

type Task = Pick<Wire<'TaskDetail'>, 'taskId' | 'processInstanceId' | 'outcomes'>;

/** Whether the task's step offers this act; what it does not offer goes through the order. */
export function offers(task: Pick<Wire<'TaskDetail'>, 'outcomes' | 'canComplete'>, step: Step): boolean {
  const words: readonly (string | undefined)[] = step === 'check' ? ['pass', 'fail'] : [outcomeOf(step, {})];
  return task.canComplete && task.outcomes.some(({ value }) => words.includes(value));
}

/** The opinion is what the form asks for as a reason, or the field of that name. */
export function byTask(task: Task, step: Step, values: StepValues): Call {
  const outcome = outcomeOf(step, values);
  const { checkResult: _, ...variables } = carried(step, values);
  const said = values.comment ?? values.reason ?? values.checkRemark ?? values.remark ?? '';
  const positive = task.outcomes.find(({ value }) => value === outcome)?.positive;
  const body: Wire<'CompleteInputRequest'> = {
    taskId: task.taskId,
    processInstanceId: task.processInstanceId,
    outcome,
    comment: said.trim(),
    variables,
    ...(positive && { flag: 'ok' }),
  };
  return { path: '/blade-flow/work/complete-task', body };
}
