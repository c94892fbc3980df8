/** Check items in the console: what a new one begins with, their rules, in the same sentences as the server's, and judging a number. */
import type { TFunction } from 'i18next';
import { inspectconfig } from '@/api/nouns/inspectconfig';
import type { Wire } from '@/api/wire';
import { labelIn } from '@/kit/nounText';
import { randomKey } from '@/lib/random';
import type { Language } from '@/site';

export type CheckItem = Wire<'CheckItem'>;
export type ItemOption = Wire<'ItemOption'>;
/** An item while it is edited: with a key of its own, because a new one has no id yet. */
export type EditedItem = CheckItem & { key: string };

export const NUMBER = 1;
export const PASS_FAIL = 2;
export const CHOICE = 3;
export const PHOTO = 5;
export const METER = 6;
export const NORMAL = 1;
export const WARNING = 2;
export const ABNORMAL = 3;
/** What a result is called. */
export const RESULT_TEXT = {
  1: 'inspect.result.normal',
  2: 'inspect.result.warning',
  3: 'inspect.result.abnormal',
} as const;
export const RECORD_ONLY = 0;
export const REPORT = 2;
export const KEY_ITEM = 1;
export const MOST_ITEMS = 100;
export const MOST_OPTIONS = 20;
const MOST_WHOLE = 10;

export const ROWS = inspectconfig.fields.items.rows;
export type ItemField = keyof typeof ROWS;
export const LIMITS = ['lower', 'warnLower', 'warnUpper', 'upper'] as const;

export function itemLabel(field: ItemField, language: Language): string {
  return labelIn(language, ROWS[field].label);
}

const NEW: Omit<CheckItem, 'itemName'> = {
  itemId: '',
  sort: 0,
  part: '',
  method: 1,
  methodName: '',
  standardText: '',
  valueType: PASS_FAIL,
  valueTypeName: '',
  unit: '',
  decimals: 1,
  lower: null,
  warnLower: null,
  warnUpper: null,
  upper: null,
  options: [],
  okLabel: '',
  badLabel: '',
  machineState: 3,
  machineStateName: '',
  required: 1,
  needPhoto: 0,
  needPhotoName: '',
  abnormalAction: 1,
  abnormalActionName: '',
  repairUrgency: 3,
  repairUrgencyName: '',
  importance: 2,
  importanceName: '',
  tips: '',
  tipImages: [],
};

export function newItem(): EditedItem {
  return { ...NEW, itemName: '', key: randomKey() };
}

export function edited(items: readonly CheckItem[]): EditedItem[] {
  return items.map((item) => ({ ...item, key: item.itemId || randomKey() }));
}

/** A copy below the item: the server gives it an id of its own. */
export function duplicate(item: EditedItem, name: string): EditedItem {
  return { ...item, itemName: name, itemId: '', key: randomKey() };
}

/** What is sent: nothing that the server says itself, and nothing that the kind of value has not. */
export function toWire(items: readonly EditedItem[]): object[] {
  return items.map((item) => {
    const named = Object.entries(item).filter(
      ([name]) => name in ROWS && ROWS[name as ItemField] !== undefined,
    );
    const sent = Object.fromEntries(
      named.filter(([name]) => 'writable' in ROWS[name as ItemField]),
    ) as Partial<CheckItem>;
    if (item.valueType !== NUMBER) for (const limit of LIMITS) sent[limit] = null;
    sent.options =
      item.valueType === CHOICE
        ? item.options.map(
            ({ value, label, labelEn, result }) => ({ value, label, labelEn, result }) as ItemOption,
          )
        : [];
    return sent;
  });
}

/** What a chosen kind of value needs beside what is there. */
export function withType(
  item: EditedItem,
  valueType: CheckItem['valueType'],
  normal: string,
  bad: string,
): EditedItem {
  const options: ItemOption[] =
    valueType === CHOICE && item.options.length === 0
      ? ([
          { value: '', label: normal, labelEn: '', result: NORMAL },
          { value: '', label: bad, labelEn: '', result: ABNORMAL },
        ] as ItemOption[])
      : item.options;
  // Words, pictures and readings are neither right nor wrong by themselves.
  const records = valueType === 4 || valueType === PHOTO || valueType === METER;
  return { ...item, valueType, options, abnormalAction: records ? RECORD_ONLY : item.abnormalAction };
}

export type ItemErrors = Partial<Record<ItemField, string>>;

