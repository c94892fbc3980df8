import { expect, test, vi } from 'vitest';
import { durationWords } from './duration';

const zh = { day: '天', hour: '小时', minute: '分钟', gap: '' };
const en = { day: 'd', hour: 'h', minute: 'm', gap: ' ' };

test.each([
  [0, '0分钟', '0m'],
  [61, '1小时1分钟', '1h 1m'],
  [1440, '1天', '1d'],
  [1445, '1天5分钟', '1d 5m'],
  [1500, '1天1小时', '1d 1h'],
  [100000, '69天10小时40分钟', '69d 10h 40m'],
  [59.5, '1小时', '1h'],
  [59.4, '59分钟', '59m'],
])('%d minutes read %s and %s', (minutes, chinese, english) => {
  expect(durationWords(minutes, zh)).toBe(chinese);
  expect(durationWords(minutes, en)).toBe(english);
});

test('an unknown duration is a dash', () => {
  expect(durationWords(null, zh)).toBe('-');
  expect(durationWords(undefined, en)).toBe('-');
});

test('a negative duration is a dash and leaves a line in the log', () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  expect(durationWords(-5, zh)).toBe('-');
  expect(log).toHaveBeenCalledWith('negative duration: -5 minutes');
});
