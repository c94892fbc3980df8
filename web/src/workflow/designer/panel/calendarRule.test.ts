import { expect, test } from 'vitest';
import { FIRST_RULE, readRule, ruleText } from './calendarRule';

test.each([
  'RRULE:FREQ=DAILY;BYHOUR=8;BYMINUTE=0',
  'RRULE:FREQ=WEEKLY;BYDAY=MO,FR;BYHOUR=20;BYMINUTE=30',
  'RRULE:FREQ=MONTHLY;BYMONTHDAY=1,15,-1;BYHOUR=8;BYMINUTE=0;UNTIL=20271231',
  'RRULE:FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=8;BYMINUTE=0',
  'RRULE:FREQ=YEARLY;BYMONTH=1,7;BYMONTHDAY=1;BYHOUR=8;BYMINUTE=0',
  'DTSTART:20260105T000000\nRRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;BYHOUR=8;BYMINUTE=0',
])('%s is asked for in parts, and written as it was', (text) => {
  const rule = readRule(text);
  expect(rule && ruleText(rule, '20300101')).toBe(text);
});

test.each([
  'FREQ=HOURLY;BYHOUR=8',
  'FREQ=DAILY',
  'FREQ=DAILY;BYHOUR=8,9',
  'FREQ=DAILY;BYHOUR=8;BYDAY=MO',
  'FREQ=WEEKLY;BYHOUR=8',
  'FREQ=WEEKLY;BYDAY=1MO;BYHOUR=8',
  'FREQ=MONTHLY;BYHOUR=8',
  'FREQ=MONTHLY;BYDAY=MO;BYHOUR=8',
  'FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13;BYHOUR=8',
  'FREQ=MONTHLY;BYMONTHDAY=-2;BYHOUR=8',
  'FREQ=YEARLY;BYMONTHDAY=1;BYHOUR=8',
  'FREQ=DAILY;BYHOUR=8;COUNT=3',
  'FREQ=DAILY;BYHOUR=8;UNTIL=20271231T000000Z',
  'R/P1D',
])('%s says more than a form asks for, or nothing', (text) => {
  expect(readRule(text)).toBeUndefined();
});

test('an interval counts from a day', () => {
  expect(ruleText({ ...FIRST_RULE, interval: 3 }, '20261124')).toBe(
    'DTSTART:20261124T000000\nRRULE:FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=-1;BYHOUR=8;BYMINUTE=0',
  );
});
