/** When a machine stood: from when to when, or since when it still does; and how long in all. */
import type { ReactNode } from 'react';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { Minutes } from '@/kit/Minutes';
import { moment } from '@/lib/dates';

export function StopSpan({ stop }: { stop: Wire<'Stop'> }) {
  const { t } = useTranslation();
  const since = moment(stop.startTime);
  if (!stop.endTime) return t('repair.stopSince', { since });
  const until = moment(stop.endTime);
  // A date never breaks, and the same day is said once.
  return (
    <>
      <span className="x-nowrap">{since}</span> –{' '}
      <span className="x-nowrap">{until.startsWith(since.slice(0, 10)) ? until.slice(11) : until}</span>
    </>
  );
}

/** How long a machine stood for an order in all, and each time; nothing where it did not. */
export function stops(order: { stopMinutes: number | null; stops: readonly Wire<'Stop'>[] }): ReactNode {
  if (order.stopMinutes === null) return null;
  return (
    <>
      <Minutes value={order.stopMinutes} />
      {order.stops.map((stop) => (
        <div className="x-quiet" key={stop.startTime}>
          <StopSpan stop={stop} />
        </div>
      ))}
    </>
  );
}
