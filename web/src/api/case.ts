/** What the console knows of a case, a record that a process moves: its start, its commands, its steps; written by `make api`. */
import type { Both, Noun, NounField } from './noun';
import type { Wire } from './wire';

export type Fields = Readonly<Record<string, NounField>>;

export interface CaseCommand {
  readonly name: string;
  readonly label: Both;
  /** By step what it is called there, where that is another word. */
  readonly labels: Readonly<Record<string, Both>>;
  /** What will happen, shown above the command's form. */
  readonly will: Both;
  readonly tone: 'main' | 'danger' | '';
  readonly code: string;
  readonly input: Fields;
  /** The form begins with the record's values. */
  readonly edits: boolean;
  /** The steps of the shipped model that it completes. */
  readonly steps: readonly string[];
  /** The field whose words are the comment of the step; empty where it asks for none. */
  readonly remark: string;
  /** None where it leaves the steps as they are. */
  readonly outcomes: readonly {
    readonly key: string;
    readonly label: Both;
    /** The input that means this outcome. */
    readonly values: Readonly<Record<string, unknown>>;
    /** It says no. */
    readonly refuses: boolean;
  }[];
}

export interface Case {
  /** The business type. */
  readonly name: string;
  readonly title: Both;
  /** Of its calls, without /api. */
  readonly path: string;
  /** Part of the addresses of its pages: `/work/process/<segment>/…`. */
  readonly segment: string;
  /** The parameter of `detail` that takes the record's id. */
  readonly key: string;
  /** The field that holds the record's number. */
  readonly number: string;
  readonly statuses: readonly (readonly [value: number, zh: string, en: string, tone: string])[];
  readonly start: {
    readonly name: string;
    readonly label: Both;
    readonly code: string;
    /** Last part of the address of its call. */
    readonly call: string;
    /** Address of the form. */
    readonly page: string;
    /** Whether `form`, `save-draft` and `remove-draft` answer. */
    readonly drafts: boolean;
    readonly input: Fields;
  };
  /** In the order of the buttons. */
  readonly commands: readonly CaseCommand[];
  /** The steps of the shipped model; an open step that is not among them was added by a company. */
  readonly steps: readonly string[];
  /** The statuses in which one of these steps waits. */
  readonly open: readonly number[];
  /** What people do with the record beside the commands; `remove` deletes it. */
  readonly others: readonly string[];
  /** Fields of the detail that its page shows, in their order; of several in one the others stand below the first. */
  readonly document: readonly (readonly string[])[];
  /** Parts of the page below the facts. */
  readonly sections: readonly { readonly title: Both; readonly fields: readonly (readonly string[])[] }[];
  /** What each act is called in histories. */
  readonly acts: Readonly<Record<string, Both>>;
  readonly fields: Fields;
  /** The list of the records and the address of its page, where there is one. */
  readonly list?: { readonly noun: Noun; readonly page: string };
}

/** What every detail of a case has, beside the fields of its own. */
export interface CaseRecord {
  readonly id: string;
  readonly status: number;
  readonly statusName: string;
  readonly lockVersion: number;
  readonly processInstanceId: string;
  /** What comes after the open step; empty where none is open. */
  readonly nextText: string;
  readonly allowedActions: readonly string[];
  readonly comments: readonly Wire<'Comment'>[];
  /** Null for whoever may not remind those for whom it waits. */
  readonly urge: Wire<'Urge'> | null;
  readonly mayCopy: boolean;
}
