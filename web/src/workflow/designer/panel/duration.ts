/** ISO 8601 durations as the engine takes them, in parts that a form can ask for. */
export const PARTS = ['months', 'days', 'hours', 'minutes'] as const;
export type Part = (typeof PARTS)[number];
export type Duration = Readonly<Record<Part, number>>;

/** The most of each that the engine takes: a hundred years. */
export const MOST: Duration = { months: 1_200, days: 36_525, hours: 876_600, minutes: 52_596_000 };

const SHAPE =
  /^P(?=.)(?:(\d{1,4})W|(?:(\d{1,4})Y)?(?:(\d{1,4})M)?(?:(\d{1,5})D)?(?:T(?=\d)(?:(\d{1,6})H)?(?:(\d{1,8})M)?(?:(\d{1,9}(?:\.\d{1,6})?)S)?)?)$/;

/** A duration as the engine takes it; undefined for any other text. A week is 7 days, a year 12 months. */
export function readDuration(text: string): Read | undefined {
  const found = SHAPE.exec(text.trim());
  if (!found) return undefined;
  const [weeks = 0, years = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = found
    .slice(1)
    .map((part) => Number(part ?? 0));
  const months = years * 12 + month;
  const days = weeks * 7 + day;
  const time = timeOf({ hours, minutes, seconds });
  if (months > MOST.months || days > MOST.days || time > MOST.minutes * 60) return undefined;
  return { months, days, hours, minutes, seconds };
}

type Read = Duration & { seconds: number };

/** The seconds of its hours, minutes and seconds; how long a day or a month is, the calendar says. */
export function timeOf({ hours, minutes, seconds }: Pick<Read, 'hours' | 'minutes' | 'seconds'>): number {
  return hours * 3600 + minutes * 60 + seconds;
}

/** Whether something may come again after this time: a minute at least, as the server has it. */
export function mayRepeat(text: string): boolean {
  const found = readDuration(text);
  if (!found) return false;
  return found.months + found.days > 0 || timeOf(found) >= 60;
}

/** The parts that a form asks for; undefined for what is no duration, or one with seconds. */
export function durationOf(text: string): Duration | undefined {
  const { seconds, ...parts } = readDuration(text) ?? { seconds: 1 };
  return seconds === 0 ? (parts as Duration) : undefined;
}

/** `P1DT2H`; empty when nothing is asked for. */
export function durationText({ months, days, hours, minutes }: Duration): string {
  const date = `${months ? `${months}M` : ''}${days ? `${days}D` : ''}`;
  const time = `${hours ? `${hours}H` : ''}${minutes ? `${minutes}M` : ''}`;
  return date || time ? `P${date}${time ? `T${time}` : ''}` : '';
}

/** What working time counts: no months, and at most so much of the rest. */
export const WORKING_PARTS = ['days', 'hours', 'minutes'] as const;
export const MOST_WORKING: Duration = { months: 0, days: 1_000, hours: 10_000, minutes: 600_000 };

/** Whether a timer may count this duration in working time: days and hours, no weeks, months and years. */
export function mayBeWorking(text: string): boolean {
  const found = readDuration(text);
  if (!found || text.includes('W')) return false;
  const isCounted = timeOf(found) <= MOST_WORKING.hours * 3600;
  return found.months === 0 && found.days <= MOST_WORKING.days && isCounted;
}

/** A duration for working time: as it is where that may be, else its days and hours, else a day. */
export function asWorking(text: string): string {
  if (mayBeWorking(text)) return text;
  const { days = 0, hours = 0, minutes = 0 } = durationOf(text) ?? {};
  const without = durationText({ months: 0, days, hours, minutes });
  return mayBeWorking(without) ? without : 'P1D';
}
