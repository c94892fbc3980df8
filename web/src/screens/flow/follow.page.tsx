/** What runs in the company: where each process waits, what stands still and why, and the means against it. */
import './flow.css';
import { MoreOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Button, Dropdown } from 'antd';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import type { Filter } from '@/kit/filters';
import { type Column, ResourceList, type RowAction } from '@/kit/ResourceList';
import { ToneTag } from '@/kit/StateTag';
import { usePhone } from '@/kit/width';
import { moment } from '@/lib/dates';
import { useRights } from '@/session/rights';
import { site } from '@/site';
import { FollowAct } from './FollowAct';
import { State, TOUCHES, withoutNumber } from './followState';
import { HandOver } from './HandOver';
import { useVersions } from './queries';
import { useBulk } from './useBulk';

type Row = Wire<'FollowRow'>;

const STATES = ['running', 'parked', 'suspended', 'ended'] as const;

/** Why nothing moves, where nothing does; then the steps that wait, and since when. */
function Waits({ row: { parked, suspended, waits } }: { row: Row }) {
  const { t } = useTranslation();
  return (
    <>
      {parked && <div className="x-text-bad">{parked.text}</div>}
      {suspended && (
        <div className="x-text-waiting">
          {t('flow.suspend.by', { ...suspended, time: moment(suspended.time) })}
        </div>
      )}
      {waits.map(({ taskId, name, assigneeName, createTime, isOverdue }) => (
        <div key={taskId}>
          {dotted(name, assigneeName)}
          <div className="x-quiet">
            <span className="x-nowrap">{t('flow.since', { time: moment(createTime) })}</span>{' '}
            {isOverdue && <ToneTag tone="waiting">{t('flow.overdue')}</ToneTag>}
          </div>
        </div>
      ))}
      {!parked && !suspended && waits.length === 0 && '-'}
    </>
  );
}

const dotted = (...parts: readonly string[]) => parts.filter(Boolean).join(' · ');

/** The models by their keys, for the filter; nothing for whom may not list them. */
function useModels() {
  const may = useRights();
  const { data } = useQuery({
    queryKey: ['flow', 'choices'],
    queryFn: ({ signal }) => api.get('/blade-flow/model/overview', { current: 1, size: 200 }, signal),
    enabled: may('flow_model_view'),
    staleTime: 60_000,
  });
  return (data?.records ?? []).map(({ key, name }) => ({ value: key, label: name }));
}

/** Why some stand still, and of one model at which steps they wait, for the filters. */
function useCounts(processDefinitionKey: string, processDefinitionId: string) {
  const asked = { processDefinitionKey, processDefinitionId };
  const { data } = useQuery({
    queryKey: ['flow.follow', 'counts', asked],
    queryFn: ({ signal }) => api.list('/blade-flow/follow/counts', asked, signal),
    staleTime: 60_000,
  });
  const option = (value: string, text: string, count: number) => ({ value, label: `${text} (${count})` });
  return {
    causes: (data?.reasons ?? []).map(({ code, text, count }) => option(code, text, count)),
    steps: (data?.steps ?? []).map(({ node, name, count }) => option(node, name, count)),
  };
}

function useFilters(): Filter[] {
  const { t } = useTranslation();
  const [params] = useSearchParams();
  const models = useModels();
  const may = useRights();
  const key = params.get('processDefinitionKey') ?? '';
  const { causes, steps } = useCounts(key, params.get('processDefinitionId') ?? '');
  const versions = useVersions(may('flow_manager_view') ? key : '');
  return [
    { kind: 'text', name: 'keyword', label: t('work.keyword') },
    {
      kind: 'select',
      name: 'state',
      label: t('flow.stateTitle'),
      options: STATES.map((value) => ({ value, label: t(`flow.stands.${value}`) })),
    },
    { kind: 'select', name: 'processDefinitionKey', label: t('work.process'), options: models },
    { kind: 'dates', name: 'startTime', label: t('work.started') },
    { kind: 'flag', name: 'overdue', label: t('flow.overdue') },
    { kind: 'select', name: 'parkCode', label: t('flow.cause'), options: causes },
    // Steps and versions are of one model.
    ...(key === ''
      ? []
      : [
          { kind: 'select' as const, name: 'node', label: t('flow.waits'), options: steps },
          {
            kind: 'select' as const,
            name: 'processDefinitionId',
            label: t('work.versionTitle'),
            options: (versions.data ?? []).map((row) => ({
              value: row.id,
              label: `${t(row.tenantId ? 'work.ownModel' : 'work.general')} · ${t('work.version', { n: row.version })}`,
            })),
          },
        ]),
  ];
}

