/** Doing maintenance: what is entered for its items, what that means, and what is still wrong, in the server's sentences. */
import dayjs from 'dayjs';
import type { TFunction } from 'i18next';
import type { Wire } from '@/api/wire';
import { fromWire, toWire } from '@/lib/dates';
import { ABNORMAL, NUMBER, PASS_FAIL, PHOTO } from '@/screens/shared/standards/items';
import { BAD, type Judged, OK, resultOf } from '@/screens/shared/standards/judging';

export type Order = Wire<'MaintainOrderDetail'>;
export type Row = Order['details'][number];

/** Results, numbered as the dictionary maintain_result. */
export const [DONE, WRONG, NOT_APPLICABLE, NOT_DONE] = [1, 2, 3, 4] as const;
const [ALWAYS, WHEN_ABNORMAL] = [1, 2];
/** The kind of value that is a text. */
export const TEXT = 4;

export interface Entry {
  value: string;
  /** Said by the person: not applicable, not done, or of what has no value that says it. */
  result: number | null;
  handling: string;
  images: string[];
}

export type Entries = Readonly<Record<string, Entry>>;

/** What an item holds so far. */
export function entryOf(row: Row): Entry {
  return {
    value: row.value ?? '',
    result: row.result,
    handling: row.handling ?? '',
    images: [...(row.images ?? [])],
  };
}

export const entriesOf = (rows: readonly Row[]): Entries =>
  Object.fromEntries(rows.map((row) => [row.id, entryOf(row)]));

export const itemOf = (row: Row) => row.item as unknown as Judged | null;

/** Whether the work on the item was left out, for whichever reason. */
export const isLeftOut = ({ result }: Entry) => result === NOT_APPLICABLE || result === NOT_DONE;

/** What the value means as an inspection would say it: normal, warning, abnormal; undefined for nothing. */
export function judgedOf(row: Row, entry: Entry): number | undefined {
  const item = itemOf(row);
  if (isLeftOut(entry) || !item) return undefined;
  if (item.valueType === PASS_FAIL && !entry.value && entry.result !== null)
    return entry.result === DONE ? 1 : ABNORMAL;
  // Only of what is read, typed or photographed the person says what it means.
  const said = entry.result === WRONG ? ABNORMAL : entry.result === DONE ? 1 : null;
  const own = item.valueType === TEXT || item.valueType === PHOTO;
  if (own && said !== null) return said;
  return resultOf(item, { value: entry.value, result: null, images: entry.images });
}

/** The result that an entry has, as far as it can be told before the server does; undefined for none. */
export function outcomeOf(row: Row, entry: Entry): number | undefined {
  if (isLeftOut(entry) || !row.item) return entry.result ?? undefined;
  const judged = judgedOf(row, entry);
  return judged === undefined ? undefined : judged === ABNORMAL ? WRONG : DONE;
}

/** What is wrong with an entry; undefined for nothing. */
export function errorOf(row: Row, entry: Entry, t: TFunction): string | undefined {
  const name = row.itemName;
  const result = outcomeOf(row, entry);
  if (result === undefined) return t('maintain.work.missing', { name });
  if ((result === WRONG || result === NOT_DONE) && !entry.handling.trim())
    return t('maintain.work.noHandling', { name });
  const rule = itemOf(row)?.needPhoto;
  const wanted =
    (rule === ALWAYS && result === DONE) || ((rule === ALWAYS || rule === WHEN_ABNORMAL) && result === WRONG);
  if (wanted && entry.images.length === 0) return t('maintain.work.noPhoto', { name });
  const item = itemOf(row);
  if (item?.valueType === NUMBER && (entry.value.split('.')[1] ?? '').length > item.decimals)
    return t('rounds.task.places', { count: item.decimals });
  return undefined;
}

/** Whether nothing was entered yet. */
export const isEmpty = (row: Row, entry: Entry) => outcomeOf(row, entry) === undefined;

/** What is filled in by one touch: everything that needs no number, no choice and no photo. */
export function allNormal(rows: readonly Row[], entries: Entries): Entries {
  const filled = rows.map((row): [string, Entry] => {
    const entry = entries[row.id] ?? entryOf(row);
    const item = itemOf(row);
    const plain = !item || item.valueType === PASS_FAIL || item.valueType === TEXT;
    if (!isEmpty(row, entry) || !plain) return [row.id, entry];
    return [row.id, { ...entry, value: item?.valueType === PASS_FAIL ? OK : entry.value, result: DONE }];
  });
  return Object.fromEntries(filled);
}

/**
 * When what began then is over by now: to the minute where the work began before it, else to the second, and one second
 * later where it has just begun, for it must end later.
 */
export function endAfter(start: string | null | undefined, now = dayjs()): string | undefined {
  const minute = now.startOf('minute');
  const begun = fromWire(start) ?? minute;
  if (begun.isBefore(minute)) return toWire(minute);
  const soonest = begun.add(1, 'second');
  return toWire(now.isBefore(soonest) ? soonest : now);
}

/** Somebody's work within the time of the order. */
export interface Span {
  userId?: string;
  startTime?: string;
  endTime?: string;
  content?: string;
}

interface Labor {
  startTime?: string;
  finishTime?: string;
  /** Who took part for the whole time, joined by commas. */
  people?: string;
  /** Who took part for a part of it, or several times. */
  spans?: readonly Span[];
}

/** Labor as the form has it: whole times apart, and nobody twice; of a new order the person who writes. */
export function laborOf(
  order: Pick<Order, 'lines' | 'startTime' | 'finishTime'>,
  me: string | undefined,
): { people?: string; spans: Span[] } {
  const isWhole = (line: Order['lines'][number]) =>
    !line.content && line.startTime === order.startTime && line.endTime === order.finishTime;
  const whole = order.lines.filter(isWhole).map(({ userId }) => userId);
  const spans = order.lines
    .filter((line) => !isWhole(line))
    .map(({ userId, startTime, endTime, content }) => ({ userId, startTime, endTime, content }));
  return { people: whole.join(',') || (spans.length > 0 ? undefined : me), spans };
}

/** Labor as it is sent: who has spans has these alone. */
export function toWireLines({ people, spans = [], startTime, finishTime }: Labor) {
  const own = spans.flatMap((span) =>
    span?.userId && span.startTime && span.endTime
      ? [
          {
            userId: span.userId,
            startTime: span.startTime,
            endTime: span.endTime,
            content: span.content ?? '',
          },
        ]
      : [],
  );
  const apart = new Set(own.map(({ userId }) => userId));
  const whole =
    startTime && finishTime ? (people ?? '').split(',').filter((userId) => userId && !apart.has(userId)) : [];
  return [
    ...whole.map((userId) => ({ userId, startTime: startTime as string, endTime: finishTime as string })),
    ...own,
  ];
}

/** The items as they are sent. */
export function toWireItems(rows: readonly Row[], entries: Entries) {
  return rows.map((row) => {
    const { value, result, handling, images } = entries[row.id] ?? entryOf(row);
    const sent = isLeftOut({ value, result, handling, images }) ? '' : value.trim();
    return {
      id: row.id,
      value: sent,
      result: (outcomeOf(row, { value, result, handling, images }) ?? result) as 1 | 2 | 3 | 4 | null,
      handling: handling.trim(),
      images,
    };
  });
}

export { BAD, OK };
