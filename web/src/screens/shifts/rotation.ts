/** How teams take turns, as the server has it (core/shifts/rotation.py): built-in patterns, times of shifts, and what is
 * worth a second look. */

export interface ShiftTimes {
  shiftNo?: number;
  shiftName?: string;
  startTime?: string;
  endTime?: string;
  breaks?: readonly { start?: string; end?: string }[];
  color?: string;
}

export const DAY_ONLY = 1;
export const CUSTOM = 9;
const DAY = 24 * 60;
const LEAST_REST = 8 * 60;

interface BuiltIn {
  row: readonly number[];
  offsets: readonly number[];
  shifts: number;
}

const runs = (...lengths: readonly [number, number][]) =>
  lengths.flatMap(([no, days]) => Array(days).fill(no));

export const BUILT_IN: Readonly<Record<number, BuiltIn>> = {
  2: { row: runs([1, 7], [2, 7]), offsets: [0, 7], shifts: 2 },
  3: { row: runs([1, 7], [2, 7], [3, 7]), offsets: [0, 7, 14], shifts: 3 },
  4: { row: [1, 1, 2, 2, 3, 3, 0, 0], offsets: [0, 2, 4, 6], shifts: 3 },
  5: { row: [1, 1, 2, 2, 0, 0, 0, 0], offsets: [0, 2, 4, 6], shifts: 2 },
};

/** The rotation of a pattern; of an own one what was arranged, with as many rows and days as there are now. */
export function rotationOf(
  pattern: number | undefined,
  teams: number,
  days: number,
  own: readonly (readonly number[])[],
): number[][] {
  const builtIn = pattern === undefined ? undefined : BUILT_IN[pattern];
  if (builtIn) {
    const { row } = builtIn;
    return builtIn.offsets
      .slice(0, teams)
      .map((offset) => row.map((_, day) => row[(day + offset) % row.length] ?? 0));
  }
  if (pattern === DAY_ONLY) return Array.from({ length: teams }, () => [1]);
  return Array.from({ length: teams }, (_, team) =>
    Array.from({ length: days }, (__, day) => own[team]?.[day] ?? 0),
  );
}

const minuteOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5));

/** Minutes from one time of day to another; to the same one it is a whole day. */
export function minutesBetween(start: string, end: string): number {
  return ((minuteOf(end) - minuteOf(start) - 1 + DAY) % DAY) + 1;
}

export function crossesMidnight({ startTime, endTime }: ShiftTimes): boolean {
  return Boolean(startTime && endTime && endTime <= startTime);
}

/** Whether a break lies inside its shift. */
export function isInside({ startTime, endTime }: ShiftTimes, start: string, end: string): boolean {
  if (!startTime || !endTime) return true;
  const from = (minuteOf(start) - minuteOf(startTime) + DAY) % DAY;
  return from + minutesBetween(start, end) <= minutesBetween(startTime, endTime);
}

/** Minutes of work; undefined while a time is missing. */
export function workedMinutes({ startTime, endTime, breaks = [] }: ShiftTimes): number | undefined {
  if (!startTime || !endTime) return undefined;
  const rests = breaks.map(({ start, end }) => (start && end ? minutesBetween(start, end) : 0));
  return minutesBetween(startTime, endTime) - rests.reduce((sum, minutes) => sum + minutes, 0);
}

/** The first two shifts that overlap round the clock. */
export function overlapping(shifts: readonly ShiftTimes[]): readonly [ShiftTimes, ShiftTimes] | undefined {
  const timed = shifts.filter(({ startTime, endTime }) => startTime && endTime);
  for (const [place, one] of timed.entries()) {
    for (const other of timed.slice(0, place)) {
      const [a, b] = [other, one].map(({ startTime = '', endTime = '' }) => ({
        start: minuteOf(startTime),
        length: minutesBetween(startTime, endTime),
      }));
      if (!a || !b) continue;
      if ((b.start - a.start + DAY) % DAY < a.length || (a.start - b.start + DAY) % DAY < b.length) {
        return [other, one];
      }
    }
  }
  return undefined;
}

/** Days of the cycle, from 1 on, with the numbers of the shifts that no team works. */
export function uncovered(rotation: readonly (readonly number[])[], numbers: readonly number[]) {
  const days = rotation[0]?.length ?? 0;
  return Array.from({ length: days }, (_, day) =>
    numbers
      .filter((number) => !rotation.some((row) => row[day] === number))
      .map((number) => ({ day: day + 1, number })),
  ).flat();
}

/** Days of the cycle, from 1 on, after which a team has less than 8 hours of rest. */
export function shortRests(row: readonly number[], shifts: readonly ShiftTimes[]): number[] {
  const timed = new Map(shifts.map((shift) => [shift.shiftNo, shift]));
  return row.flatMap((number, day) => {
    const before = timed.get(number);
    const after = timed.get(row[(day + 1) % row.length] ?? 0);
    if (!before?.startTime || !before.endTime || !after?.startTime) return [];
    const rest =
      DAY +
      minuteOf(after.startTime) -
      minuteOf(before.startTime) -
      minutesBetween(before.startTime, before.endTime);
    return rest < LEAST_REST ? [day + 1] : [];
  });
}

/** One colour for each number of a shift, where nobody has chosen another; dark enough for white letters. */
const COLORS = ['#1d5fbf', '#0f766e', '#6d3fc0', '#a8480f', '#a11d5b', '#4d6b0a', '#7a5c00', '#475569'];

export function colorOf(shiftNo: number, color?: string): string {
  return color || COLORS[(shiftNo - 1) % COLORS.length] || '#475569';
}

/** The shifts that a pattern begins with: forward rotation, so that teams rest enough. */
export function usualShifts(pattern: number, names: Record<'night' | 'early' | 'late' | 'day', string>) {
  const needed = pattern === DAY_ONLY ? 1 : (BUILT_IN[pattern]?.shifts ?? 0);
  const rows: readonly (readonly [string, string, string])[] =
    needed === 3
      ? [
          [names.night, '00:00', '08:00'],
          [names.early, '08:00', '16:00'],
          [names.late, '16:00', '00:00'],
        ]
      : needed === 2
        ? [
            [names.day, '08:00', '20:00'],
            [names.night, '20:00', '08:00'],
          ]
        : needed === 1
          ? [[names.day, '08:00', '17:00']]
          : [];
  return rows.map(([shiftName, startTime, endTime], place) => ({
    shiftNo: place + 1,
    shiftName,
    startTime,
    endTime,
    breaks: needed === 1 ? [{ start: '12:00', end: '13:00' }] : [],
    color: colorOf(place + 1),
  }));
}
