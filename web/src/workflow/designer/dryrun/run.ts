/** A dry run as somebody goes through it: what was answered after each act, and which of them one looks at. */
import type { Wire } from '@/api/wire';
import { type InputComponent, inputsOf, schemaOf, type Values } from '../../forms/schema';

export type Answer = Wire<'DryRunAnswer'>;
export type Step = Wire<'DryStep'>;
/** One of four: a step is completed, a timer fires, a message comes, an operation answers. */
export type Act = Partial<Wire<'DryAct'>>;
export type Open = Wire<'DryOpen'>;

export interface Start {
  xml: string;
  starterId?: string;
  /** The start event; without it that of people. */
  start?: string;
  /** Of the start's form. */
  values?: Values;
  /** Of a record's process: what its record holds instead of the sample's. */
  record?: Values;
}

export interface Run {
  start: Start;
  /** How often the drawing had changed when it began. */
  drawn: number;
  acts: readonly Act[];
  /** One more than there are acts: the first is the start's. */
  answers: readonly Answer[];
  /** Which answer is looked at. */
  at: number;
}

export function begun(start: Start, drawn: number, answer: Answer): Run {
  return { start, drawn, acts: [], answers: [answer], at: 0 };
}

/** The acts that lead to where one looks. */
export function actsSoFar({ acts, at }: Run): readonly Act[] {
  return acts.slice(0, at);
}

/** One act more from where one looks: what had followed there is another story. */
export function taken(run: Run, act: Act, answer: Answer): Run {
  return {
    ...run,
    acts: [...actsSoFar(run), act],
    answers: [...run.answers.slice(0, run.at + 1), answer],
    at: run.at + 1,
  };
}

export function lookingAt(run: Run, at: number): Run {
  return { ...run, at: Math.min(Math.max(at, 0), run.answers.length - 1) };
}

/** The answer that is looked at. */
export function shownOf({ answers, at }: Run): Answer {
  // There is one for each place.
  return answers[at] as Answer;
}

/** The fields of every form that was shown so far, each once. */
export function fieldsShown({ answers }: Run): InputComponent[] {
  const forms = answers.flatMap(({ startForm, open }) => [startForm, ...open.map(({ form }) => form)]);
  const fields = forms.flatMap((form) => inputsOf(schemaOf(form)));
  return [...new Map(fields.map((field) => [field.key, field])).values()];
}

/** Why the last act was not taken; undefined when it was. */
export function refusalOf({ steps }: Answer): Wire<'DryRefusal'> | undefined {
  return steps.at(-1)?.refusal ?? undefined;
}

export interface Progress {
  /** How often each node was passed, and each flow taken. */
  passed: ReadonlyMap<string, number>;
  flows: ReadonlyMap<string, number>;
  /** How many tokens stand where. */
  tokens: ReadonlyMap<string, number>;
}

function counted(lists: readonly (readonly string[])[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const id of lists.flat()) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

export function progressOf(steps: readonly Step[]): Progress {
  return {
    passed: counted(steps.map((step) => step.passed)),
    flows: counted(steps.map((step) => step.flows)),
    tokens: new Map(Object.entries(steps.at(-1)?.tokens ?? {})),
  };
}

/** What the log says of a step, in the order of its lines. */
export type Line =
  | { kind: 'start' }
  | { kind: 'done'; node: string; outcome: string; userId?: string }
  | { kind: 'timer'; node: string }
  | { kind: 'message'; name: string }
  | { kind: 'call'; node: string; error: string };

export function lineOf(step: Pick<Step, 'act'>): Line {
  const act: Act = step.act;
  if (act.node) return { kind: 'done', node: act.node, outcome: act.outcome ?? '', userId: act.userId };
  if (act.timer) return { kind: 'timer', node: act.timer };
  if (act.message) return { kind: 'message', name: act.message };
  if (act.call) return { kind: 'call', node: act.call, error: act.error ?? '' };
  return { kind: 'start' };
}
