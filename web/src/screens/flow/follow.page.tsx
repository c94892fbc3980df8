/** What runs in the company: where each process waits, what stands still and why, and the means against it. */
import './flow.css';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import type { Filter } from '@/kit/filters';
import { type Column, ResourceList, type RowAction } from '@/kit/ResourceList';
import { ToneTag } from '@/kit/StateTag';
import { moment } from '@/lib/dates';
import { useRights } from '@/session/rights';
import { site } from '@/site';
import { FollowAct } from './FollowAct';
import { State, TOUCHES } from './followState';
import { useVersions } from './queries';
import { HandOverTasks } from './ReassignForm';
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
          {name} {assigneeName}{' '}
          <span className="x-quiet">{t('flow.since', { time: moment(createTime) })}</span>{' '}
          {isOverdue && <ToneTag tone="waiting">{t('flow.overdue')}</ToneTag>}
        </div>
      ))}
      {!parked && !suspended && waits.length === 0 && '-'}
    </>
  );
}

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
    { kind: 'select', name: 'parkCode', label: t('flow.cause'), options: causes },
    { kind: 'flag', name: 'overdue', label: t('flow.overdue') },
    { kind: 'dates', name: 'startTime', label: t('work.started') },
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
      width: 190,
      render: ({ title, businessNo }) => (
        <>
          {title}
          {/* A title that must not quote the record has the number in it. */}
          {!title.includes(businessNo) && <div className="x-quiet">{businessNo}</div>}
        </>
      ),
    },
    {
      key: 'processDefinitionName',
      title: t('work.process'),
      width: 150,
      render: (row) =>
        `${row.processDefinitionName} · ${t('work.version', { n: row.processDefinitionVersion })}`,
    },
    {
      key: 'status',
      title: t('flow.stateTitle'),
      width: 120,
      nowrap: true,
      render: (row) => <State row={row} />,
    },
    { key: 'waits', title: t('flow.waits'), width: 260, whole: true, render: (row) => <Waits row={row} /> },
    { key: 'startUser', title: t('work.starter'), width: 100 },
    {
      key: 'startTime',
      title: t('work.started'),
      width: 150,
      nowrap: true,
      render: (row) => moment(row.startTime),
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
            row.waits.map((step) => [step.name, step.assigneeName].filter(Boolean).join(' · ')).join('; '),
            [row.startUser, moment(row.startTime)].filter(Boolean).join(' · '),
          ].filter(Boolean),
        })}
        onOpen={look}
        addressOf={(row) => `/flow/follow/${row.id}`}
        rowActions={rowActions}
        bulk={bulk.acts.length > 0 ? (rows) => bulk.buttons(rows) : undefined}
        action={(params) => (
          <>
            {bulk.menu(params)}
            {may('flow_follow_reassign') && (
              <Button onClick={() => setHandsOver(true)}>{t('flow.reassign.all')}</Button>
            )}
          </>
        )}
        empty={{ title: t('flow.empty.follow'), hint: t('flow.empty.followHint') }}
      />
      {open && <FollowAct {...open} onClose={close} />}
      {handsOver && <HandOverTasks invalidates={TOUCHES} onClose={() => setHandsOver(false)} />}
      {bulk.dialogs}
    </>
  );
}
