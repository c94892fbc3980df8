import dayjs from 'dayjs';
import { expect, test } from 'vitest';
import { endAfter, laborOf, type Order, toWireLines } from './work';

const [BEGIN, MIDDLE, END] = ['2026-03-02 08:00:00', '2026-03-02 09:00:00', '2026-03-02 10:00:00'] as const;
const line = (userId: string, startTime: string, endTime: string, content = '') =>
  ({ userId, startTime, endTime, content }) as Order['lines'][number];

test('labor comes back as it was sent, whole times apart', () => {
  const order = {
    startTime: BEGIN,
    finishTime: END,
    lines: [line('1', BEGIN, END), line('2', BEGIN, MIDDLE), line('2', MIDDLE, END, '补油')],
  };
  const labor = laborOf(order, '9');
  expect(labor.people).toBe('1');
  expect(labor.spans.map(({ userId, startTime }) => [userId, startTime])).toEqual([
    ['2', BEGIN],
    ['2', MIDDLE],
  ]);
  expect(toWireLines({ ...labor, startTime: BEGIN, finishTime: END })).toEqual([
    { userId: '1', startTime: BEGIN, endTime: END },
    { userId: '2', startTime: BEGIN, endTime: MIDDLE, content: '' },
    { userId: '2', startTime: MIDDLE, endTime: END, content: '补油' },
  ]);
});

test('whoever has spans has no whole time, and a row that is not filled in is left out', () => {
  const spans = [{ userId: '1', startTime: BEGIN, endTime: MIDDLE }, { userId: '3' }, {}];
  expect(toWireLines({ people: '1,2', spans, startTime: BEGIN, finishTime: END })).toEqual([
    { userId: '2', startTime: BEGIN, endTime: END },
    { userId: '1', startTime: BEGIN, endTime: MIDDLE, content: '' },
  ]);
  expect(laborOf({ startTime: null, finishTime: null, lines: [] }, '9')).toEqual({ people: '9', spans: [] });
});

test('an end that is proposed is later than the start, also in the second in which the work began', () => {
  const now = dayjs('2026-03-02T10:15:30');
  expect(endAfter(BEGIN, now)).toBe('2026-03-02 10:15:00');
  expect(endAfter('2026-03-02 10:15:10', now)).toBe('2026-03-02 10:15:30');
  expect(endAfter('2026-03-02 10:15:30', now)).toBe('2026-03-02 10:15:31');
  expect(endAfter(undefined, now)).toBe('2026-03-02 10:15:30');
});
