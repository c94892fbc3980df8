/** The schedule of a month as it is changed before it is saved: which team works which shift on which day. */
import type { Wire } from '@/api/wire';

export type Table = Wire<'Scheduling'>;
export type Day = Table['days'][number];
export type Shift = Table['shifts'][number];
export type Team = Table['teams'][number];

/** A team's place on a day. */
export interface Slot {
  shiftNo: number;
  teamId: string;
  /** Who stands in for the team's members, as ids joined by commas; empty for these. */
  userIds: string;
  remark: string;
}

/** The days that were changed, by date, each with all its slots. */
export type Changes = Readonly<Record<string, readonly Slot[]>>;

/** A place to work: a shift's number on a day, or 0 for rest. */
export interface Place {
  date: string;
  shiftNo: number;
}

/** The shift of a number as it is worked on a day. */
export function shiftOn(table: Table, date: string, shiftNo: number): Shift | undefined {
  return table.shifts.find(
    (shift) =>
      shift.shiftNo === shiftNo &&
      (!shift.validFrom || shift.validFrom <= date) &&
      (!shift.validUntil || date < shift.validUntil),
  );
}

/** The slots of a day as the server has them. */
function storedSlots(table: Table, day: Day): Slot[] {
  const numbers = new Map(table.shifts.map(({ shiftId, shiftNo }) => [shiftId, shiftNo]));
  const members = new Map(table.teams.map(({ teamId, userIds }) => [teamId, userIds]));
  return day.cells.flatMap(({ shiftId, teamId, userIds, remark }) => {
    const shiftNo = numbers.get(shiftId);
    if (shiftNo === undefined || teamId === null) return [];
    return [{ shiftNo, teamId, userIds: userIds === members.get(teamId) ? '' : userIds, remark }];
  });
}

export function slotsOn(table: Table, changes: Changes, date: string): readonly Slot[] {
  const day = table.days.find((one) => one.date === date);
  return changes[date] ?? (day ? storedSlots(table, day) : []);
}

const text = (slots: readonly Slot[]) =>
  JSON.stringify(
    [...slots]
      .sort((a, b) => a.shiftNo - b.shiftNo || (a.teamId < b.teamId ? -1 : 1))
      .map(({ shiftNo, teamId, userIds, remark }) => [shiftNo, teamId, userIds, remark]),
  );

/** Changes with other slots on a day; a day that is as it was stored is none. */
function withDay(table: Table, changes: Changes, date: string, slots: readonly Slot[]): Changes {
  const { [date]: _, ...others } = changes;
  const day = table.days.find((one) => one.date === date);
  return day && text(storedSlots(table, day)) === text(slots) ? others : { ...others, [date]: slots };
}

/** A team goes from one place to another; it has one shift a day, so that it leaves whatever it had there. */
export function moveTeam(table: Table, changes: Changes, teamId: string, from: Place, to: Place): Changes {
  const taken = slotsOn(table, changes, from.date).find((slot) => slot.teamId === teamId);
  const left = slotsOn(table, changes, from.date).filter((slot) => slot.teamId !== teamId);
  const after = withDay(table, changes, from.date, left);
  const there = slotsOn(table, after, to.date).filter((slot) => slot.teamId !== teamId);
  if (to.shiftNo === 0) return withDay(table, after, to.date, there);
  const slot = { userIds: '', remark: '', ...taken, teamId, shiftNo: to.shiftNo };
  return withDay(table, after, to.date, [...there, slot]);
}

/** One slot is changed in place. */
export function changeSlot(table: Table, changes: Changes, date: string, slot: Slot): Changes {
  const others = slotsOn(table, changes, date).filter(({ teamId }) => teamId !== slot.teamId);
  return withDay(table, changes, date, slot.shiftNo === 0 ? others : [...others, slot]);
}

type Cell = NonNullable<Wire<'SchedulingInputRequest'>['cells']>[number];

/** What is sent: every shift of the changed days, those that nobody works without a team. */
export function toWire(table: Table, changes: Changes) {
  const dates = Object.keys(changes).sort();
  const cells = dates.flatMap((date) => {
    const numbers = [...new Set(table.shifts.map(({ shiftNo }) => shiftNo))];
    return numbers.flatMap((shiftNo): Cell[] => {
      const shift = shiftOn(table, date, shiftNo);
      if (!shift) return [];
      const slots = (changes[date] ?? []).filter((slot) => slot.shiftNo === shiftNo);
      const common = { date, shiftId: shift.shiftId };
      if (slots.length === 0) return [{ ...common, teamId: null }];
      return slots.map(({ teamId, userIds, remark }) => ({ ...common, teamId, userIds, remark }));
    });
  });
  return { startDate: dates[0] ?? '', endDate: dates.at(-1) ?? '', cells };
}

/** What was changed, step by step: each can be taken back, and taken again. */
export interface History {
  past: readonly Changes[];
  now: Changes;
  future: readonly Changes[];
}

export const NOTHING: History = { past: [], now: {}, future: [] };

export function step(history: History, next: Changes): History {
  return { past: [...history.past, history.now], now: next, future: [] };
}

export function undo({ past, now, future }: History): History {
  const before = past.at(-1);
  return before ? { past: past.slice(0, -1), now: before, future: [now, ...future] } : { past, now, future };
}

export function redo({ past, now, future }: History): History {
  const [next, ...rest] = future;
  return next ? { past: [...past, now], now: next, future: rest } : { past, now, future };
}
