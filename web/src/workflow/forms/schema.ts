/** The form-js schemas that the server lets through: what their components are, hold, and say when they are only read. */
import type { Source } from '@/kit/references';
import { fileName, namedLink } from '@/lib/fileLinks';
import type { Language } from '@/site';

export interface Option {
  value: string;
  label: string;
  labelEn?: string;
}

interface Rules {
  required?: boolean;
  min?: number;
  max?: number;
  minLength?: number;
  maxLength?: number;
  /** Of files and of rows. */
  minItems?: number;
  maxItems?: number;
  pattern?: string;
  patternErrorMessage?: string;
  validationType?: 'custom' | 'email' | 'phone';
}

export interface Component {
  type: string;
  id?: string;
  key?: string;
  label?: string;
  description?: string;
  text?: string;
  height?: number;
  readonly?: boolean;
  disabled?: boolean;
  defaultValue?: unknown;
  validate?: Rules;
  values?: Option[];
  subtype?: 'date' | 'time' | 'datetime';
  disallowPassedDates?: boolean;
  decimalDigits?: number;
  increment?: number;
  /** Of files: several, and pictures only. */
  multiple?: boolean;
  accept?: '' | 'image/*';
  appearance?: { prefixAdorner?: string; suffixAdorner?: string };
  /** Of form-js, free for notes: ours are the English texts (`labelEn`, `descriptionEn`, `textEn`, …). */
  properties?: Readonly<Record<string, string>>;
  /** Parts of a group, or columns of a table. */
  components?: Component[];
}

/** A component that holds a value. */
export type InputComponent = Component & { key: string };

export interface Schema {
  components: Component[];
}

export type Values = Readonly<Record<string, unknown>>;

/** What values are called: by `<type>:<id>`, and by link of a file. */
export type Texts = Readonly<Record<string, string>>;

/** The server's own limits, where a schema names none. */
export const MAX_ROWS = 100;
export const MAX_FILES = 9;

/** By type of component where its values are chosen from: rows of the company. */
export const SOURCES: Readonly<Record<string, Source>> = {
  'xw-person': { ref: '/blade-user/select' },
  'xw-department': { ref: '/blade-system/dept/select-page', tree: '/blade-system/dept/tree' },
  'xw-asset': { ref: '/yuzhu-equip/inspectmachine/select?nodeType=4' },
};

export function mostFiles({ multiple, validate }: Component): number {
  return multiple ? (validate?.maxItems ?? MAX_FILES) : 1;
}

/** Whether a field takes the whole width. */
export function isLong({ type }: Component): boolean {
  return ['textarea', 'checklist', 'filepicker', 'xw-table'].includes(type);
}

/** The wire says no more of a schema than that it is an object; the server has checked it when it was deployed. */
export function schemaOf(wire: Readonly<Record<string, unknown>> | null | undefined): Schema | undefined {
  return wire && Array.isArray(wire.components) ? (wire as unknown as Schema) : undefined;
}

export function inputsOf(schema: Schema | undefined): InputComponent[] {
  return (schema?.components ?? []).flatMap((component) => {
    if (component.type === 'group') return inputsOf({ components: component.components ?? [] });
    return component.key === undefined ? [] : [component as InputComponent];
  });
}

export function isLocked(component: Component): boolean {
  return Boolean(component.readonly || component.disabled);
}

/** One of a component's texts in the reader's language; Chinese where there is no English one. */
export function textOf(
  component: Component,
  name: 'label' | 'description' | 'text',
  language: Language,
): string {
  const english = component.properties?.[`${name}En`];
  return (
    (language === 'en-US' && english) || component[name] || (name === 'label' ? (component.key ?? '') : '')
  );
}

export function optionsOf(component: Component, language: Language): { value: string; label: string }[] {
  return (component.values ?? []).map(({ value, label, labelEn }) => ({
    value,
    label: (language === 'en-US' && labelEn) || label,
  }));
}

/** What a value says to somebody who only reads it; empty when there is none. */
export function shown(
  component: Component,
  value: unknown,
  language: Language,
  words: { yes: string; no: string; gap: string; rows: (count: number) => string; texts: Texts },
): string {
  if (value === null || value === undefined || value === '') return '';
  if (SOURCES[component.type]) return words.texts[`${component.type}:${value}`] ?? String(value);
  if (Array.isArray(value) && component.type === 'xw-table') return words.rows(value.length);
  if (Array.isArray(value) && component.type === 'filepicker')
    return value.map((link) => words.texts[link] ?? fileName(String(link))).join(words.gap);
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  if (component.values) {
    const labels = new Map(optionsOf(component, language).map((option) => [option.value, option.label]));
    return [value]
      .flat()
      .map((one) => labels.get(String(one)) ?? String(one))
      .join(words.gap);
  }
  if (component.subtype === 'datetime') return String(value).slice(0, 16);
  const { prefixAdorner, suffixAdorner } = component.appearance ?? {};
  return [prefixAdorner, String(value), suffixAdorner].filter(Boolean).join(' ');
}

/** What the fields hold at first: what is known, else what the schema proposes. */
export function initialOf(
  schema: Schema | undefined,
  known: Values,
  texts: Texts = {},
): Record<string, unknown> {
  const fields = inputsOf(schema).filter((component) => !isLocked(component));
  const pairs = fields.map(({ key, type, defaultValue }) => {
    const value = known[key] ?? defaultValue ?? undefined;
    if (type !== 'filepicker' || !Array.isArray(value)) return [key, value];
    return [key, value.map((link: string) => namedLink(link, texts[link]))];
  });
  return Object.fromEntries(pairs.filter(([, value]) => value !== undefined));
}

/** What is sent: every field that may be changed, null for an empty one. */
export function sentOf(schema: Schema | undefined, values: Values): Record<string, unknown> {
  const fields = inputsOf(schema).filter((component) => !isLocked(component));
  return Object.fromEntries(
    fields.map(({ key, type }) => [key, values[key] ?? (type === 'checkbox' ? false : null)]),
  );
}
