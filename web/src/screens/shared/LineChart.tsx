/** A line over time with its dots, in a frame with round numbers; what else a screen draws goes by the same scale. */
import dayjs from 'dayjs';
import type { ReactNode } from 'react';
import { usePhone } from '@/kit/width';
import { steps } from '@/lib/steps';
import './chart.css';

export interface Dot {
  key: string;
  /** As the wire writes it. */
  time: string;
  value: number;
  /** What is read when one points at it. */
  title: string;
  tone?: 'good' | 'waiting' | 'bad';
  /** Shown only when one points at it. */
  hidden?: boolean;
}

/** Where a time and a value lie in the picture, and the ends of the frame. */
export interface Scale {
  x: (time: string) => number;
  y: (value: number) => number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

interface LineChartProps {
  /** In the order of time. */
  dots: readonly Dot[];
  /** What the picture says, for those who do not see it. */
  label: string;
  height: number;
  /** Room at the left for the numbers, at the right for words. */
  sides: readonly [number, number];
  /** Values that must be in sight beside those of the line. */
  holds?: readonly number[];
  /** The time at which the picture ends, where that is not the last dot. */
  until?: string;
  children?: (scale: Scale) => ReactNode;
}

/** As wide as it is on a phone and on a desk, so that its words are as large there as all others. */
const WIDTHS = { phone: 330, desk: 640 };
const [TOP, BOTTOM] = [12, 26];
const LINES = 4;

export function LineChart({ dots, label, height, sides, holds = [], until, children }: LineChartProps) {
  const width = usePhone() ? WIDTHS.phone : WIDTHS.desk;
  const [first, last] = [dots[0], dots.at(-1)];
  if (!first || !last || dots.length < 2) return null;
  const [left, right, bottom] = [sides[0], width - sides[1], height - BOTTOM];
  const ends = until && until > last.time ? until : last.time;
  const begin = dayjs(first.time).valueOf();
  const span = dayjs(ends).valueOf() - begin || 1;
  const all = [...dots.map(({ value }) => value), ...holds];
  const marks = steps(Math.min(...all), Math.max(...all), LINES);
  const [low = 0, high = 1] = [marks[0], marks.at(-1)];
  const x = (time: string) => left + ((dayjs(time).valueOf() - begin) / span) * (right - left);
  const y = (value: number) => TOP + (1 - (value - low) / (high - low || 1)) * (bottom - TOP);
  const line = dots
    .map(({ time, value }, index) => `${index === 0 ? 'M' : 'L'}${x(time)} ${y(value)}`)
    .join('');
  return (
    <svg className="x-chart" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      {marks.map((mark) => (
        <g key={mark}>
          <line className="x-chart-grid" x1={left} x2={right} y1={y(mark)} y2={y(mark)} />
          <text x={left - 7} y={y(mark) + 4} textAnchor="end">
            {mark.toLocaleString('en-US')}
          </text>
        </g>
      ))}
      <text x={left} y={height - 6}>
        {first.time.slice(0, 10)}
      </text>
      <text x={right} y={height - 6} textAnchor="end">
        {ends.slice(0, 10)}
      </text>
      {children?.({ x, y, left, right, top: TOP, bottom })}
      <path className="x-chart-line" d={line} />
      {dots.map(({ key, time, value, title, tone, hidden }) => (
        <circle
          key={key}
          className={`x-chart-dot${tone ? ` x-chart-${tone}` : ''}${hidden ? ' x-chart-hidden' : ''}`}
          cx={x(time)}
          cy={y(value)}
          r={3.5}
        >
          <title>{title}</title>
        </circle>
      ))}
    </svg>
  );
}
