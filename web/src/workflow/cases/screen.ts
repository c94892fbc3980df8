/** What a screen file of a case may add to what the case declares; most cases need none. */
import type { Dayjs } from 'dayjs';
import type { ComponentType, ReactNode } from 'react';
import type { Case, CaseRecord } from '@/api/case';
import type { Noun, RowOf } from '@/api/noun';
import type { Wire } from '@/api/wire';
import type { FieldProps, Rules } from '@/kit/fields';
import type { ColumnEntry } from '@/kit/NounPage';
import type { ChoiceHint } from '@/kit/nounFields';
import type { FilterEntry } from '@/kit/nounFilters';
import type { Card } from '@/kit/ResourceList';
import type { Source } from '@/kit/references';

/** A record with the fields of its case. */
export type Row = CaseRecord &
  Readonly<Record<string, unknown>> & {
    openTask: Wire<'OpenTask'> | null;
    openTasks: readonly Wire<'OpenTask'>[];
    logs: readonly Wire<'Log'>[];
  };

/** What a form was opened with: the record, or for a new one the address's query and what its `form` call answered. */
export type Given = Readonly<Record<string, unknown>>;

/** What is handed to a control in place of the general one. */
export interface ControlProps extends FieldProps {
  given: Given;
  source?: Source;
}

/** How a field differs from what the document says of it. */
export interface FieldChange extends Partial<Omit<FieldProps, 'name'>> {
  rules?: Rules;
  /** Shown in place of the field. */
  control?: ComponentType<ControlProps>;
  /** Not asked for as things stand; what was entered before is not sent. */
  hidden?: boolean;
  /** Where the rows to choose from are found, where more is known of them than the document says. */
  source?: Source;
  /** All rows to choose from in sight. */
  words?: boolean;
  /** Left out where there is nothing to choose from. */
  unlessEmpty?: boolean;
  /** By choice what it means: the choices stand large and in sight. */
  hints?: Readonly<Record<string, ChoiceHint>>;
  /** Only these of the choices may be taken. */
  only?: readonly (string | number)[];
  /** The latest moment. */
  until?: Dayjs;
}

/** `values` is what has been entered so far. */
export type FieldRule = FieldChange | ((given: Given, values: Given) => FieldChange);

/** Opens the form of a command, or the dialog of another action; `about` is what that is told. */
export type Open = (name: string, about?: unknown) => void;

/** A function whose argument is the record as the screen knows it. */
type Of<R, Rest extends unknown[], Result> = { of(row: R, ...rest: Rest): Result }['of'];

interface Dialog<R> {
  row: R;
  about: unknown;
  onClose: () => void;
}

/** How the list of a case differs from what its declaration says. */
export interface CaseListScreen<N extends Noun = Noun> {
  /** Names the list where its queries and saved views are kept; by default the noun. */
  name?: string;
  /** Whether it begins with what is not finished. */
  begins?: 'open' | 'all';
  columns?: readonly ColumnEntry<N>[];
  filters?: readonly FilterEntry<N>[];
  /** How many filters stand in sight. */
  inline?: number;
  /** Marks beside the status. */
  marks?: (row: RowOf<N>) => ReactNode;
  card?: (row: RowOf<N>) => Omit<Card, 'state'>;
  /** The main action at the right end. */
  action?: ReactNode;
  /** Why there is nothing, beside that nothing is open. */
  noneHint?: string;
}

/** The same with the types of this noun's rows. */
export function listOf<N extends Noun>(_noun: N, list: CaseListScreen<N>): CaseListScreen {
  return list as unknown as CaseListScreen;
}

export interface CaseScreen<R = Row> {
  title?: Of<R, [], string>;
  /** Marks beside the state. */
  tags?: Of<R, [], ReactNode>;
  /** Fields of the document that are shown in a way of their own; null leaves out the fact that begins with it. */
  values?: Readonly<Record<string, Of<R, [open: Open], ReactNode>>>;
  /** By command what its form begins with, beside the record's values where it is declared so. */
  begins?: Readonly<Record<string, Of<R, [], Given>>>;
  /** By command what stands above the fields of its form. */
  above?: Readonly<Record<string, Of<R, [open: Open], ReactNode>>>;
  /** Forms and questions of the other actions, and of whatever else `open` names; of a command in place of its form. */
  dialogs?: Readonly<Record<string, { of(props: Dialog<R>): ReactNode }['of']>>;
  /** By name; `<command>.<name>` is of one form alone. */
  fields?: Readonly<Record<string, FieldRule>>;
  /** By command the form in which companies say what they require, as the dictionary required_scene numbers it. */
  scenes?: Readonly<Record<string, number>>;
  /** On a phone: the first part of the page comes first, then this, and the facts are folded. */
  lead?: Of<R, [], ReactNode>;
  /** Queries that a command puts out of date, beside those of the case and of all processes. */
  touches?: readonly (readonly unknown[])[];
  /** The list; a hook, for it may ask the server for what its filters offer. */
  useList?: () => CaseListScreen;
  /** The page of a new record. */
  start?: {
    title?: () => string;
    submitText?: () => string;
    /** What happens later, told on the page of a record that was just made. */
    next?: () => string;
    /** Where the new record is shown. */
    page?: (id: string) => string;
    /** What the answer asks, where it asks back. */
    question?: () => string;
    /** Shown when the answer asks back (`needConfirm`); `again` sends the same with `force`. */
    Confirm?: ComponentType<{ answer: unknown; again: () => void; onClose: () => void }>;
    /** It is stored on this device first and sent when there is a network: what it is called among what waits, and
     * what is said when it does. */
    unsent?: { title: (values: Given) => string; stored: () => string };
  };
}

export interface CaseProps {
  of: Case;
  screen: CaseScreen;
}

/** The command that an outcome of a step means. */
export const commandOf = (of: Case, outcome: string) =>
  of.commands.find(({ outcomes }) => outcomes.some(({ key }) => key === outcome));

/** Whether the step is decided, yes or no, with an opinion alone: its page has the buttons at once. */
export function isDecision(of: Case, node: string): boolean {
  const commands = of.commands.filter(({ steps }) => steps.includes(node));
  const alone = commands.every(({ input, remark }) => Object.keys(input).every((name) => name === remark));
  return alone && commands.some(({ outcomes }) => outcomes.some(({ refuses }) => refuses));
}

/** Queries that a command on a record puts out of date, beside those of all processes. */
export const touchedBy = ({ of, screen }: CaseProps) => [
  ['case', of.name],
  ...(of.list ? [[of.list.noun.name]] : []),
  ...(screen.touches ?? []),
];

/** The page of a record for whoever knows the record alone: the page finds the process by itself. */
export const detailPath = (segment: string, id: string) => `/work/process/${segment}/detail/-/${id}`;
