/** What differs between two drawings, element by element: added, removed, changed, moved; matched by id. */
import type { Property, Segment } from './property';
import type { Drawing, Part } from './read';
import { ORDER } from './readForm';

export type Kind = 'added' | 'removed' | 'changed' | 'moved';

/** A property that is new, gone or different. */
export interface Change {
  readonly path: readonly Segment[];
  readonly old?: Property;
  readonly now?: Property;
}

export interface Difference {
  readonly kind: Kind;
  /** As it is now; as it was where it is gone. */
  readonly part: Part;
  /** Of a changed element; in the order of its properties. */
  readonly changes: readonly Change[];
  /** Stands elsewhere or has another size; of a changed element too. */
  readonly moved: boolean;
}

/** What stands in another element, or is of another type, says so like a property. */
function ofItself(old: Part, now: Part): Change[] {
  const change = (key: string, kind: Property['kind'], before: string, after: string): Change[] => {
    const path = [{ key }];
    const property = (value: string): Property => ({ path, kind, value });
    return before === after ? [] : [{ path, old: property(before), now: property(after) }];
  };
  return [
    ...change('type', 'text', old.type, now.type),
    // Where a boundary event sits is a property already.
    ...(old.properties.has('attachedToRef') ? [] : change('parent', 'parts', old.parent, now.parent)),
  ];
}

const begins = (path: readonly Segment[], start: readonly Segment[]) =>
  path.length > start.length &&
  start.every(({ key, name }, index) => path[index]?.key === key && path[index]?.name === name);

/** Where fields came or went, the order of all of them differs without anybody having changed it. */
function followsFromFields({ path, old, now }: Change): boolean {
  if (path.at(-1)?.key !== ORDER || !old || !now) return false;
  const sorted = (value: string) => value.split(', ').sort().join();
  return sorted(old.value) !== sorted(now.value);
}

function changesOf(old: Part, now: Part): Change[] {
  const keys = new Set([...old.properties.keys(), ...now.properties.keys()]);
  const changes: Change[] = ofItself(old, now);
  for (const key of keys) {
    const [before, after] = [old.properties.get(key), now.properties.get(key)];
    // Of what is there on both sides only its own properties can differ.
    if (before && after && (before.kind === 'whole' || before.value === after.value)) continue;
    changes.push({ path: (after ?? before)?.path ?? [], old: before, now: after });
  }
  const whole = changes.filter(({ old: before, now: after }) => (before ?? after)?.kind === 'whole');
  return changes.filter(
    (change) =>
      // A field that is new or gone says it once, not once more with each of its properties.
      !whole.some((holder) => begins(change.path, holder.path)) && !followsFromFields(change),
  );
}

interface Shift {
  readonly x: number;
  readonly y: number;
  readonly reshaped: boolean;
}

function shiftOf(id: string, before: Drawing, after: Drawing): Shift | undefined {
  const [old, now] = [before.get(id)?.place, after.get(id)?.place];
  if (!old || !now) return undefined;
  return { x: now.x - old.x, y: now.y - old.y, reshaped: old.shape !== now.shape };
}

const stays = (shift: Shift | undefined) => !shift || (shift.x === 0 && shift.y === 0 && !shift.reshaped);

/** Whether somebody moved it: what only went along with its frame, its host or the steps it joins was not moved. */
function isMoved(part: Part, before: Drawing, after: Drawing): boolean {
  const own = shiftOf(part.id, before, after);
  if (!own || stays(own)) return false;
  if (part.source || part.target)
    return [part.source, part.target].every((end) => stays(shiftOf(end, before, after)));
  const holder = shiftOf(part.parent, before, after);
  return own.reshaped || !holder || holder.x !== own.x || holder.y !== own.y;
}

/** Left to right and top to bottom, as one reads a drawing; what is not drawn comes first. */
function inReadingOrder(
  { part: { place: one } }: Difference,
  { part: { place: other } }: Difference,
): number {
  if (!one || !other) return Number(Boolean(one)) - Number(Boolean(other));
  return one.x - other.x || one.y - other.y;
}

/** The differences from `before` to `after`, in reading order; empty when nothing differs but the file's own layout. */
export function compare(before: Drawing, after: Drawing): Difference[] {
  const found: Difference[] = [];
  for (const part of before.values())
    if (!after.has(part.id)) found.push({ kind: 'removed', part, changes: [], moved: false });
  for (const part of after.values()) {
    const old = before.get(part.id);
    if (!old) {
      found.push({ kind: 'added', part, changes: [], moved: false });
      continue;
    }
    const changes = changesOf(old, part);
    const moved = isMoved(part, before, after);
    if (changes.length > 0 || moved)
      found.push({ kind: changes.length > 0 ? 'changed' : 'moved', part, changes, moved });
  }
  return found.sort(inReadingOrder);
}
