/** What conditions may read: the catalogue's names and the fields of the forms as they are drawn now. */
import type { Language } from '@/site';
import { type Component, optionsOf, textOf } from '../../forms/schema';
import type { NameType } from './conditions';
import { type Business, fieldsOf, formsOf } from './model';

export interface Name {
  /** Dotted, such as `form.days`. */
  name: string;
  label: string;
  type: NameType;
  /** The values it may have, where they are known. */
  options?: readonly { value: string | number; label: string }[];
}

const HOLDS: Readonly<Record<string, NameType>> = {
  number: 'number',
  checkbox: 'flag',
  checklist: 'list',
  taglist: 'list',
  datetime: 'moment',
};

function ofField(component: Component & { key: string }, language: Language): Name {
  return {
    name: `form.${component.key}`,
    label: textOf(component, 'label', language),
    type: HOLDS[component.type] ?? 'text',
    options: component.values ? optionsOf(component, language) : undefined,
  };
}

/** Fields of all forms of the process, each key once. */
export function fieldNames(process: Business | undefined, language: Language): Name[] {
  const fields = formsOf(process).flatMap(({ schema }) => fieldsOf(schema));
  const once = new Map(fields.map((field) => [field.key, field]));
  return [...once.values()].map((field) => ofField(field, language));
}
