import { screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { setLanguage } from '@/i18n';
import { draw } from '@/testing/render';
import { DueMark, PriorityMark } from './taskMarks';

beforeEach(async () => {
  await setLanguage('zh-CN');
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-02T10:00:00') });
});

test.each([
  [8, '2026-03-02 10:08:00', '还剩8分钟', 'waiting'],
  [240, '2026-03-02 14:00:00', '还剩4小时', ''],
  [4410, '2026-03-05 11:30:00', '还剩3天1小时', ''],
  [-90, '2026-03-02 08:30:00', '超时1小时30分钟', 'bad'],
])('with %s minutes left until %s one reads %s', (minutes, dueTime, words, tone) => {
  const dueAt = Date.now() + minutes * 60_000;
  draw(<DueMark row={{ dueAt, dueTime, lateTime: '', createTime: '2026-03-02 09:00:00' }} />);
  const mark = screen.getByText(words);
  expect(mark.closest('.x-tag')?.className ?? '').toContain(tone);
  expect(mark.closest('.x-tag') === null).toBe(tone === '');
});

test('without a deadline nothing counts down, and an ordinary priority has no mark', () => {
  const { container } = draw(
    <>
      <DueMark row={{ dueAt: undefined, dueTime: '', lateTime: '', createTime: '2026-03-02 09:00:00' }} />
      <PriorityMark row={{ priority: 3 }} />
    </>,
  );
  expect(container.textContent).toBe('');
  draw(<PriorityMark row={{ priority: 1 }} />);
  expect(screen.getByText('特急')).toBeTruthy();
});
