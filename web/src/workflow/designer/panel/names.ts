/** What conditions may read: the catalogue's names and the fields of the forms as they are drawn now. */
import type { Source } from '@/kit/references';
import type { Language } from '@/site';
import { type Component, optionsOf, SOURCES, textOf } from '../../forms/schema';
import { type NameType, sizeOf } from './conditions';
import { type Business, fieldsOf, formsOf } from './model';

export interface Name {
  /** Dotted, such as `form.days`. */
  name: string;
  label: string;
  type: NameType;
  /** The values it may have, where they are known. */
  options?: readonly { value: string | number; label: string }[];
  /** Of an id, where the rows are chosen from. */
  source?: Source;
}

const HOLDS: Readonly<Record<string, NameType>> = {
  number: 'number',
  checkbox: 'flag',
  checklist: 'list',
  taglist: 'list',
  datetime: 'moment',
  filepicker: 'rows',
  'xw-table': 'rows',
  'xw-person': 'id',
  'xw-department': 'id',
  'xw-asset': 'id',
};

function ofField(component: Component & { key: string }, language: Language): Name {
  return {
    name: `form.${component.key}`,
    label: textOf(component, 'label', language),
    type: HOLDS[component.type] ?? 'text',
    options: component.values ? optionsOf(component, language) : undefined,
    source: SOURCES[component.type],
  };
}

/** Fields of all forms of the process, each key once. */
export function fieldNames(process: Business | undefined, language: Language): Name[] {
  const fields = formsOf(process).flatMap(({ schema }) => fieldsOf(schema));
  const once = new Map(fields.map((field) => [field.key, field]));
  return [...once.values()].map((field) => ofField(field, language));
}

/** Behind names of which there may be more or less, how much there is of each: things of a list, letters of a text. */
export function withSizes(names: readonly Name[], say: (of: Name) => string): Name[] {
  const isSized = ({ type, options, name }: Name) =>
    type === 'list' || type === 'rows' || (type === 'text' && !options && name.startsWith('form.'));
  return names.flatMap((one) =>
    isSized(one) ? [one, { name: sizeOf(one.name), label: say(one), type: 'count' as const }] : [one],
  );
}

const KINDS: Readonly<Record<string, string>> = { user: 'xw-person', dept: 'xw-department' };

/** Fields of the forms that hold a person or a department. */
export function holdingFields(process: Business | undefined, kind: string, language: Language): Name[] {
  const fields = formsOf(process).flatMap(({ schema }) => fieldsOf(schema));
  const fitting = fields.filter(({ type }) => type === KINDS[kind]);
  return [...new Map(fitting.map((field) => [field.key, ofField(field, language)])).values()];
}
