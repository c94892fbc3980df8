/** Check items that will cross a limit by their trend, the next one first: reported, or set aside. */
import { Alert, Button, DatePicker } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { api } from '@/api/client';
import type { RowOf } from '@/api/noun';
import { inspectforecast } from '@/api/nouns/inspectforecast';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { FormDrawer } from '@/kit/FormDrawer';
import { Field, TextAreaField, useCalendar } from '@/kit/fields';
import { NounPage } from '@/kit/NounPage';
import { ToneTag } from '@/kit/StateTag';
import { ErrorLine } from '@/kit/states';
import { useAction } from '@/kit/useAction';
import { fromWire } from '@/lib/dates';
import { exact } from '@/lib/money';
import { REPORT } from '@/screens/shared/orders';
import { useRights } from '@/session/rights';
import { KINDS, toneOf, useForecastWords } from './forecast';
import { TrendDrawer } from './Trend';
import '@/screens/shared/standards/walk.css';

type Row = RowOf<typeof inspectforecast>;
const STATES = { 1: 'active', 2: 'off', 3: 'quiet' } as const;
const [SET_ASIDE, ENDED] = [2, 3];
const [WIDE, HIGH, EDGE] = [112, 32, 3];
/** Days for which a forecast is set aside where nobody says another day. */
const USUAL = 14;
const LONGEST = 366;
const DAY = 'YYYY-MM-DD';
const day = (ahead: number) => dayjs().add(ahead, 'day').format(DAY);

/** The last readings in small, with the limit that they go for. */
function Spark({ row }: { row: Row }) {
  const { t } = useTranslation();
  const days = row.recent as Wire<'RecentValue'>[];
  const values = days.map(({ value }) => value);
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last || values.length < 2) return null;
  const [low, high] = [Math.min(...values, row.limitValue), Math.max(...values, row.limitValue)];
  const span = dayjs(last.day).diff(first.day, 'day') || 1;
  const x = (day: string) => EDGE + (dayjs(day).diff(first.day, 'day') / span) * (WIDE - 2 * EDGE);
  const y = (value: number) => EDGE + (1 - (value - low) / (high - low || 1)) * (HIGH - 2 * EDGE);
  const line = days.map(({ day, value }, place) => `${place === 0 ? 'M' : 'L'}${x(day)} ${y(value)}`);
  const said = (value: number) => `${exact(value, row.decimals)}${row.unit}`;
  const label = t('rounds.forecast.spark', {
    count: values.length,
    low: said(Math.min(...values)),
    high: said(Math.max(...values)),
  });
  return (
    <svg className="x-spark" viewBox={`0 0 ${WIDE} ${HIGH}`} role="img" aria-label={label}>
      <title>{label}</title>
      <line
        className={KINDS[row.limitKind as 1].startsWith('warn') ? 'x-spark-warn' : undefined}
        x1={0}
        x2={WIDE}
        y1={y(row.limitValue)}
        y2={y(row.limitValue)}
      />
      <path d={line.join('')} />
    </svg>
  );
}

