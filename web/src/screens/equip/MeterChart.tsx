/** What a counter has counted over time, with what it showed at each reading. */
import { useTranslation } from '@/i18n';
import { exact } from '@/lib/money';
import { LineChart } from '@/screens/shared/LineChart';

export interface Point {
  id: string;
  /** As the wire writes it. */
  time: string;
  /** The running total, all counters together. */
  total: number;
  /** What the counter showed. */
  value: number;
  /** Whether a new counter began here. */
  isReset: boolean;
}

const HEIGHT = 200;
const SIDES = [64, 12] as const;
/** With more points than these they are no dots any more, but the line alone. */
const MOST_DOTS = 40;

/** The points in the order of time. */
export function MeterChart({ points, unit }: { points: readonly Point[]; unit: string }) {
  const { t } = useTranslation();
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || points.length < 2) return null;
  return (
    <div className="x-meter">
      <LineChart
        height={HEIGHT}
        sides={SIDES}
        label={t('machines.meter.chart', {
          from: first.time.slice(0, 10),
          to: last.time.slice(0, 10),
          first: exact(first.total, 1),
          last: exact(last.total, 1),
          unit,
        })}
        dots={points.map(({ id, time, total, value, isReset }) => ({
          key: id,
          time,
          value: total,
          title: `${time.slice(0, 16)} ${exact(value, 1)} ${unit}${isReset ? ` ${t('machines.meter.reset')}` : ''}`,
          hidden: points.length > MOST_DOTS && !isReset,
        }))}
      >
        {({ x, top, bottom }) =>
          points
            .slice(1)
            .filter(({ isReset }) => isReset)
            .map(({ id, time }) => (
              <line key={id} className="x-meter-reset" x1={x(time)} x2={x(time)} y1={top} y2={bottom} />
            ))
        }
      </LineChart>
    </div>
  );
}
