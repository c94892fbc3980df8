/** What a value that is entered for a check item means, before the server says so too. */
import type { Wire } from '@/api/wire';
import { ABNORMAL, CHOICE, METER, NORMAL, NUMBER, PASS_FAIL, PHOTO, WARNING } from './items';

type Item = Wire<'TaskItem'>;
/** What judging an entry needs of its item. */
export type Judged = Pick<
  Item,
  | 'itemId'
  | 'itemName'
  | 'valueType'
  | 'decimals'
  | 'required'
  | 'needPhoto'
  | 'options'
  | 'lower'
  | 'warnLower'
  | 'warnUpper'
  | 'upper'
>;

export const NOT_APPLICABLE = 4;
export const [OK, BAD] = ['1', '0'];
export const NUMBERS = /^[+-]?[0-9]{1,10}(\.[0-9]+)?$/;

/** What judging asks of an entry. */
interface Entered {
  value: string;
  /** Said by the person: not applicable, or what a text or a photo shows. */
  result: number | null;
  images: readonly string[];
}

/** What a number means by its limits; a number on a limit is within it. */
export function judged(
  item: Pick<Item, 'lower' | 'warnLower' | 'warnUpper' | 'upper'>,
  value: number,
): number {
  const { lower, warnLower, warnUpper, upper } = item;
  if ((lower !== null && value < lower) || (upper !== null && value > upper)) return ABNORMAL;
  if ((warnLower !== null && value < warnLower) || (warnUpper !== null && value > warnUpper)) return WARNING;
  return NORMAL;
}

/** What an entry means as far as it can be told before the server does; undefined for nothing, or for nonsense. */
export function resultOf(item: Judged, entry: Entered): number | undefined {
  if (entry.result === NOT_APPLICABLE) return NOT_APPLICABLE;
  const value = entry.value.trim();
  switch (item.valueType) {
    case NUMBER:
      return NUMBERS.test(value) ? judged(item, Number(value)) : undefined;
    case METER:
      return NUMBERS.test(value) ? NORMAL : undefined;
    case PASS_FAIL:
      return value === OK ? NORMAL : value === BAD ? ABNORMAL : undefined;
    case CHOICE:
      return item.options.find((option) => option.value === value)?.result;
    case PHOTO:
      return entry.images.length > 0 ? (entry.result ?? NORMAL) : undefined;
    default:
      return value ? (entry.result ?? NORMAL) : undefined;
  }
}