export default function Forecasts() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const may = useRights();
  const words = useForecastWords();
  const [aside, setAside] = useState<Row>();
  const [shown, setShown] = useState<Row>();
  /** What was set aside a moment ago. */
  const [gone, setGone] = useState<Row>();
  const restore = useAction({
    run: ({ id }: Row) => api.post('/yuzhu-equip/inspectforecast/restore', { id }),
    invalidates: [[inspectforecast.name]],
    onDone: () => setGone(undefined),
  });
  const kind = (row: Row) => KINDS[row.limitKind as 1];
  const limit = (row: Row) => (
    <ToneTag tone={toneOf(kind(row))} grade>
      {words.limit(kind(row), row.limitValue, row.decimals, row.unit)}
    </ToneTag>
  );
  const range = (row: Row) => words.span(row.earliest, row.latest);
  const state = (row: Row) => <ToneTag tone={STATES[row.status as 1]}>{row.statusName}</ToneTag>;
  const report = (row: Row) => {
    const sentence = words.sentence({ ...row, limitKind: kind(row) });
    const description = t('rounds.forecast.description', { item: row.itemName, sentence });
    navigate(`${REPORT}?${new URLSearchParams({ machineId: row.machineId, description })}`);
  };
  return (
    <>
      {gone && (
        <Alert
          className="x-block"
          type="success"
          showIcon
          closable={{ onClose: () => setGone(undefined) }}
          title={t('rounds.forecast.asideNow', { name: `${gone.machineName} ${gone.itemName}` })}
          action={
            <Button loading={restore.busy} onClick={() => restore.run(gone)}>
              {t('rounds.forecast.undo')}
            </Button>
          }
        />
      )}
      {Boolean(restore.error) && <ErrorLine error={restore.error} />}
      <NounPage
        noun={inspectforecast}
        name="itemName"
        called={(row) => `${row.machineName} ${row.itemName}`}
        columns={[
          { key: 'crossesOn', width: 130 },
          { key: 'earliest', title: t('rounds.forecast.range'), width: 170, nowrap: true, render: range },
          { key: 'machineName', width: 170 },
          { key: 'itemName', width: 140 },
          { key: 'limitKind', width: 170, render: limit },
          {
            key: 'recent',
            title: t('rounds.forecast.trend'),
            width: 140,
            render: (row) => <Spark row={row} />,
          },
          { key: 'pointName', width: 140 },
          { key: 'groupName', width: 150, extra: true },
          { key: 'statusName', width: 124, extra: true },
        ]}
        show={{
          statusName: state,
          level: (row) => `${exact(row.level, row.decimals)}${row.unit}`,
          slopePerDay: (row) =>
            t('rounds.forecast.perDay', {
              value: `${row.slopePerDay > 0 ? '+' : ''}${exact(row.slopePerDay, row.decimals + 2)}${row.unit}`,
            }),
          limitValue: limit,
        }}
        filters={[
          { kind: 'text', name: 'keyword', label: t('rounds.forecast.keyword') },
          'status',
          'limitKind',
          'crossesOn',
          'machineId',
          'groupId',
        ]}
        card={(row) => ({
          title: `${row.machineName} ${row.itemName}`,
          state: limit(row),
          meta: [
            `${words.day(row.crossesOn)} (${range(row)})`,
            <span key="trend" className="x-marks">
              <Spark row={row} />
              {row.status !== 1 && state(row)}
            </span>,
          ],
        })}
        detail={[
          'machineName',
          'machineCode',
          'pointName',
          'groupName',
          'itemName',
          'limitValue',
          'crossesOn',
          'earliest',
          'latest',
          'level',
          'slopePerDay',
          'readings',
          'since',
          'asOf',
          'statusName',
          'dismissUserName',
          'dismissReason',
          'dismissUntil',
        ]}
        rowActions={(row) => [
          { key: 'trend', label: t('rounds.forecast.open'), onClick: () => setShown(row) },
          ...(may('repairorder_add')
            ? [{ key: 'report', label: t('rounds.forecast.report'), onClick: () => report(row) }]
            : []),
          ...(may('inspectforecast_dismiss') && row.status === SET_ASIDE
            ? [{ key: 'restore', label: t('rounds.forecast.restore'), onClick: () => restore.run(row) }]
            : []),
          ...(may('inspectforecast_dismiss') && row.status !== ENDED
            ? [{ key: 'dismiss', label: t('rounds.forecast.dismiss'), onClick: () => setAside(row) }]
            : []),
        ]}
        empty={{ title: t('rounds.forecast.empty'), hint: t('rounds.forecast.emptyHint') }}
      />
      {shown && <TrendDrawer {...shown} onClose={() => setShown(undefined)} />}
      {aside && <Dismiss row={aside} onDone={() => setGone(aside)} onClose={() => setAside(undefined)} />}
    </>
  );
}

function Dismiss({ row, onDone, onClose }: { row: Row; onDone: () => void; onClose: () => void }) {
  const { t } = useTranslation();
  const calendar = useCalendar();
  return (
    <FormDrawer<{ reason: string; until: string }>
      size="small"
      title={t('rounds.forecast.dismiss')}
      note={`${row.machineName} ${row.itemName} · ${t('rounds.forecast.dismissNote')}`}
      initial={{ until: day(USUAL) }}
      submit={(values) => api.post('/yuzhu-equip/inspectforecast/dismiss', { id: row.id, ...values })}
      submitText={t('rounds.forecast.dismiss')}
      invalidates={[[inspectforecast.name]]}
      onDone={onDone}
      onClose={onClose}
    >
      <Field
        name="until"
        label={t('rounds.forecast.until')}
        kind="choose"
        required
        getValueProps={(value?: string) => ({ value: fromWire(value) })}
        getValueFromEvent={(value: Dayjs | null) => value?.format(DAY) ?? null}
        rules={[
          {
            validator: (_, value?: string) =>
              !value || (value >= day(1) && value <= day(LONGEST))
                ? Promise.resolve()
                : Promise.reject(new Error(t('rounds.forecast.untilWrong'))),
          },
        ]}
      >
        <DatePicker {...calendar} minDate={dayjs(day(1))} maxDate={dayjs(day(LONGEST))} inputReadOnly />
      </Field>
      <TextAreaField name="reason" label={t('rounds.forecast.reason')} max={200} required />
    </FormDrawer>
  );
}
