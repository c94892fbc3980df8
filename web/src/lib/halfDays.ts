/** Days counted in mornings and afternoons as the server does, and half days as moments of the wire. */
import type { Dayjs } from 'dayjs';
import { fromWire, toWire } from './dates';

const NOON = 12;
/** Hours of the morning and of the afternoon, as half days are written. */
const HOURS = [
  [8, 12],
  [13, 17],
] as const;

/** Half a day: 0 is the morning. */
export interface Half {
  day: Dayjs;
  half: 0 | 1;
}

/** The half day in which a period begins. */
export function firstHalf(start: string | null | undefined): Half | undefined {
  const from = fromWire(start);
  return from && { day: from.startOf('day'), half: from.hour() >= NOON ? 1 : 0 };
}

/** The half day with which a period ends: noon and midnight end what was before them. */
export function lastHalf(end: string | null | undefined): Half | undefined {
  const to = fromWire(end)?.subtract(1, 'millisecond');
  return to && { day: to.startOf('day'), half: to.hour() >= NOON ? 1 : 0 };
}

const at = (day: Dayjs, hour: number) => toWire(day.startOf('day').hour(hour)) ?? '';

export const beginOf = ({ day, half }: Half) => at(day, HOURS[half][0]);
export const endOf = ({ day, half }: Half) => at(day, HOURS[half][1]);

/** The last half day of a period of so many days that begins with this one. */
export function after({ day, half }: Half, days: number): Half {
  const index = half + days * 2 - 1;
  return { day: day.add(Math.floor(index / 2), 'day'), half: index % 2 === 1 ? 1 : 0 };
}

/** Each morning and each afternoon that is touched counts half a day; noon ends a morning and begins an afternoon. */
export function daysBetween(
  start: string | null | undefined,
  end: string | null | undefined,
): number | undefined {
  if (!fromWire(end)?.isAfter(fromWire(start) ?? null)) return undefined;
  const [first, last] = [firstHalf(start), lastHalf(end)];
  if (!first || !last) return undefined;
  return Math.round(last.day.diff(first.day, 'day', true)) + (last.half - first.half + 1) / 2;
}
