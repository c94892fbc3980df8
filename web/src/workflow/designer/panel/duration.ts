/** ISO 8601 durations as the engine takes them, in parts that a form can ask for. */
import type { Dayjs } from 'dayjs';

export const PARTS = ['months', 'days', 'hours', 'minutes'] as const;
export type Part = (typeof PARTS)[number];
export type Duration = Readonly<Record<Part, number>>;

/** The most of each that the engine reads. */
export const MOST: Duration = { months: 9999, days: 99_999, hours: 999_999, minutes: 99_999_999 };

const SHAPE =
  /^P(?=.)(?:(\d{1,4})W|(?:(\d{1,4})Y)?(?:(\d{1,4})M)?(?:(\d{1,5})D)?(?:T(?=\d)(?:(\d{1,6})H)?(?:(\d{1,8})M)?)?)$/;

/** The parts; undefined for what is no duration, or one with seconds. A week is 7 days, a year 12 months. */
export function durationOf(text: string): Duration | undefined {
  const found = SHAPE.exec(text.trim());
  if (!found) return undefined;
  const [weeks = 0, years = 0, months = 0, days = 0, hours = 0, minutes = 0] = found
    .slice(1)
    .map((part) => Number(part ?? 0));
  return { months: years * 12 + months, days: weeks * 7 + days, hours, minutes };
}

/** `P1DT2H`; empty when nothing is asked for. */
export function durationText({ months, days, hours, minutes }: Duration): string {
  const date = `${months ? `${months}M` : ''}${days ? `${days}D` : ''}`;
  const time = `${hours ? `${hours}H` : ''}${minutes ? `${minutes}M` : ''}`;
  return date || time ? `P${date}${time ? `T${time}` : ''}` : '';
}

export function after(start: Dayjs, duration: Duration): Dayjs {
  return PARTS.reduce((moment, part) => moment.add(duration[part], part), start);
}
