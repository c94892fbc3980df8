/** The assets that fail most, stand longest or cost most in twelve months, with what they may cost next, and the faults
 * that came back. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Segmented, Table } from 'antd';
import { Fragment } from 'react';
import { Link, useSearchParams } from 'react-router';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { type Filter, FilterBar, FilterChips, namesOf } from '@/kit/filters';
import { useListState } from '@/kit/listState';
import { useDuration } from '@/kit/Minutes';
import '@/screens/shared/chart.css';
import { Section } from '@/kit/Section';
import { EmptyState, ErrorState, PageSkeleton } from '@/kit/states';
import { usePhone } from '@/kit/width';
import { moment } from '@/lib/dates';
import { roughly, yuan } from '@/lib/money';
import { MachineLink } from '@/screens/shared/MachineLink';
import { LIST } from '@/screens/shared/orders';
import { useCanOpen } from '@/session/rights';

const RANKS = ['failures', 'downMinutes', 'totalCost'] as const;
type Rank = (typeof RANKS)[number];
type Actor = Wire<'BadActor'>;
const [WIDE, HIGH, GAP] = [132, 28, 2];

/** How a month's figure of a ranking is written. */
function useSaid(rank: Rank): (value: number | null | undefined) => string {
  const words = useDuration();
  return (value) => {
    if (value === null || value === undefined) return '-';
    if (rank === 'downMinutes') return words(value);
    return rank === 'totalCost' ? yuan(value) : String(value);
  };
}

/** Twelve months as bars; months before the asset's first are empty. */
function Trend({ row, rank, months }: { row: Actor; rank: Rank; months: readonly string[] }) {
  const said = useSaid(rank);
  const values = row.trend.map((month) => month[rank]);
  const most = Math.max(1, ...values.map((value) => value ?? 0));
  const label = months.map((month, at) => `${month}: ${said(values[at])}`).join(', ');
  const width = WIDE / Math.max(1, months.length);
  return (
    <svg className="x-report-trend" viewBox={`0 0 ${WIDE} ${HIGH}`} role="img" aria-label={label}>
      <title>{label}</title>
      {values.map((value, at) => {
        const height = value ? Math.max(2, (value / most) * HIGH) : 1;
        return <rect key={months[at]} x={at * width} y={HIGH - height} width={width - GAP} height={height} />;
      })}
    </svg>
  );
}