const decimalsOf = (value: number) => {
  const text = String(value);
  return text.includes('e') ? 99 : (text.split('.')[1]?.length ?? 0);
};

/** What is wrong with an item, by field; `above` are those before it. */
export function errorsOf(
  item: CheckItem,
  above: readonly CheckItem[],
  t: TFunction,
  language: Language,
): ItemErrors {
  const errors: ItemErrors = {};
  const name = item.itemName.trim();
  for (const field of ['itemName', 'part', 'standardText', 'unit', 'okLabel', 'badLabel', 'tips'] as const) {
    const { max } = ROWS[field];
    if (item[field].trim().length > max)
      errors[field] = t('kit.form.tooLong', { field: itemLabel(field, language), count: max });
  }
  if (name === '') errors.itemName = t('kit.form.enter', { field: itemLabel('itemName', language) });
  else if (above.some((other) => other.itemName.trim() === name))
    errors.itemName = t('inspect.item.taken', { field: itemLabel('itemName', language), value: name });
  if (item.valueType === NUMBER) Object.assign(errors, limitErrors(item, name, t, language));
  if (item.valueType === CHOICE) {
    const wrong = optionsError(item.options, t);
    if (wrong) errors.options = wrong;
  }
  return errors;
}

function limitErrors(item: CheckItem, name: string, t: TFunction, language: Language): ItemErrors {
  const errors: ItemErrors = {};
  const given = LIMITS.filter((limit) => typeof item[limit] === 'number');
  let last: number | undefined;
  for (const limit of given) {
    const value = item[limit] as number;
    if (Math.abs(value) >= 10 ** MOST_WHOLE)
      errors[limit] = t('inspect.item.tooLarge', { field: itemLabel(limit, language), count: MOST_WHOLE });
    else if (last !== undefined && value < last) errors[limit] = t('inspect.item.limitOrder', { name });
    else if (decimalsOf(value) > item.decimals)
      errors[limit] = t('inspect.item.limitDecimals', { name, count: item.decimals });
    last = value;
  }
  if (given.length === 0 && item.abnormalAction !== RECORD_ONLY)
    errors.upper = t('inspect.item.limitMissing', { name });
  return errors;
}

function optionsError(options: readonly ItemOption[], t: TFunction): string | undefined {
  const labels = options.map(({ label }) => label.trim());
  if (labels.some((label) => label === '')) return t('kit.form.enter', { field: t('inspect.item.option') });
  const taken = labels.find((label, place) => labels.indexOf(label) !== place);
  if (options.length < 2) return t('inspect.item.optionsFew');
  if (taken !== undefined) return t('inspect.item.taken', { field: t('inspect.item.option'), value: taken });
  if (!options.some(({ result }) => result === NORMAL)) return t('inspect.item.optionsNormal');
  return undefined;
}

export type Limits = Pick<CheckItem, (typeof LIMITS)[number]>;

/** A part of the scale: what a value in it means, and its two ends, where it has them. */
export interface Zone {
  result: typeof NORMAL | typeof WARNING | typeof ABNORMAL;
  from: number | null;
  to: number | null;
}

/** The zones of a number from the lowest to the highest; none without limits, or with limits out of order. */
export function zonesOf({ lower, warnLower, warnUpper, upper }: Limits): Zone[] {
  const given = [lower, warnLower, warnUpper, upper].filter((limit) => typeof limit === 'number');
  if (given.length === 0 || given.some((limit, place) => place > 0 && limit < (given[place - 1] ?? limit)))
    return [];
  const low = warnLower ?? lower;
  const high = warnUpper ?? upper;
  const zones: (Zone | false)[] = [
    lower !== null && { result: ABNORMAL, from: null, to: lower },
    warnLower !== null && { result: WARNING, from: lower, to: warnLower },
    { result: NORMAL, from: low, to: high },
    warnUpper !== null && { result: WARNING, from: warnUpper, to: upper },
    upper !== null && { result: ABNORMAL, from: upper, to: null },
  ];
  // Two equal limits leave no room between them, but for the normal one itself.
  return zones.filter(
    (zone): zone is Zone =>
      zone !== false && (zone.result === NORMAL || zone.from === null || zone.from !== zone.to),
  );
}

/** A limit as it is read out: with the decimals of its item. */
export function limitText(value: number, decimals: number): string {
  return value.toFixed(Math.min(4, Math.max(decimals, decimalsOf(value))));
}
