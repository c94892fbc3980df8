import { describe, expect, it } from 'vitest';
import { type Entry, hours, planOn, spanOf, verdict } from './days';

const order = {
  dueDate: '2026-03-10',
  latestDate: '2026-03-13',
  delayUntil: '2026-04-10',
  planStart: null,
  estMinutes: 90,
} as unknown as Entry;

describe('moving an order', () => {
  it('plans within the tolerance, delays behind it, and goes no further than a cycle', () => {
    const said = ['2026-03-04', '2026-03-05', '2026-03-13', '2026-03-14', '2026-04-10', '2026-04-11'].map(
      (day) => verdict(order, day, '2026-03-05'),
    );
    expect(said).toEqual(['past', 'plan', 'plan', 'delay', 'delay', 'tooLate']);
  });

  it('keeps the time of day', () => {
    expect(planOn(order, '2026-03-06')).toEqual({
      planStart: '2026-03-06 08:00:00',
      planEnd: '2026-03-06 09:30:00',
    });
    expect(planOn({ planStart: '2026-03-10 23:00:00', estMinutes: 120 }, '2026-03-06')).toEqual({
      planStart: '2026-03-06 23:00:00',
      planEnd: '2026-03-07 01:00:00',
    });
  });

  it('shows whole weeks from Monday and whole months', () => {
    expect(spanOf('week', '2026-03-01')).toEqual({ from: '2026-02-23', to: '2026-03-01' });
    expect(spanOf('week', '2026-03-02')).toEqual({ from: '2026-03-02', to: '2026-03-08' });
    expect(spanOf('month', '2026-02-14')).toEqual({ from: '2026-02-01', to: '2026-02-28' });
    expect([hours(0), hours(90), hours(480)]).toEqual(['0', '1.5', '8']);
  });
});
