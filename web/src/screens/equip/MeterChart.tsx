/** What a counter has counted over time, with what it showed at each reading. */
import dayjs from 'dayjs';
import { useTranslation } from '@/i18n';
import { usePhone } from '@/kit/width';
import { exact } from '@/lib/money';
import { steps } from '@/lib/steps';

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
/** As wide as it is on a phone and on a desk, so that its words are as large there as all others. */
const WIDTHS = { phone: 320, desk: 640 };
const [LEFT, RIGHT, TOP, BOTTOM] = [64, 12, 12, 26];
const LINES = 4;
/** With more points than these they are no dots any more, but the line alone. */
const MOST_DOTS = 40;

/** The points in the order of time. */
export function MeterChart({ points, unit }: { points: readonly Point[]; unit: string }) {
  const { t } = useTranslation();
  const width = usePhone() ? WIDTHS.phone : WIDTHS.desk;
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || points.length < 2) return null;
  const at = points.map(({ time }) => dayjs(time).valueOf());
  const [begin = 0, end = 1] = [at[0], at.at(-1)];
  const marks = steps(
    Math.min(...points.map(({ total }) => total)),
    Math.max(...points.map(({ total }) => total)),
    LINES,
  );
  const [low = 0, high = 1] = [marks[0], marks.at(-1)];
  const x = (index: number) =>
    LEFT + (((at[index] ?? begin) - begin) / (end - begin || 1)) * (width - LEFT - RIGHT);
  const y = (value: number) => TOP + (1 - (value - low) / (high - low || 1)) * (HEIGHT - TOP - BOTTOM);
  const line = points.map(({ total }, index) => `${index === 0 ? 'M' : 'L'}${x(index)} ${y(total)}`).join('');
  const day = (time: number) => dayjs(time).format('YYYY-MM-DD');
  return (
    <svg
      className="x-meter"
      viewBox={`0 0 ${width} ${HEIGHT}`}
      role="img"
      aria-label={t('machines.meter.chart', {
        from: first.time.slice(0, 10),
        to: last.time.slice(0, 10),
        first: exact(first.total, 1),
        last: exact(last.total, 1),
        unit,
      })}
    >
      {marks.map((mark) => (
        <g key={mark}>
          <line className="x-meter-grid" x1={LEFT} x2={width - RIGHT} y1={y(mark)} y2={y(mark)} />
          <text className="x-meter-text" x={LEFT - 8} y={y(mark) + 4} textAnchor="end">
            {mark.toLocaleString('en-US')}
          </text>
        </g>
      ))}
      <text className="x-meter-text" x={LEFT} y={HEIGHT - 6}>
        {day(begin)}
      </text>
      <text className="x-meter-text" x={width - RIGHT} y={HEIGHT - 6} textAnchor="end">
        {day(end)}
      </text>
      <path className="x-meter-line" d={line} />
      {points.map(({ id, time, total, value, isReset }, index) => (
        <g key={id}>
          {isReset && index > 0 && (
            <line className="x-meter-reset" x1={x(index)} x2={x(index)} y1={TOP} y2={HEIGHT - BOTTOM} />
          )}
          <circle
            className={points.length > MOST_DOTS && !isReset ? 'x-meter-hidden' : 'x-meter-dot'}
            cx={x(index)}
            cy={y(total)}
            r={3.5}
          >
            <title>
              {`${time.slice(0, 16)} ${exact(value, 1)} ${unit}`}
              {isReset ? ` ${t('machines.meter.reset')}` : ''}
            </title>
          </circle>
        </g>
      ))}
    </svg>
  );
}
