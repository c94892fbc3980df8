/** A drawn form as properties: which fields it asks, in which order, and what is said of each. */
import type { Property, Segment } from './property';

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const componentsOf = (holder: Json): readonly Json[] =>
  Array.isArray(holder.components) ? holder.components.filter(isObject) : [];

/** Where a field stands on the paper and how it is called inside says nothing to who compares two forms. */
const PASSED_OVER = new Set(['id', 'key', 'layout', 'components']);

function shown(value: unknown): string {
  if (!isObject(value)) return String(value);
  const { value: own, label, ...more } = value;
  const words = [label, ...Object.values(more)].filter(Boolean).join(' / ');
  return own === undefined || own === label ? words : `${words} (${own})`;
}

function* properties(holder: Json, path: readonly Segment[]): Generator<Property> {
  for (const [key, value] of Object.entries(holder)) {
    if (PASSED_OVER.has(key) || value === null || value === '') continue;
    const own = [...path, { key }];
    if (typeof value === 'boolean') yield { path: own, kind: 'flag', value: String(value) };
    else if (Array.isArray(value)) yield { path: own, kind: 'text', value: value.map(shown).join(', ') };
    // Rules and notes are properties of the field itself.
    else if (isObject(value)) yield* properties(value, path);
    else yield { path: own, kind: 'text', value: String(value) };
  }
}

/** The key of the property that lists a form's fields in their order. */
export const ORDER = 'order';

function* fields(form: Json, path: readonly Segment[], order: string[]): Generator<Property> {
  for (const component of componentsOf(form)) {
    const name = String(component.key ?? component.id ?? component.type ?? '');
    const own = [...path, { key: 'field', name }];
    order.push(name);
    yield { path: own, kind: 'whole', value: String(component.label ?? component.text ?? '') };
    yield* properties(component, own);
    yield* fields(component, path, order);
  }
}

/** The properties of a form-js schema below `path`; undefined when it is none. */
export function formProperties(text: string, path: readonly Segment[]): Property[] | undefined {
  let form: unknown;
  try {
    form = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(form)) return undefined;
  const order: string[] = [];
  const found = [...fields(form, path, order)];
  return [
    { path, kind: 'whole', value: '' },
    { path: [...path, { key: ORDER }], kind: 'text', value: order.join(', ') },
    ...found,
  ];
}