/** The same months as numbers, for whoever cannot point at a bar or see it. */
function Months({ rows, rank, months }: { rows: readonly Actor[]; rank: Rank; months: readonly string[] }) {
  const { t } = useTranslation();
  const said = useSaid(rank);
  return (
    <details className="x-figure-chart">
      <summary>{t('reports.worst.asTable')}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached with the keyboard */}
      <section className="x-figure-table" tabIndex={0} aria-label={t('reports.worst.trend')}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('reports.kpi.machine')}</th>
              {months.map((month) => (
                <th key={month} scope="col">
                  {month}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.machineId}>
                <th scope="row">{row.name}</th>
                {months.map((month, at) => (
                  <td key={month}>{said(row.trend[at]?.[rank])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}

/** What it may cost in the next twelve months: the middle, and the range below it. */
export function Estimate({ of }: { of: Actor['estimate'] }) {
  const { t } = useTranslation();
  if (!of) return <span className="x-hint">{t('reports.worst.tooFew')}</span>;
  return (
    <span className="x-nowrap" title={t('reports.worst.method', { count: of.months })}>
      {t('reports.worst.about', { amount: roughly(of.middle) })}
      <span className="x-hint x-report-range">
        {roughly(of.low)} – {roughly(of.high)}
      </span>
    </span>
  );
}

export function BadActors({ filters }: { filters: readonly Filter[] }) {
  const { t } = useTranslation();
  const words = useDuration();
  const phone = usePhone();
  const [address, setAddress] = useSearchParams();
  // In the address, so that what is looked at can be sent.
  const rank = RANKS.find((one) => one === address.get('rank')) ?? RANKS[0];
  const setRank = (value: Rank) =>
    setAddress(
      (before) => {
        const next = new URLSearchParams(before);
        next.set('rank', value);
        return next;
      },
      { replace: true },
    );
  const list = useListState('kpi', filters.flatMap(namesOf));
  const params = { ...list.filters, rank };
  const { data, error, refetch } = useQuery({
    queryKey: ['kpi', 'worst', params],
    queryFn: ({ signal }) => api.list('/yuzhu-equip/kpi/badActors', params, signal),
    placeholderData: keepPreviousData,
  });
  const opens = useCanOpen(LIST);
  if (error && !data) return <ErrorState error={error} retry={refetch} />;
  const named = (row: { machineId: string; name: string }) => (
    <MachineLink order={{ machineId: row.machineId, machineName: row.name }} />
  );
  return (
    <div className="x-report-parts">
      <FilterBar filters={filters} list={list} inline={6} />
      <FilterChips filters={filters} list={list} />
      <div className="x-report-groups x-report-ranks">
        <span className="x-quiet">{t('reports.worst.rank')}</span>
        <Segmented<Rank>
          aria-label={t('reports.worst.rank')}
          value={rank}
          options={RANKS.map((value) => ({ value, label: t(`reports.worst.by.${value}`) }))}
          onChange={setRank}
        />
      </div>
      {!data ? (
        <PageSkeleton rows={8} />
      ) : (
        <>
          <Section
            title={t('reports.worst.title')}
            action={
              <span className="x-hint">
                <span className="x-nowrap">{t('reports.from', { from: data.from, to: data.to })}</span>
                {' · '}
                <span className="x-nowrap">{t('reports.asOf', { time: moment(data.asOf) })}</span>
              </span>
            }
          >
            {data.records.length === 0 ? (
              <EmptyState title={t('reports.worst.none')} />
            ) : phone ? (
              <ul className="x-report-records">
                {data.records.map((row) => (
                  <li key={row.machineId}>
                    <span>
                      {named(row)}
                      <span className="x-hint">
                        {[
                          t('reports.worst.times', { n: row.failures }),
                          words(row.downMinutes),
                          yuan(row.totalCost),
                        ].join(' · ')}
                      </span>
                      <Trend row={row} rank={rank} months={data.months} />
                    </span>
                    <span className="x-report-next">
                      <span className="x-hint">{t('reports.worst.next')}</span>
                      <Estimate of={row.estimate} />
                    </span>
                  </li>
                ))}
              </ul>
            ) : (
              <Table<Actor>
                size="middle"
                rowKey="machineId"
                pagination={false}
                scroll={{ x: 'max-content' }}
                dataSource={data.records}
                columns={[
                  { title: t('reports.kpi.machine'), render: (_, row) => named(row) },
                  { title: t('reports.worst.by.failures'), dataIndex: 'failures', align: 'right' },
                  {
                    title: t('reports.worst.by.downMinutes'),
                    align: 'right',
                    render: (_, row) => words(row.downMinutes),
                  },
                  {
                    title: t('reports.worst.by.totalCost'),
                    align: 'right',
                    render: (_, row) => yuan(row.totalCost),
                  },
                  {
                    title: t('reports.worst.trend'),
                    render: (_, row) => <Trend row={row} rank={rank} months={data.months} />,
                  },
                  {
                    title: t('reports.worst.estimate'),
                    align: 'right',
                    render: (_, row) => <Estimate of={row.estimate} />,
                  },
                ]}
              />
            )}
            {data.records.length > 0 && (
              <>
                <Months rows={data.records} rank={rank} months={data.months} />
                <p className="x-quiet">{t('reports.worst.note')}</p>
              </>
            )}
          </Section>
          <Section title={t('reports.worst.repeats', { count: data.repeatDays })}>
            {data.repeats.length === 0 ? (
              <p className="x-quiet">{t('reports.worst.noRepeats')}</p>
            ) : (
              <ul className="x-report-records">
                {data.repeats.map((row) => (
                  <li key={`${row.machineId} ${row.tagName} ${row.firstTime}`}>
                    <span>
                      {named({ machineId: row.machineId, name: row.machineName })} · {row.tagName}
                      <span className="x-hint">
                        {row.orders.map(({ id, no, time }) => (
                          <Fragment key={no}>
                            <span className="x-nowrap">
                              {opens && id ? <Link to={`${LIST}/${id}`}>{no}</Link> : no} {time.slice(0, 10)}
                            </span>{' '}
                          </Fragment>
                        ))}
                      </span>
                    </span>
                    <span className="x-nowrap">{t('reports.worst.times', { n: row.times })}</span>
                  </li>
                ))}
              </ul>
            )}
          </Section>
        </>
      )}
    </div>
  );
}
