/** What comes of an operation that answers later: where its values go, and with which errors it may answer. */
import type { Wire } from '@/api/wire';
import type { Choice } from './controls';
import type { Change, Edit } from './edit';
import { type Business, is, listOf, partOf, textOf, words } from './model';
import { givenBy } from './parameters';

export type Operation = Wire<'Catalogue'>['operations'][number];

const TYPE = 'xw:Result';

/** Where each value of the answer goes, by its name, in the order of the file. */
export function resultsOf(of: Business): { name: string; to: string }[] {
  return elementsOf(of).map((one) => ({ name: textOf(one, 'name'), to: textOf(one, 'to') }));
}

function elementsOf(of: Business): Business[] {
  return listOf(partOf(of, 'extensionElements'), 'values').filter((one) => is(one, TYPE));
}

/** The change that lets a value of the answer go somewhere, or nowhere. */
export function resultSet(edit: Edit, of: Business, name: string, to: string): Change[] {
  const before = elementsOf(of).find((one) => textOf(one, 'name') === name);
  const holder = partOf(of, 'extensionElements');
  if (!to) {
    if (!before || !holder) return [];
    const values = listOf(holder, 'values').filter((one) => one !== before);
    return values.length > 0
      ? [{ of: holder, set: { values } }]
      : [{ of, set: { extensionElements: undefined } }];
  }
  if (before) return [{ of: before, set: { to } }];
  if (holder) {
    const added = edit.make(TYPE, holder, { name, to });
    return [{ of: holder, set: { values: [...listOf(holder, 'values'), added] } }];
  }
  const made = edit.make('bpmn:ExtensionElements', of, { values: [] });
  listOf(made, 'values').push(edit.make(TYPE, made, { name, to }));
  return [{ of, set: { extensionElements: made } }];
}

/** The error codes of the operation that a task names, and those that the drawing lists among its parameters. */
export function codesOf(task: Business | undefined, operations: readonly Operation[]): Choice[] {
  if (!task || !is(task, 'bpmn:ServiceTask')) return [];
  const operation = operations.find(({ name }) => name === textOf(task, 'xw:operation'));
  if (!operation) return [];
  const listed = words(givenBy(task).get(operation.codesIn) ?? '', /\s+/).flatMap(
    (word) => word.split('=')[1] ?? [],
  );
  return [
    ...operation.errors.map(({ code, label }) => ({ value: code, label: `${label} (${code})` })),
    ...listed.map((code) => ({ value: code, label: code })),
  ];
}
