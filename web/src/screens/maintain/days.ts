/** Where an order of the calendar may be moved, and what is sent for it. */
import dayjs from 'dayjs';
import type { Wire } from '@/api/wire';

export type Entry = Wire<'MaintainEntry'>;

/** The day is behind us; it is a plan; it is a delay, which needs a reason; it is later than any delay. */
export type Verdict = 'past' | 'plan' | 'delay' | 'tooLate';

const MORNING = '08:00:00';

/** Returns what it means to move an order to a day. */
export function verdict(order: Entry, day: string, today: string): Verdict {
  if (day < today) return 'past';
  if (order.latestDate && day <= order.latestDate) return 'plan';
  return order.delayUntil && day <= order.delayUntil && day > order.dueDate ? 'delay' : 'tooLate';
}

/** Returns start and end of the work on another day, at the time of day that was planned, else in the morning. */
export function planOn(
  order: Pick<Entry, 'planStart' | 'estMinutes'>,
  day: string,
): { planStart: string; planEnd: string } {
  const start = `${day} ${order.planStart?.slice(11) ?? MORNING}`;
  const end = dayjs(start).add(Math.max(order.estMinutes, 1), 'minute');
  return { planStart: start, planEnd: end.format('YYYY-MM-DD HH:mm:ss') };
}

/** Returns first and last day of what is shown: the week, from Monday, or the month. */
export function spanOf(view: 'week' | 'month', day: string): { from: string; to: string } {
  const at = dayjs(day);
  if (view === 'month') {
    return { from: at.startOf('month').format('YYYY-MM-DD'), to: at.endOf('month').format('YYYY-MM-DD') };
  }
  const monday = at.subtract((at.day() + 6) % 7, 'day');
  return { from: monday.format('YYYY-MM-DD'), to: monday.add(6, 'day').format('YYYY-MM-DD') };
}

/** Minutes as hours with one decimal, without a needless zero. */
export const hours = (minutes: number): string => String(Math.round(minutes / 6) / 10);
