/** The assets that fail most, stand longest or cost most in twelve months, with what they may cost next, and the faults
 * that came back. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Segmented, Table } from 'antd';
import { useState } from 'react';
import { Link } from 'react-router';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { type Filter, FilterBar, FilterChips, namesOf } from '@/kit/filters';
import { useListState } from '@/kit/listState';
import { useDuration } from '@/kit/Minutes';
import { Section } from '@/kit/Section';
import { EmptyState, ErrorState, PageSkeleton } from '@/kit/states';
import { usePhone } from '@/kit/width';
import { yuan } from '@/lib/money';
import { MachineLink } from '@/screens/shared/MachineLink';
import { LIST } from '@/screens/shared/orders';
import { useCanOpen } from '@/session/rights';

const RANKS = ['failures', 'downMinutes', 'totalCost'] as const;
type Rank = (typeof RANKS)[number];
type Actor = Wire<'BadActor'>;
const [WIDE, HIGH, GAP] = [132, 28, 2];

/** Twelve months as bars; months before the asset's first are empty. */
function Trend({ row, rank, months }: { row: Actor; rank: Rank; months: readonly string[] }) {
  const words = useDuration();
  const values = row.trend.map((month) => month[rank]);
  const most = Math.max(1, ...values.map((value) => value ?? 0));
  const said = (value: number | null | undefined) => {
    if (value === null || value === undefined) return '-';
    if (rank === 'downMinutes') return words(value);
    return rank === 'totalCost' ? yuan(value) : String(value);
  };
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

/** What it may cost in the next twelve months: the middle, and the range below it. */
export function Estimate({ of }: { of: Actor['estimate'] }) {
  const { t } = useTranslation();
  if (!of) return <span className="x-hint">{t('reports.worst.tooFew')}</span>;
  return (
    <span className="x-nowrap" title={t('reports.worst.method', { count: of.months })}>
      {t('reports.worst.about', { amount: yuan(of.middle) })}
      <span className="x-hint x-report-range">
        {yuan(of.low)} – {yuan(of.high)}
      </span>
    </span>
  );
}

export function BadActors({ filters }: { filters: readonly Filter[] }) {
  const { t } = useTranslation();
  const words = useDuration();
  const phone = usePhone();
  const [rank, setRank] = useState<Rank>('failures');
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
    <>
      <FilterBar filters={filters} list={list} inline={6} />
      <FilterChips filters={filters} list={list} />
      <div className="x-report-groups">
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
            action={<span className="x-hint">{t('reports.from', { from: data.from, to: data.to })}</span>}
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
                    <Estimate of={row.estimate} />
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
            <p className="x-quiet">{t('reports.worst.note')}</p>
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
                          <span key={no} className="x-nowrap">
                            {opens && id ? <Link to={`${LIST}/${id}`}>{no}</Link> : no} {time.slice(
                              5,
                              10,
                            )}{' '}
                          </span>
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
    </>
  );
}
