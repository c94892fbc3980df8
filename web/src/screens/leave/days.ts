/** The length of a leave, counted as the server does. */
import { fromWire } from '@/lib/dates';

const NOON = 12;

/** Each morning and each afternoon that is touched counts half a day; noon ends a morning and begins an afternoon. */
export function daysBetween(
  start: string | null | undefined,
  end: string | null | undefined,
): number | undefined {
  const [from, to] = [fromWire(start), fromWire(end)];
  if (!from || !to?.isAfter(from)) return undefined;
  const last = to.subtract(1, 'millisecond');
  const whole = last.startOf('day').diff(from.startOf('day'), 'day', true);
  return Math.round(whole) + (Number(last.hour() >= NOON) - Number(from.hour() >= NOON) + 1) / 2;
}
