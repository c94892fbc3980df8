import dayjs from 'dayjs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Line, usual } from './lines';

beforeEach(() => {
  vi.useFakeTimers();
  vi.setSystemTime(dayjs('2026-03-02 10:00:40').toDate());
});
afterEach(() => vi.useRealTimers());

const line = (userId: string, endTime: string) => ({ userId, endTime }) as Line;

test('a new line begins with the work, or where the own last one ended', () => {
  const acceptTime = '2026-03-02 08:10:30';
  expect(usual({ lines: [], acceptTime }, '1')).toEqual({
    startTime: '2026-03-02 08:10:00',
    endTime: '2026-03-02 10:00:00',
  });
  const lines = [line('1', '2026-03-02 09:00:15'), line('2', '2026-03-02 09:30:00')];
  expect(usual({ lines, acceptTime }, '1').startTime).toBe('2026-03-02 09:00:15');
});

test('work that began in this minute is told to the second, and old work is half an hour', () => {
  expect(usual({ lines: [], acceptTime: '2026-03-02 10:00:10' }, '1')).toEqual({
    startTime: '2026-03-02 10:00:00',
    endTime: '2026-03-02 10:00:40',
  });
  expect(usual({ lines: [], acceptTime: '2026-02-27 10:00:10' }, '1')).toEqual({
    startTime: '2026-03-02 09:30:00',
    endTime: '2026-03-02 10:00:00',
  });
});
