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
import { LineChart } from '@/screens/shared/LineChart';
import { useForecastWords } from './forecast';
import '@/screens/shared/standards/walk.css';

type TrendData = Wire<'Trend'>;
type Found = NonNullable<TrendData['forecast']>;
const HEIGHT = 240;
const SIDES = [52, 70] as const;
/** Days that the server looks ahead. */
const HORIZON = 90;
const REASONS = ['noLimit', 'few', 'short', 'flat', 'away', 'crossed', 'far'] as const;
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
          <Said data={data} />
          <Chart data={data} />
        </>
      )}
    </Drawer>
  );
}

/** What the trend says of a limit, or why it says nothing. */
function Said({ data: { forecast, noForecast, decimals, unit } }: { data: TrendData }) {
  const { t } = useTranslation();
  const words = useForecastWords();
  if (forecast) {
    return (
      <p className="x-trend-said">
        <strong>{words.sentence({ ...forecast, decimals, unit })}</strong>{' '}
        <span className="x-quiet">
          {t('rounds.forecast.basis', { count: forecast.readings, since: forecast.since })}
        </span>
      </p>
    );
  }
  const reason = REASONS.find((one) => one === noForecast);
  return reason ? <p className="x-trend-said x-quiet">{t(`rounds.forecast.none.${reason}`)}</p> : null;
}

function Chart({ data }: { data: TrendData }) {
  const { t } = useTranslation();
  const { values, decimals, unit, forecast } = data;
  const [first, last] = [values[0], values.at(-1)];
  if (!first || !last || values.length < 2) return <EmptyState title={t('rounds.trend.few')} />;
  const numbers = values.map(({ value }) => value);
  const limits = LIMITS.flatMap((name) => (data[name] === null ? [] : [{ name, value: data[name] }]));
  const said = (value: number) => `${exact(value, decimals)}${unit}`;
  // Where the true day may be far off, the picture ends with the horizon.
  const until = forecast ? min(forecast.latest, addDays(forecast.asOf, HORIZON)) : undefined;
  return (
    <LineChart
      height={HEIGHT}
      sides={SIDES}
      label={t('rounds.trend.chart', {
        from: first.time.slice(0, 10),
        to: last.time.slice(0, 10),
        count: values.length,
        low: said(Math.min(...numbers)),
        high: said(Math.max(...numbers)),
      })}
      holds={limits.map(({ value }) => value)}
      until={until}
      dots={values.map(({ time, value, result, orderNo }) => ({
        key: `${time} ${orderNo}`,
        time,
        value,
        title: `${time.slice(0, 16)} ${said(value)} ${orderNo}`,
        tone: TONES[result as 1] ?? 'good',
      }))}
    >
      {({ x, y, left, right }) => (
        <>
          {limits.map(({ name, value }) => {
            const kind = name.startsWith('warn') ? 'warn' : 'limit';
            return (
              <g key={name}>
                <line className={`x-trend-${kind}`} x1={left} x2={right} y1={y(value)} y2={y(value)} />
                <text className={`x-trend-${kind}-text`} x={right + 4} y={y(value) + 4}>
                  <title>{`${t(`rounds.trend.limits.${name}`)} ${said(value)}`}</title>
                  {said(value)}
                </text>
              </g>
            );
          })}
          {forecast && until && (
            <>
              <polygon
                className="x-trend-band"
                points={[
                  [x(forecast.asOf), y(forecast.level)],
                  [x(forecast.earliest), y(forecast.limitValue)],
                  ...band(forecast, until).map(([day, value]) => [x(day), y(value)]),
                ].join(' ')}
              />
              <line
                className="x-trend-ray"
                x1={x(forecast.asOf)}
                y1={y(forecast.level)}
                x2={x(forecast.crossesOn)}
                y2={y(forecast.limitValue)}
              />
            </>
          )}
        </>
      )}
    </LineChart>
  );
}

const addDays = (day: string, days: number) => dayjs(day).add(days, 'day').format('YYYY-MM-DD');
const min = (one: string, other: string) => (one < other ? one : other);

/** The late edge of the band: to the limit, or as far on its way there as the picture goes. */
function band({ asOf, level, latest, limitValue }: Found, until: string): [string, number][] {
  if (latest <= until) return [[latest, limitValue]];
  const share = dayjs(until).diff(asOf, 'day') / (dayjs(latest).diff(asOf, 'day') || 1);
  return [
    [until, limitValue],
    [until, level + share * (limitValue - level)],
  ];
}
