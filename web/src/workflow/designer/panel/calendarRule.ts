/** Calendar rules (RRULE of RFC 5545) in parts that a form can ask for; the server reads every rule. */

export const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const;
export type Frequency = (typeof FREQUENCIES)[number];
export const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;
export type Weekday = (typeof WEEKDAYS)[number];
/** Which weekday of a month: the first to the fifth, the last. */
export const PLACES = [1, 2, 3, 4, 5, -1] as const;

export interface Rule {
  frequency: Frequency;
  interval: number;
  /** The day from which an interval counts, such as 20261201; empty where every one counts. */
  start: string;
  /** Of a week. */
  weekdays: readonly Weekday[];
  /** Of a month or a year: days, -1 for the last one; or else one weekday and its place. */
  days: readonly number[];
  place: number;
  placed: Weekday;
  months: readonly number[];
  /** Such as 08:00. */
  time: string;
  /** The last day, such as 20271231; empty for none. */
  until: string;
}

export const FIRST_RULE: Rule = {
  frequency: 'MONTHLY',
  interval: 1,
  start: '',
  weekdays: ['MO'],
  days: [-1],
  place: 1,
  placed: 'MO',
  months: [1],
  time: '08:00',
  until: '',
};

const SHAPE = /^(?:DTSTART:(\d{8})(?:T\d{6})?\s+)?(?:RRULE:)?(FREQ=\S+)$/;
const PLACED = /^(-1|[1-5])(MO|TU|WE|TH|FR|SA|SU)$/;

export function isRule(text: string): boolean {
  return /^\s*(DTSTART|RRULE:|FREQ=)/i.test(text);
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}

function isWeekday(word: string): word is Weekday {
  return WEEKDAYS.some((day) => day === word);
}

function within(words: readonly string[], least: number, most: number): number[] | undefined {
  const numbers = words.map(Number);
  return numbers.every((one) => Number.isInteger(one) && one >= least && one <= most) ? numbers : undefined;
}

/** The parts of a rule that a form can ask for; undefined for one that says more. */
export function readRule(text: string): Rule | undefined {
  const found = SHAPE.exec(text.trim().toUpperCase());
  if (!found) return undefined;
  const [, start = '', said = ''] = found;
  const parts = new Map(said.split(';').map((part) => part.split('=', 2) as [string, string]));
  const list = (name: string) => parts.get(name)?.split(',') ?? [];
  const frequency = FREQUENCIES.find((one) => one === parts.get('FREQ'));
  const known = ['FREQ', 'INTERVAL', 'BYDAY', 'BYMONTHDAY', 'BYMONTH', 'BYHOUR', 'BYMINUTE', 'UNTIL'];
  const hours = within(list('BYHOUR'), 0, 23);
  const minutes = within(list('BYMINUTE'), 0, 59);
  const days = within(list('BYMONTHDAY'), -1, 31)?.filter((day) => day !== 0);
  const months = within(list('BYMONTH'), 1, 12);
  const interval = Number(parts.get('INTERVAL') ?? 1);
  const until = /^(\d{8})(T235959)?$/.exec(parts.get('UNTIL') ?? '');
  if (!frequency || !days || !months || !Number.isInteger(interval) || interval < 1) return undefined;
  if ([...parts.keys()].some((name) => !known.includes(name)) || (parts.has('UNTIL') && !until))
    return undefined;
  if (hours?.length !== 1 || !minutes || minutes.length > 1) return undefined;
  const rule = {
    ...FIRST_RULE,
    frequency,
    interval,
    start,
    time: `${two(hours[0] ?? 0)}:${two(minutes[0] ?? 0)}`,
    until: until?.[1] ?? '',
  };
  const weekdays = list('BYDAY');
  const placed = weekdays.length === 1 && days.length === 0 ? PLACED.exec(weekdays[0] ?? '') : null;
  switch (frequency) {
    case 'DAILY':
      return weekdays.length + days.length + months.length === 0 ? rule : undefined;
    case 'WEEKLY': {
      const read = weekdays.filter(isWeekday);
      const isWhole = read.length > 0 && read.length === weekdays.length && days.length + months.length === 0;
      return isWhole ? { ...rule, weekdays: read } : undefined;
    }
    default: {
      if ((frequency === 'YEARLY') !== months.length > 0 || (weekdays.length > 0 && !placed))
        return undefined;
      if (!placed && days.length === 0) return undefined;
      const [, place, day] = placed ?? [];
      return {
        ...rule,
        days,
        months: months.length > 0 ? months : rule.months,
        place: place ? Number(place) : rule.place,
        placed: day && isWeekday(day) ? day : rule.placed,
      };
    }
  }
}

/** The rule as the server reads it. `today`, such as 20261201, is from when an interval counts that has no start. */
export function ruleText(rule: Rule, today: string): string {
  const { frequency, interval, time } = rule;
  const [hour = '0', minute = '0'] = time.split(':');
  const ofMonth =
    rule.days.length > 0 ? `BYMONTHDAY=${rule.days.join(',')}` : `BYDAY=${rule.place}${rule.placed}`;
  const parts = [
    `FREQ=${frequency}`,
    interval > 1 && `INTERVAL=${interval}`,
    frequency === 'YEARLY' && `BYMONTH=${rule.months.join(',')}`,
    frequency === 'WEEKLY' && `BYDAY=${rule.weekdays.join(',')}`,
    (frequency === 'MONTHLY' || frequency === 'YEARLY') && ofMonth,
    `BYHOUR=${Number(hour)}`,
    `BYMINUTE=${Number(minute)}`,
    rule.until && `UNTIL=${rule.until}`,
  ];
  const text = `RRULE:${parts.filter(Boolean).join(';')}`;
  return interval > 1 ? `DTSTART:${rule.start || today}T000000\n${text}` : text;
}
