/** A form-js schema as it is drawn: components found and changed by their ids; nothing is changed in place. */
import { type Component, type Schema, SOURCES } from '../../forms/schema';

/** A component that is drawn: it always has an id. */
export type Drawn = Component & { id: string };

export const TYPES = {
  enter: ['textfield', 'textarea', 'number', 'datetime', 'checkbox', 'filepicker', 'xw-table'],
  choose: ['radio', 'select', 'checklist', 'taglist', 'xw-person', 'xw-department', 'xw-asset'],
  show: ['group', 'text', 'separator', 'spacer'],
} as const;
export type Type = (typeof TYPES)[keyof typeof TYPES][number];

const KEYED: readonly string[] = [...TYPES.enter, ...TYPES.choose];
const CHOICES: readonly string[] = ['radio', 'select', 'checklist', 'taglist'];
/** What a column of a table may be. */
const COLUMNS: readonly string[] = [
  'textfield',
  'number',
  'datetime',
  'checkbox',
  'select',
  'xw-person',
  'xw-department',
  'xw-asset',
];

export function hasKey(type: string): boolean {
  return KEYED.includes(type);
}

export function hasOptions(type: string): boolean {
  return CHOICES.includes(type);
}

/** What people propose themselves: who is meant, what is attached, which rows there are. */
export function hasDefault(type: string): boolean {
  return hasKey(type) && !SOURCES[type] && type !== 'filepicker' && type !== 'xw-table';
}

/** Whether others stand in it. */
export function isHolder(type: string): boolean {
  return type === 'group' || type === 'xw-table';
}

export function partsOf(component: Component): Drawn[] {
  return (component.components ?? []) as Drawn[];
}

export function allOf(components: readonly Component[]): Drawn[] {
  return (components as readonly Drawn[]).flatMap((one) => [one, ...allOf(partsOf(one))]);
}

export function find(components: readonly Component[], id: string | undefined): Drawn | undefined {
  return id === undefined ? undefined : allOf(components).find((one) => one.id === id);
}

/** The first of `stem_1`, `stem_2`, … that is not taken. */
function free(stem: string, taken: ReadonlySet<string>): string {
  let number = 1;
  while (taken.has(`${stem}_${number}`)) number += 1;
  return `${stem}_${number}`;
}

interface Taken {
  ids: Set<string>;
  keys: Set<string>;
}

function takenIn(components: readonly Component[]): Taken {
  const all = allOf(components);
  return { ids: new Set(all.map(({ id }) => id)), keys: new Set(all.flatMap(({ key }) => key ?? [])) };
}

/** Every component with an id of its own: what was drawn elsewhere may lack them. */
export function identified(schema: Schema): Schema {
  const seen = new Set<string>();
  const taken = new Set(allOf(schema.components).map(({ id }) => id));
  const named = (components: readonly Component[]): Component[] =>
    components.map((one) => {
      const id = one.id && !seen.has(one.id) ? one.id : free(one.type, new Set([...taken, ...seen]));
      seen.add(id);
      return { ...one, id, ...(one.components ? { components: named(one.components) } : {}) };
    });
  return { ...schema, components: named(schema.components) };
}

/** What a new component is called, the options of a choice, and the first column of a table. */
export interface Said {
  label: string;
  option: string;
  column: string;
}

/** A table has a column from the beginning: without one it could not be deployed. */
function madeColumn(zh: Said, en: Said, among: readonly Component[]): Drawn {
  const text = (said: Said): Said => ({ ...said, label: said.column });
  return made('textfield', text(zh), text(en), among);
}

/** A new component of a type, ready to be used: its texts in both languages name its type. */
export function made(type: Type, zh: Said, en: Said, among: readonly Component[]): Drawn {
  const { ids, keys } = takenIn(among);
  const labelled = { label: zh.label, properties: { labelEn: en.label } };
  return {
    type,
    id: free(type, ids),
    // A key has letters, digits and underscores alone.
    ...(hasKey(type) ? { key: free(type.replace('xw-', ''), keys), ...labelled } : {}),
    ...(type === 'group' ? { ...labelled, components: [] } : {}),
    ...(type === 'text' ? { text: zh.label, properties: { textEn: en.label } } : {}),
    ...(type === 'xw-table' ? { components: [madeColumn(zh, en, among)] } : {}),
    ...(type === 'filepicker' ? { multiple: true } : {}),
    ...(type === 'datetime' ? { subtype: 'date' as const } : {}),
    ...(type === 'spacer' ? { height: 16 } : {}),
    ...(hasOptions(type)
      ? {
          values: ['a', 'b'].map((value, index) => ({
            value,
            label: `${zh.option} ${index + 1}`,
            labelEn: `${en.option} ${index + 1}`,
          })),
        }
      : {}),
  };
}