/** Rarely wanted: on a phone it takes no row of its own. */
function HandOverButton({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation();
  const label = t('flow.handOver.act');
  if (!usePhone()) return <Button onClick={onClick}>{label}</Button>;
  return (
    <Dropdown menu={{ items: [{ key: 'all', label, onClick }] }} trigger={['click']}>
      <Button type="text" icon={<MoreOutlined />} aria-label={t('kit.more')} />
    </Dropdown>
  );
}

export default function Followed() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const may = useRights();
  const filters = useFilters();
  const bulk = useBulk();
  const [open, setOpen] = useState<{ kind: Row['followActions'][number]; row: Row }>();
  const [handsOver, setHandsOver] = useState(false);
  const close = () => setOpen(undefined);
  const look = (row: Row) => navigate(`/flow/follow/${row.id}`);

  const columns: Column<Row>[] = [
    {
      key: 'title',
      title: t('work.name'),
      width: 180,
      // The name may end after two lines, the number stays.
      whole: true,
      render: ({ title, businessNo }) => (
        <>
          <div className="x-two" title={title}>
            {withoutNumber(title, businessNo)}
          </div>
          <div className="x-quiet x-nowrap">{businessNo}</div>
        </>
      ),
    },
    {
      key: 'processDefinitionName',
      title: t('work.process'),
      width: 130,
      render: (row) =>
        `${row.processDefinitionName} · ${t('work.version', { n: row.processDefinitionVersion })}`,
    },
    {
      key: 'status',
      title: t('flow.stateTitle'),
      width: 100,
      nowrap: true,
      render: (row) => <State row={row} />,
    },
    { key: 'waits', title: t('flow.waits'), width: 190, whole: true, render: (row) => <Waits row={row} /> },
    {
      key: 'startTime',
      title: t('flow.begun'),
      width: 145,
      nowrap: true,
      render: (row) => (
        <>
          {row.startUser}
          <div className="x-quiet">{moment(row.startTime)}</div>
        </>
      ),
    },
    {
      key: 'parked',
      title: t('flow.cause'),
      width: 200,
      extra: true,
      render: (row) => row.parked?.text ?? '-',
    },
    {
      key: 'endTime',
      title: t('flow.endTime'),
      width: 150,
      nowrap: true,
      extra: true,
      render: (row) => moment(row.endTime),
    },
  ];
  const rowActions = (row: Row): RowAction[] => [
    { key: 'look', label: t('kit.view'), onClick: () => look(row) },
    ...row.followActions.map((kind) => ({
      key: kind,
      label: t(`flow.act.${kind}`),
      danger: kind === 'end',
      onClick: () => setOpen({ kind, row }),
    })),
  ];

  return (
    <>
      <ResourceList<Row>
        name="flow.follow"
        title={t('flow.follow')}
        load={(query, signal) => api.list('/blade-flow/follow/list', query, signal)}
        columns={columns}
        filters={filters}
        poll={site.countsPoll}
        card={(row) => ({
          title: row.title,
          state: <State row={row} />,
          meta: [
            row.title.includes(row.businessNo)
              ? ''
              : [row.businessNo, row.processDefinitionName].filter(Boolean).join(' · '),
            row.parked?.text ??
              (row.suspended
                ? t('flow.suspend.by', { ...row.suspended, time: moment(row.suspended.time) })
                : ''),
            row.waits.map((step) => dotted(step.name, step.assigneeName)).join('; '),
            dotted(row.startUser, moment(row.startTime)),
          ].filter(Boolean),
        })}
        onOpen={look}
        addressOf={(row) => `/flow/follow/${row.id}`}
        rowActions={rowActions}
        alike
        bulk={bulk.acts.length > 0 ? (rows) => bulk.buttons(rows) : undefined}
        action={(params) => (
          <>
            {bulk.menu(params)}
            {may('flow_follow_reassign') && <HandOverButton onClick={() => setHandsOver(true)} />}
          </>
        )}
        empty={{ title: t('flow.empty.follow'), hint: t('flow.empty.followHint') }}
      />
      {open && <FollowAct {...open} onClose={close} />}
      {handsOver && <HandOver invalidates={TOUCHES} onClose={() => setHandsOver(false)} />}
      {bulk.dialogs}
    </>
  );
}
