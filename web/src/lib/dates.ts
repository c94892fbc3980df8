/** Moments as the wire writes them (`yyyy-MM-dd HH:mm:ss`) and as people read them (`yyyy-MM-dd HH:mm`). */
import dayjs, { type Dayjs } from 'dayjs';

export const WIRE = 'YYYY-MM-DD HH:mm:ss';
/** Of a moment of these days. */
export const MINUTE = 'MM-DD HH:mm';

/** `-` when unknown; seconds are left out. */
export function moment(text: string | null | undefined): string {
  return text ? text.slice(0, 16) : '-';
}

export function fromWire(text: string | null | undefined): Dayjs | undefined {
  const value = text ? dayjs(text) : undefined;
  return value?.isValid() ? value : undefined;
}

export function toWire(value: Dayjs | null | undefined): string | undefined {
  return value ? value.format(WIRE) : undefined;
}

export type RangeName =
  | 'today'
  | 'yesterday'
  | 'thisWeek'
  | 'lastWeek'
  | 'thisMonth'
  | 'lastMonth'
  | 'thisYear'
  | 'lastYear';

/** The ranges that are often asked for, first and last day; weeks begin on Monday in both languages. */
export function rangesAt(now: Dayjs): readonly (readonly [name: RangeName, first: Dayjs, last: Dayjs])[] {
  const today = now.startOf('day');
  const yesterday = today.subtract(1, 'day');
  const monday = today.subtract((today.day() + 6) % 7, 'day');
  const lastMonday = monday.subtract(7, 'day');
  const whole = (day: Dayjs, unit: 'month' | 'year') =>
    [day.startOf(unit), day.endOf(unit).startOf('day')] as const;
  return [
    ['today', today, today],
    ['yesterday', yesterday, yesterday],
    ['thisWeek', monday, monday.add(6, 'day')],
    ['lastWeek', lastMonday, lastMonday.add(6, 'day')],
    ['thisMonth', ...whole(today, 'month')],
    ['lastMonth', ...whole(today.subtract(1, 'month'), 'month')],
    ['thisYear', ...whole(today, 'year')],
    ['lastYear', ...whole(today.subtract(1, 'year'), 'year')],
  ];
}
