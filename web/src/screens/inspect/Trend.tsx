/** The numbers of an item over time with its limits, each dot in the colour of what was found. */
import { useQuery } from '@tanstack/react-query';
import dayjs from 'dayjs';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { Drawer } from '@/kit/overlays';
import { EmptyState, ErrorState, PageSkeleton } from '@/kit/states';
import { usePhone } from '@/kit/width';
import { exact } from '@/lib/money';
import { steps } from '@/lib/steps';
import './rounds.css';

type TrendData = Wire<'Trend'>;
const HEIGHT = 240;
const WIDTHS = { phone: 330, desk: 640 };
const [LEFT, RIGHT, TOP, BOTTOM] = [52, 70, 12, 26];
const LINES = 4;
const TONES = { 1: 'good', 2: 'waiting', 3: 'bad' } as const;
const LIMITS = ['lower', 'warnLower', 'warnUpper', 'upper'] as const;

interface TrendProps {
  itemId: string;
  itemName: string;
  pointId: string;
  onClose: () => void;
}

export function TrendDrawer({ itemId, itemName, pointId, onClose }: TrendProps) {
  const { t } = useTranslation();
  const phone = usePhone();
  const { data, error, refetch } = useQuery({
    queryKey: ['inspectorder', 'trend', pointId, itemId],
    queryFn: ({ signal }) => api.get('/yuzhu-equip/inspectorderrecord/getTrend', { itemId, pointId }, signal),
  });
  return (
    <Drawer
      open
      title={t('rounds.trend.title', { item: itemName })}
      placement={phone ? 'bottom' : 'right'}
      size={phone ? 'auto' : 720}
      onClose={onClose}
    >
      {!data && !error && <PageSkeleton rows={6} />}
      {error && !data && <ErrorState error={error} retry={refetch} />}
      {data && (
        <>
          <p className="x-quiet">{[data.machineName, data.pointName, t('rounds.trend.span')].join(' · ')}</p>
          <Chart data={data} />
        </>
      )}
    </Drawer>
  );
}

function Chart({ data }: { data: TrendData }) {
  const { t } = useTranslation();
  const width = usePhone() ? WIDTHS.phone : WIDTHS.desk;
  const { values, decimals, unit } = data;
  const [first, last] = [values[0], values.at(-1)];
  if (!first || !last || values.length < 2) return <EmptyState title={t('rounds.trend.few')} />;
  const at = values.map(({ time }) => dayjs(time).valueOf());
  const [begin = 0, end = 1] = [at[0], at.at(-1)];
  const numbers = values.map(({ value }) => value);
  const limits = LIMITS.flatMap((name) => (data[name] === null ? [] : [{ name, value: data[name] }]));
  const all = [...numbers, ...limits.map(({ value }) => value)];
  const marks = steps(Math.min(...all), Math.max(...all), LINES);
  const [low = 0, high = 1] = [marks[0], marks.at(-1)];
  const x = (index: number) =>
    LEFT + (((at[index] ?? begin) - begin) / (end - begin || 1)) * (width - LEFT - RIGHT);
  const y = (value: number) => TOP + (1 - (value - low) / (high - low || 1)) * (HEIGHT - TOP - BOTTOM);
  const line = numbers.map((value, index) => `${index === 0 ? 'M' : 'L'}${x(index)} ${y(value)}`).join('');
  const said = (value: number) => `${exact(value, decimals)}${unit}`;
  return (
    <svg
      className="x-trend"
      viewBox={`0 0 ${width} ${HEIGHT}`}
      role="img"
      aria-label={t('rounds.trend.chart', {
        from: first.time.slice(0, 10),
        to: last.time.slice(0, 10),
        count: values.length,
        low: said(Math.min(...numbers)),
        high: said(Math.max(...numbers)),
      })}
    >
      {marks.map((mark) => (
        <g key={mark}>
          <line className="x-trend-grid" x1={LEFT} x2={width - RIGHT} y1={y(mark)} y2={y(mark)} />
          <text x={LEFT - 6} y={y(mark) + 4} textAnchor="end">
            {mark.toLocaleString('en-US')}
          </text>
        </g>
      ))}
      {limits.map(({ name, value }) => {
        const kind = name.startsWith('warn') ? 'warn' : 'limit';
        return (
          <g key={name}>
            <line className={`x-trend-${kind}`} x1={LEFT} x2={width - RIGHT} y1={y(value)} y2={y(value)} />
            <text className={`x-trend-${kind}-text`} x={width - RIGHT + 4} y={y(value) + 4}>
              <title>{`${t(`rounds.trend.limits.${name}`)} ${said(value)}`}</title>
              {said(value)}
            </text>
          </g>
        );
      })}
      <text x={LEFT} y={HEIGHT - 6}>
        {first.time.slice(0, 10)}
      </text>
      <text x={width - RIGHT} y={HEIGHT - 6} textAnchor="end">
        {last.time.slice(0, 10)}
      </text>
      <path className="x-trend-line" d={line} />
      {values.map(({ time, value, result, orderNo }, index) => (
        <circle
          key={`${time} ${orderNo}`}
          className={`x-trend-${TONES[result as 1] ?? 'good'}`}
          cx={x(index)}
          cy={y(value)}
          r={3.5}
        >
          <title>{`${time.slice(0, 16)} ${said(value)} ${orderNo}`}</title>
        </circle>
      ))}
    </svg>
  );
}
