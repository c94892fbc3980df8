/** Forms of a process in its drawing: made, changed, taken away, named by steps. */
import type { Schema } from '../../forms/schema';
import type { Change, Edit } from './edit';
import { type Business, type DrawnForm, formsOf, is, listOf, partOf, textOf, words } from './model';

export const EMPTY: Schema & { type: string } = { type: 'default', components: [] };

/** What a form may be called at most. */
export const MOST_SIGNS = 40;

/** That of the step, with a number where another form has it already; without one a number alone. */
function freeName(forms: readonly DrawnForm[], proposed: string): string {
  const taken = new Set(forms.map(({ name }) => name));
  const begin = proposed
    .trim()
    .slice(0, MOST_SIGNS - 4)
    .trim();
  if (begin && !taken.has(begin)) return begin;
  const numbered = (number: number) => (begin ? `${begin} ${number}` : `form_${number}`);
  let number = begin ? 2 : forms.length + 1;
  while (taken.has(numbered(number))) number += 1;
  return numbered(number);
}

export function written(schema: Schema): string {
  return JSON.stringify(schema);
}

/** The changes that give the process one more form, and its name: the one that is proposed, if it is free. */
export function addedForm(edit: Edit, process: Business, proposed = ''): { name: string; changes: Change[] } {
  const name = freeName(formsOf(process), proposed);
  const holder = partOf(process, 'extensionElements');
  if (holder) {
    const form = edit.make('xw:Form', holder, { name, schema: written(EMPTY) });
    return { name, changes: [{ of: holder, set: { values: [...listOf(holder, 'values'), form] } }] };
  }
  const made = edit.make('bpmn:ExtensionElements', process, { values: [] });
  const form = edit.make('xw:Form', made, { name, schema: written(EMPTY) });
  listOf(made, 'values').push(form);
  return { name, changes: [{ of: process, set: { extensionElements: made } }] };
}

/** Everything in the process, in sub-processes too. */
function nodesOf(scope: Business): Business[] {
  return listOf(scope, 'flowElements').flatMap((node) => [node, ...nodesOf(node)]);
}

/** The steps that show a form. */
export function usersOf(process: Business, name: string): Business[] {
  return nodesOf(process).filter(
    (node) => is(node, 'bpmn:UserTask', 'bpmn:StartEvent') && textOf(node, 'xw:form') === name,
  );
}

/** The changes that give a form another name, in the steps that show it too. */
export function renamedForm(process: Business, form: DrawnForm, name: string): Change[] {
  const steps = usersOf(process, form.name).map((of) => ({ of, set: { 'xw:form': name } }));
  return [{ of: form.of, set: { name } }, ...steps];
}

/** The changes that take a form away, from the steps that show it too. */
export function removedForm(process: Business, form: DrawnForm): Change[] {
  const holder = partOf(process, 'extensionElements');
  if (!holder) return [];
  const values = listOf(holder, 'values').filter((one) => one !== form.of);
  const steps = usersOf(process, form.name).map((of) => ({
    of,
    set: { 'xw:form': undefined, 'xw:readonlyFields': undefined },
  }));
  return [{ of: holder, set: { values } }, ...steps];
}

export const ACCESSES = ['edit', 'read', 'hide'] as const;
export type Access = (typeof ACCESSES)[number];

const ALL = '*';

/** What a step may do with each field: `keys` are those of its form, `others` those of the other forms. */
export function accessOf(
  step: Business,
  keys: readonly string[],
  others: readonly string[],
): Map<string, Access> {
  const [readonly, hidden] = ['xw:readonlyFields', 'xw:hiddenFields'].map((name) =>
    words(textOf(step, name)),
  );
  const within = (list: readonly string[] = [], key: string) => list.includes(ALL) || list.includes(key);
  return new Map([
    ...keys.map((key): [string, Access] => [
      key,
      within(hidden, key) ? 'hide' : within(readonly, key) ? 'read' : 'edit',
    ]),
    ...others.map((key): [string, Access] => [key, within(hidden, key) ? 'hide' : 'read']),
  ]);
}

/** The attributes that say the same; a list of all the step's own fields is written as such, not as `*`. */
export function accessChange(
  step: Business,
  keys: readonly string[],
  access: ReadonlyMap<string, Access>,
): Change {
  const named = (which: Access, of: Iterable<string>) =>
    [...of].filter((key) => access.get(key) === which).join(',') || undefined;
  return {
    of: step,
    set: { 'xw:readonlyFields': named('read', keys), 'xw:hiddenFields': named('hide', access.keys()) },
  };
}
