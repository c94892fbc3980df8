/** Walking a point: what is entered for its items, what that means, and what is still wrong, in the server's sentences. */
import type { TFunction } from 'i18next';
import type { Wire } from '@/api/wire';
import { language } from '@/i18n';
import type { RequiredItem } from '@/kit/required';
import { ABNORMAL, METER, NUMBER, PHOTO } from '@/screens/shared/standards/items';
import { type Judged, NOT_APPLICABLE, NUMBERS, resultOf } from '@/screens/shared/standards/judging';

export { BAD, type Judged, judged, NOT_APPLICABLE, OK, resultOf } from '@/screens/shared/standards/judging';

export type Item = Wire<'TaskItem'>;
export type Point = Wire<'ShownPoint'>;
const [ALWAYS, WHEN_ABNORMAL] = [1, 2];
/** Of what a company may ask for. */
const PICTURES = 3;
const RUNNING = 1;
const [WHILE_RUNNING, WHILE_STOPPED] = [1, 2];

export interface Entry {
  value: string;
  /** Said by the person: not applicable, or what a text or a photo shows. */
  result: number | null;
  images: string[];
  remark: string;
}

export type Entries = Readonly<Record<string, Entry>>;
export const EMPTY: Entry = { value: '', result: null, images: [], remark: '' };

/** What the company asks for of a point, by field; undefined where it asks for nothing. */
export type Asked = (field: string) => RequiredItem | undefined;

/** What the company asks for and is not there; undefined for nothing. */
export function lacking(
  asked: Asked,
  field: string,
  value: string | readonly string[],
  t: TFunction,
): string | undefined {
  const rule = asked(field);
  if (!rule) return undefined;
  const name = (language() === 'en-US' && rule.labelEn) || rule.label;
  if (rule.fieldType === PICTURES)
    return value.length < rule.min ? t('rounds.task.askedPhotos', { n: rule.min, name }) : undefined;
  return rule.required === 1 && value.length === 0 ? t('rounds.task.askedText', { name }) : undefined;
}

/** What is wrong with an entry; undefined for nothing. */
export function errorOf(item: Judged, entry: Entry, t: TFunction, asked: Asked): string | undefined {
  const own = unfilled(item, entry, t);
  if (own !== undefined || resultOf(item, entry) !== ABNORMAL) return own;
  return (
    lacking(asked, 'abnormalImages', entry.images, t) ??
    lacking(asked, 'abnormalRemark', entry.remark.trim(), t)
  );
}

function unfilled(item: Judged, entry: Entry, t: TFunction): string | undefined {
  const { itemName: name } = item;
  if (entry.result === NOT_APPLICABLE)
    return entry.remark.trim() ? undefined : t('rounds.task.naNeeds', { name });
  const value = entry.value.trim();
  if (item.valueType === PHOTO)
    return item.required && entry.images.length === 0 ? t('rounds.task.photo', { name }) : undefined;
  if (!value) return item.required ? t('rounds.task.required', { name }) : undefined;
  if (item.valueType === NUMBER || item.valueType === METER) {
    if (!NUMBERS.test(value)) return t('rounds.task.number', { name });
    if ((value.split('.')[1] ?? '').length > item.decimals)
      return t('rounds.task.places', { count: item.decimals });
  }
  const abnormal = resultOf(item, entry) === ABNORMAL;
  const wanted = item.needPhoto === ALWAYS || (item.needPhoto === WHEN_ABNORMAL && abnormal);
  return wanted && entry.images.length === 0 ? t('rounds.task.photo', { name }) : undefined;
}

/** Whether the asset is in a state in which the item cannot be checked. */
export function unfit(item: Item, point: Point): boolean {
  const running = point.runState === RUNNING;
  return (
    (item.machineState === WHILE_RUNNING && !running) || (item.machineState === WHILE_STOPPED && running)
  );
}

/** The records that are sent: of every item for which something was entered. */
export function toRecords(items: readonly Judged[], entries: Entries) {
  return items.flatMap((item) => {
    const entry = entries[item.itemId];
    if (!entry || resultOf(item, entry) === undefined) return [];
    const { value, result, images, remark } = entry;
    return [
      { itemId: item.itemId, value: result === NOT_APPLICABLE ? '' : value.trim(), result, images, remark },
    ];
  });
}
