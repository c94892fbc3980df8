/** When processes start by themselves: the plan, what came of it, and its switch. */
import './flow.css';
import { Tooltip } from 'antd';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { ConfirmDialog } from '@/kit/ConfirmDialog';
import type { Filter } from '@/kit/filters';
import { type Column, ResourceList, type RowAction } from '@/kit/ResourceList';
import { ToneTag } from '@/kit/StateTag';
import type { Tone } from '@/kit/tones';
import { moment } from '@/lib/dates';
import { useRights } from '@/session/rights';

type Row = Wire<'ScheduleRow'>;

const NAME = 'flow.schedule';
const TONES: Readonly<Record<Row['state'], Tone>> = {
  on: 'good',
  off: 'off',
  suspended: 'waiting',
  failed: 'bad',
  over: 'quiet',
};
const STATES = ['on', 'off', 'suspended', 'failed', 'over'] as const;

type Open = { kind: 'on' | 'off' | 'run'; row: Row };

function State({ row }: { row: Row }) {
  const { t } = useTranslation();
  return <ToneTag tone={TONES[row.state]}>{t(`flow.schedule.states.${row.state}`)}</ToneTag>;
}

/** The next moment; all that are known to whoever looks closer. */
function Next({ row }: { row: Row }) {
  const { t } = useTranslation();
  const [first] = row.next;
  if (!first) return '-';
  const all = row.next.map((at) => <div key={at}>{moment(at)}</div>);
  return (
    <Tooltip
      title={
        <>
          {t('flow.schedule.more')}
          {all}
        </>
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the tooltip with the later moments opens on focus too, for the keyboard */}
      <span tabIndex={0}>{moment(first)}</span>
    </Tooltip>
  );
}

function Last({ row }: { row: Row }) {
  const { t } = useTranslation();
  if (!row.lastTime) return <span className="x-quiet">{t('flow.schedule.never')}</span>;
  return (
    <>
      {moment(row.lastTime)}
      {row.reason && <div className="x-entry-fault">{row.reason}</div>}
      {row.missed > 0 && <div className="x-quiet">{t('flow.schedule.missed', { count: row.missed })}</div>}
    </>
  );
}

export default function Schedules() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const may = useRights();
  const [asked] = useSearchParams();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const key = asked.get('key') ?? '';
  const title = (row: Row) => (row.name === row.node ? row.processName : `${row.processName} · ${row.name}`);

  const columns: Column<Row>[] = [
    { key: 'processName', title: t('work.process'), width: 190, render: title },
    { key: 'ruleText', title: t('flow.schedule.rule'), width: 200, whole: true },
    { key: 'state', title: t('flow.schedule.state'), width: 110, render: (row) => <State row={row} /> },
    { key: 'next', title: t('flow.schedule.next'), width: 150, render: (row) => <Next row={row} /> },
    { key: 'lastTime', title: t('flow.schedule.last'), width: 210, render: (row) => <Last row={row} /> },
    { key: 'starterName', title: t('flow.schedule.starter'), width: 100 },
    {
      key: 'tenantId',
      title: t('work.origin'),
      width: 90,
      nowrap: true,
      render: (row) => t(row.tenantId ? 'work.ownModel' : 'work.general'),
    },
  ];
  const filters: Filter[] = [
    { kind: 'text', name: 'name', label: t('work.process') },
    {
      kind: 'select',
      name: 'state',
      label: t('flow.schedule.state'),
      options: STATES.map((value) => ({ value, label: t(`flow.schedule.states.${value}`) })),
    },
  ];
  const rowActions = (row: Row): RowAction[] => {
    const turned = row.isOn ? 'off' : 'on';
    const acts: (RowAction | false)[] = [
      row.isOn &&
        may('flow_schedule_run') && {
          key: 'run',
          label: t('flow.schedule.run'),
          onClick: () => setOpen({ kind: 'run', row }),
        },
      may('flow_schedule_edit') && {
        key: turned,
        label: t(`flow.schedule.${turned}`),
        onClick: () => setOpen({ kind: turned, row }),
      },
      row.lastInstanceId !== '' && {
        key: 'process',
        label: t('flow.schedule.toProcess'),
        onClick: () => navigate(`/work/process/own/detail/${row.lastInstanceId}/${row.lastInstanceId}`),
      },
    ];
    return acts.filter((act) => act !== false);
  };

  return (
    <>
      <ResourceList<Row>
        name={NAME}
        title={t('flow.schedule.title')}
        load={(query, signal) => api.list('/blade-flow/schedule/list', { ...query, key }, signal)}
        columns={columns}
        filters={filters}
        card={(row) => ({
          title: title(row),
          state: <State row={row} />,
          meta: [
            row.ruleText,
            `${t('flow.schedule.next')} ${moment(row.next[0])} · ${row.starterName}`,
            <span key="last">
              {t('flow.schedule.last')} <Last row={row} />
            </span>,
          ],
        })}
        rowActions={rowActions}
        empty={{ title: t('flow.empty.schedules'), hint: t('flow.empty.schedulesHint') }}
      />
      {open?.kind === 'run' && (
        <ConfirmDialog
          title={t('flow.schedule.runTitle', { name: title(open.row) })}
          okText={t('flow.schedule.run')}
          success={t('flow.schedule.started')}
          run={() => api.post('/blade-flow/schedule/run', undefined, { id: open.row.id })}
          invalidates={[[NAME]]}
          onClose={close}
        >
          {t('flow.schedule.runText', { starter: open.row.starterName })}
        </ConfirmDialog>
      )}
      {(open?.kind === 'on' || open?.kind === 'off') && (
        <ConfirmDialog
          title={t(`flow.schedule.${open.kind}Title`, { name: title(open.row) })}
          okText={t(`flow.schedule.${open.kind}`)}
          run={() =>
            api.post('/blade-flow/schedule/switch', undefined, {
              id: open.row.id,
              on: open.kind === 'on' ? 1 : 0,
            })
          }
          invalidates={[[NAME]]}
          onClose={close}
        >
          {t(`flow.schedule.${open.kind}Text`)}
        </ConfirmDialog>
      )}
    </>
  );
}
