import { expect, test } from 'vitest';
import { overlapping, rotationOf, shortRests, uncovered, workedMinutes } from './rotation';
import { changeSlot, moveTeam, NOTHING, redo, slotsOn, step, type Table, toWire, undo } from './schedule';

const shift = (shiftId: string, shiftNo: number, valid: Partial<Table['shifts'][number]> = {}) => ({
  shiftId,
  shiftNo,
  shiftName: ['', '白班', '夜班'][shiftNo] ?? '',
  startTime: '08:00',
  endTime: '20:00',
  crossDay: 0,
  minutes: 720,
  color: '',
  validFrom: '',
  validUntil: '',
  ...valid,
});
const cell = (shiftId: string, teamId: string | null) => ({
  cellId: '1',
  shiftId,
  shiftName: '',
  teamId,
  teamName: '',
  userIds: teamId === null ? '' : `${teamId}1`,
  userNames: [],
  source: 1,
  remark: '',
});
const day = (date: string, cells: Table['days'][number]['cells']) => ({
  date,
  weekday: 1,
  dayType: null,
  holidayName: '',
  isToday: 0,
  isWorked: 1,
  cells,
  warnings: [],
});
const team = (teamId: string) => ({
  teamId,
  teamNo: 1,
  teamName: teamId,
  leaderName: '',
  userIds: `${teamId}1`,
  userNames: [],
});
const TABLE = {
  config: {},
  businessDate: '2026-09-01',
  shifts: [
    shift('day', 1),
    shift('night', 2, { validUntil: '2026-09-02' }),
    shift('later', 2, { validFrom: '2026-09-02' }),
  ],
  teams: [team('a'), team('b'), team('c')],
  days: [
    day('2026-09-01', [cell('day', 'a'), cell('night', 'b')]),
    day('2026-09-02', [cell('day', 'a'), cell('later', 'b')]),
  ],
  stats: [],
} as unknown as Table;

const at = (date: string, shiftNo: number) => ({ date, shiftNo });

test('a team has one shift a day, wherever it is moved', () => {
  const swapped = moveTeam(TABLE, {}, 'a', at('2026-09-01', 1), at('2026-09-01', 2));
  expect(slotsOn(TABLE, swapped, '2026-09-01').map(({ teamId, shiftNo }) => [teamId, shiftNo])).toEqual([
    ['b', 2],
    ['a', 2],
  ]);
  const moved = moveTeam(TABLE, swapped, 'b', at('2026-09-01', 2), at('2026-09-02', 1));
  expect(slotsOn(TABLE, moved, '2026-09-02').map(({ teamId, shiftNo }) => [teamId, shiftNo])).toEqual([
    ['a', 1],
    ['b', 1],
  ]);
  expect(slotsOn(TABLE, moved, '2026-09-01').map(({ teamId }) => teamId)).toEqual(['a']);
});

test('what is moved back is no change', () => {
  const away = moveTeam(TABLE, {}, 'a', at('2026-09-01', 1), at('2026-09-01', 0));
  expect(Object.keys(away)).toEqual(['2026-09-01']);
  expect(moveTeam(TABLE, away, 'a', at('2026-09-01', 0), at('2026-09-01', 1))).toEqual({});
});

test('all shifts of a changed day are sent by their ids on that day, an empty one without a team', () => {
  const changes = moveTeam(TABLE, {}, 'b', at('2026-09-02', 2), at('2026-09-02', 0));
  expect(toWire(TABLE, changes)).toEqual({
    startDate: '2026-09-02',
    endDate: '2026-09-02',
    cells: [
      { date: '2026-09-02', shiftId: 'day', teamId: 'a', userIds: '', remark: '' },
      { date: '2026-09-02', shiftId: 'later', teamId: null },
    ],
  });
});

test('people of one cell are sent, and steps are taken back and again', () => {
  const slot = { shiftNo: 1, teamId: 'a', userIds: '7,8', remark: '替班' };
  const first = step(NOTHING, changeSlot(TABLE, {}, '2026-09-01', slot));
  expect(toWire(TABLE, first.now).cells[0]).toEqual({
    date: '2026-09-01',
    shiftId: 'day',
    teamId: 'a',
    userIds: '7,8',
    remark: '替班',
  });
  const before = undo(first);
  expect(before.now).toEqual({});
  expect(redo(before)).toEqual(first);
  expect(undo(before)).toEqual(before);
});

test('rotations, overlaps and rests are those of the server', () => {
  expect(rotationOf(4, 4, 1, [])[1]).toEqual([2, 2, 3, 3, 0, 0, 1, 1]);
  expect(rotationOf(9, 2, 3, [[1, 2]])).toEqual([
    [1, 2, 0],
    [0, 0, 0],
  ]);
  for (const pattern of [2, 3, 4, 5]) {
    const rows = rotationOf(pattern, pattern > 3 ? 4 : pattern, 1, []);
    expect(uncovered(rows, pattern % 2 === 0 && pattern !== 2 ? [1, 2, 3] : [1, 2])).toEqual([]);
  }
  const timed = (shiftNo: number, startTime: string, endTime: string) => ({ shiftNo, startTime, endTime });
  const three = [timed(1, '08:00', '16:00'), timed(2, '16:00', '00:00'), timed(3, '00:00', '08:00')];
  expect(overlapping(three)).toBeUndefined();
  expect(overlapping([...three.slice(0, 2), timed(3, '23:59', '08:00')])?.map((one) => one.shiftNo)).toEqual([
    2, 3,
  ]);
  expect(shortRests([3, 0, 0, 2], three)).toEqual([4]);
  expect(shortRests([2, 1, 3, 0], three)).toEqual([]);
  expect(workedMinutes({ ...timed(1, '20:00', '08:00'), breaks: [{ start: '23:45', end: '00:15' }] })).toBe(
    690,
  );
});
