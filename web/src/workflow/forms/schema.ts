/** The form-js schemas that the server lets through: what their components are, hold, and say when they are only read. */
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
  appearance?: { prefixAdorner?: string; suffixAdorner?: string };
  /** Of form-js, free for notes: ours are the English texts (`labelEn`, `descriptionEn`, `textEn`, …). */
  properties?: Readonly<Record<string, string>>;
  components?: Component[];
}

/** A component that holds a value. */
export type InputComponent = Component & { key: string };

export interface Schema {
  components: Component[];
}

export type Values = Readonly<Record<string, unknown>>;

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
  words: { yes: string; no: string; gap: string },
): string {
  if (value === null || value === undefined || value === '') return '';
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
export function initialOf(schema: Schema | undefined, known: Values): Record<string, unknown> {
  const fields = inputsOf(schema).filter((component) => !isLocked(component));
  const pairs = fields.map(({ key, defaultValue }) => [key, known[key] ?? defaultValue ?? undefined]);
  return Object.fromEntries(pairs.filter(([, value]) => value !== undefined));
}

/** What is sent: every field that may be changed, null for an empty one. */
export function sentOf(schema: Schema | undefined, values: Values): Record<string, unknown> {
  const fields = inputsOf(schema).filter((component) => !isLocked(component));
  return Object.fromEntries(
    fields.map(({ key, type }) => [key, values[key] ?? (type === 'checkbox' ? false : null)]),
  );
}