/** The same once more, with ids and keys that are not taken. */
export function copied(component: Drawn, among: readonly Component[]): Drawn {
  const { ids, keys } = takenIn(among);
  const renew = (one: Drawn): Drawn => {
    const id = free(one.type, ids);
    ids.add(id);
    const key = one.key === undefined ? undefined : free(one.key.replace(/_\d+$/, ''), keys);
    if (key) keys.add(key);
    return {
      ...one,
      id,
      ...(key ? { key } : {}),
      ...(one.components ? { components: partsOf(one).map(renew) } : {}),
    };
  };
  return renew(component);
}

/** `change` of each list of components that the form has, from the outermost. */
function lists(components: readonly Drawn[], change: (list: readonly Drawn[]) => Drawn[]): Drawn[] {
  return change(components).map((one) =>
    one.components ? { ...one, components: lists(partsOf(one), change) } : one,
  );
}

const drawn = (components: readonly Component[]) => components as readonly Drawn[];

export function replaced(components: readonly Component[], next: Drawn): Drawn[] {
  return lists(drawn(components), (list) => list.map((one) => (one.id === next.id ? next : one)));
}

export function without(components: readonly Component[], id: string): Drawn[] {
  return lists(drawn(components), (list) => list.filter((one) => one.id !== id));
}

/** Where something comes to stand: before a component, or at the end of a group or of the form. */
export type Place = { before: string } | { endOf: string | undefined };

export function placed(components: readonly Component[], one: Drawn, place: Place): Drawn[] {
  if ('before' in place) {
    return lists(drawn(components), (list) =>
      list.flatMap((next) => (next.id === place.before ? [one, next] : [next])),
    );
  }
  const group = find(components, place.endOf);
  if (!group) return [...drawn(components), one];
  return replaced(components, { ...group, components: [...partsOf(group), one] });
}

/** The table whose column the component is. */
export function tableOf(components: readonly Component[], id: string): Drawn | undefined {
  return allOf(components).find(
    (one) => one.type === 'xw-table' && partsOf(one).some((part) => part.id === id),
  );
}

/** The place, or one behind the table where the type can be no column of it. */
export function fitting(components: readonly Component[], type: string, place: Place): Place {
  const table =
    'before' in place
      ? tableOf(components, place.before)
      : [find(components, place.endOf)].find((holder) => holder?.type === 'xw-table');
  return table && !COLUMNS.includes(type) ? behind(components, table.id) : place;
}

/** Moves a component; into itself it cannot be moved, nor into a table that could not have it as a column. */
export function moved(components: readonly Component[], id: string, place: Place): Drawn[] {
  const one = find(components, id);
  const target = 'before' in place ? place.before : place.endOf;
  if (!one || (target !== undefined && [one, ...allOf(partsOf(one))].some((part) => part.id === target)))
    return [...drawn(components)];
  if (fitting(components, one.type, place) !== place) return [...drawn(components)];
  return placed(without(components, id), one, place);
}

function siblingsOf(components: readonly Drawn[], id: string): readonly Drawn[] {
  if (components.some((one) => one.id === id)) return components;
  return components.map((one) => siblingsOf(partsOf(one), id)).find((list) => list.length > 0) ?? [];
}

/** One place up or down among its neighbours. */
export function shifted(components: readonly Component[], id: string, by: 1 | -1): Drawn[] {
  const list = siblingsOf(drawn(components), id);
  const index = list.findIndex((one) => one.id === id);
  const other = list[index + by];
  const one = list[index];
  if (!one || !other) return [...drawn(components)];
  return lists(drawn(components), (all) =>
    all.some((part) => part.id === id)
      ? all.map((part) => (part.id === one.id ? other : part.id === other.id ? one : part))
      : [...all],
  );
}

/** Where a new component goes: into the group or table that is chosen, else behind what is chosen. */
export function placeAfter(components: readonly Component[], chosen: string | undefined): Place {
  const one = find(components, chosen);
  if (!one) return { endOf: undefined };
  return isHolder(one.type) ? { endOf: one.id } : behind(components, one.id);
}

function behind(components: readonly Component[], of: string): Place {
  const list = siblingsOf(drawn(components), of);
  const next = list[list.findIndex(({ id }) => id === of) + 1];
  if (next) return { before: next.id };
  return { endOf: allOf(components).find((group) => partsOf(group).some(({ id }) => id === of))?.id };
}

/** What an editor of one component is given. */
export interface PartProps {
  component: Drawn;
  put: (next: Drawn) => void;
}

/** Without what says nothing: an empty text, a rule that asks for nothing. */
export function cleaned(component: Drawn): Drawn {
  const kept = (value: unknown) => value !== undefined && value !== '' && value !== false;
  const slim = (part: object | undefined) => {
    const pairs = Object.entries(part ?? {}).filter(([, value]) => kept(value));
    return pairs.length > 0 ? Object.fromEntries(pairs) : undefined;
  };
  const { validate, properties, appearance, defaultValue, ...rest } = component;
  const parts = { validate: slim(validate), properties: slim(properties), appearance: slim(appearance) };
  // A box that is not ticked is a default of its own.
  const first = defaultValue === undefined || defaultValue === '' ? {} : { defaultValue };
  return { ...slim(rest), ...slim(parts), ...first } as Drawn;
}
