/** KPIs of assets by asset, type, department or reporting month; each figure opens the records that it is made of. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Pagination, Tabs } from 'antd';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { Params } from '@/api/calls';
import { api } from '@/api/client';
import { dept } from '@/api/nouns/dept';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { DetailDrawer } from '@/kit/DetailDrawer';
import type { Filter } from '@/kit/filters';
import { useDuration } from '@/kit/Minutes';
import { moment } from '@/lib/dates';
import { yuan } from '@/lib/money';
import { useClassNodes } from '@/screens/shared/classes';
import { MACHINES } from '@/screens/shared/orders';
import { Report, type ReportColumn, type ReportPage, type ReportRow } from '@/screens/shared/Report';
import { useCanOpen, useEntry, useRights } from '@/session/rights';
import { BadActors } from './BadActors';

const HERE = '/wel/kpi';
const CALL = '/yuzhu-equip/kpi';
const GROUPS = ['machine', 'type', 'dept', 'month'] as const;
const SIZE = 20;
/** Where records are found. */
const PLACES = {
  repairorder: '/repair/order',
  maintainorder: '/maintain/order',
  inspectorder: '/inspect/order',
  inspectrestlog: '/equip/stoppage',
} as const;

interface Chosen {
  column: ReportColumn;
  row: ReportRow | undefined;
  asked: Params;
  groupBy: string;
}

async function load(groupBy: string, params: Params, signal?: AbortSignal): Promise<ReportPage> {
  const page = await api.list(`${CALL}/report`, { ...params, groupBy }, signal);
  return page as unknown as ReportPage;
}

export default function Kpi() {
  const { t } = useTranslation();
  const may = useRights();
  const entry = useEntry(HERE);
  const classes = useClassNodes(false);
  const opensAssets = useCanOpen(MACHINES);
  const [chosen, setChosen] = useState<Chosen>();
  const [address, setAddress] = useSearchParams();
  const view = address.get('view') === 'worst' ? 'worst' : 'report';
  const filters: Filter[] = [
    { kind: 'text', name: 'keyword', label: t('reports.keyword') },
    { kind: 'month', name: 'month', label: t('reports.period') },
    { kind: 'dates', name: 'days', label: t('reports.days'), bounds: ['startDate', 'endDate'], whole: true },
    {
      kind: 'reference',
      name: 'deptId',
      label: t('reports.department'),
      source: { ref: `${dept.path}/select` },
    },
    { kind: 'tree', name: 'typeId', label: t('reports.type'), nodes: classes ?? [] },
  ];
  const tabs = (
    <Tabs
      activeKey={view}
      items={[
        { key: 'report', label: t('reports.worst.report') },
        { key: 'worst', label: t('reports.worst.tab') },
      ]}
      onChange={(key) =>
        setAddress(
          (before) => {
            const next = new URLSearchParams(before);
            for (const name of ['current', 'ascs', 'descs', 'groupBy', 'view']) next.delete(name);
            if (key === 'worst') next.set('view', key);
            return next;
          },
          { replace: true },
        )
      }
    />
  );
  if (view === 'worst')
    return (
      <section aria-label={entry?.name}>
        <div className="x-head">
          <h1>{entry?.name}</h1>
        </div>
        {tabs}
        <BadActors filters={filters.filter(({ kind }) => kind !== 'dates')} />
      </section>
    );
  return (
    <>
      <Report
        name="kpi"
        title={entry?.name ?? ''}
        tabs={tabs}
        rowKey="key"
        load={load}
        file={may('kpi_export') ? () => `${CALL}/export` : undefined}
        groups={GROUPS.map((value) => ({ value, label: t(`reports.kpi.by.${value}`) }))}
        filters={filters}
        note={t('reports.kpi.about')}
        rowLink={(row) => (opensAssets && row.code ? `${MACHINES}/${row.key}` : undefined)}
        onFigure={(column, row, asked, groupBy) => setChosen({ column, row, asked, groupBy })}
      />
      {chosen && <Records {...chosen} onClose={() => setChosen(undefined)} />}
    </>
  );
}

/** The records behind a figure: as many as it says, or as it is divided by. */
function Records({ column, row, asked, groupBy, onClose }: Chosen & { onClose: () => void }) {
  const { t } = useTranslation();
  const [current, setCurrent] = useState(1);
  const params = {
    ...asked,
    groupBy,
    figure: column.figure,
    key: row && String(row.key),
    current,
    size: SIZE,
  };
  const { data, error, refetch } = useQuery({
    queryKey: ['kpi', 'records', params],
    queryFn: ({ signal }) => api.list(`${CALL}/records`, params, signal),
    placeholderData: keepPreviousData,
  });
  return (
    <DetailDrawer
      title={`${row ? row.name : t('reports.sum')} · ${column.title}`}
      state={data && <span className="x-hint">{t('reports.kpi.records', { count: data.total })}</span>}
      loading={!data}
      error={data ? undefined : error}
      retry={refetch}
      onClose={onClose}
    >
      {data?.total === 0 && <p className="x-quiet">{t('reports.kpi.noRecords')}</p>}
      <ul className="x-report-records">
        {data?.records.map((one, at) => (
          // A record may stand twice: for its repair and for another asset.
          // biome-ignore lint/suspicious/noArrayIndexKey: rows of a page do not move
          <RecordLine key={at} record={one} />
        ))}
      </ul>
      {data && data.total > SIZE && (
        <Pagination
          simple
          current={current}
          pageSize={SIZE}
          total={data.total}
          showSizeChanger={false}
          onChange={setCurrent}
        />
      )}
    </DetailDrawer>
  );
}

function RecordLine({ record }: { record: Wire<'KpiRecord'> }) {
  const { t } = useTranslation();
  const words = useDuration();
  const place = PLACES[record.bizType];
  const opens = useCanOpen(place) && record.id !== '';
  const to =
    record.bizType === 'inspectrestlog'
      ? `${place}?${new URLSearchParams({ restNo: record.no })}`
      : `${place}/${record.id}`;
  const adds = [
    record.minutes !== null && words(record.minutes),
    record.amount !== null && yuan(record.amount),
  ].filter(Boolean);
  return (
    <li>
      <span>
        {opens ? <Link to={to}>{record.no}</Link> : record.no} {record.title}
        <span className="x-hint">
          {[record.machineName, moment(record.time), record.id === '' && t('reports.kpi.unseen')]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </span>
      <span className="x-nowrap">{adds.join(' ')}</span>
    </li>
  );
}
