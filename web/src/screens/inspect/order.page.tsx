/** Inspection tasks: those that matter now, then all of them. */
import { CalendarOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Button, Segmented } from 'antd';
import dayjs from 'dayjs';
import type { TFunction } from 'i18next';
import { useEffect, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { api } from '@/api/client';
import type { RowOf } from '@/api/noun';
import { inspectorder } from '@/api/nouns/inspectorder';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { useDuration } from '@/kit/Minutes';
import { NounPage } from '@/kit/NounPage';
import { StateTag, ToneTag } from '@/kit/StateTag';
import { EmptyState, ErrorLine, PageSkeleton } from '@/kit/states';
import { AsOf, useKept, useUnsent } from '@/kit/unsent';
import { MINUTE } from '@/lib/dates';
import { fetchAhead, taskAddress } from '@/session/offline';
import { useRights } from '@/session/rights';
import '@/screens/shared/standards/walk.css';
import { underDept } from '@/screens/shared/orders';

type Row = RowOf<typeof inspectorder>;
type Task = Wire<'NowTask'>;
const PAGE = '/inspect/order';
const NOW = '/yuzhu-equip/inspectorder/getOrderNowTask';
const SCOPES = ['mine', 'team', 'dept'] as const;
type Scope = (typeof SCOPES)[number];
/** The list of now is asked again after so long: time passes without anybody changing anything. */
const AGAIN = 60_000;
const [TODO, BY_HAND] = [1, 2];

/** From when to when, the day said once. */
export function windowText(start: string, end: string): string {
  const sameDay = start.slice(0, 10) === end.slice(0, 10);
  return `${start.slice(5, 16)} – ${sameDay ? end.slice(11, 16) : end.slice(5, 16)}`;
}

function Group({
  name,
  tasks,
}: {
  name: 'current' | 'overdue' | 'upcoming' | 'done';
  tasks: readonly Task[];
}) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const words = useDuration();
  const keptAt = useKept();
  const unsent = useUnsent([inspectorder.name]);
  const word = ({ startable, status }: Task) =>
    t(startable ? (status === TODO ? 'rounds.now.start' : 'rounds.now.go') : 'rounds.now.open');
  if (tasks.length === 0) return null;
  return (
    <>
      <h3>{t(`rounds.now.${name}`)}</h3>
      <ul className="x-now-list">
        {tasks.map((task) => (
          <li key={task.id}>
            <div>
              <Link to={task.path}>{task.groupName}</Link>
              <span className="x-quiet">
                {windowText(task.planStart, task.planEnd)}
                {' · '}
                {t('rounds.now.points', { done: task.pointDone, total: task.pointTotal })}
                {task.executorName && ` · ${task.executorName}`}
              </span>
              {(name === 'current' || name === 'overdue') && (
                <span className={name === 'overdue' ? 'x-now-late' : 'x-quiet'}>
                  {t('rounds.now.left', { text: words(task.minutesLeft) })}
                </span>
              )}
              {task.abnormalCount > 0 && (
                <span className="x-now-late">{t('rounds.now.abnormal', { n: task.abnormalCount })}</span>
              )}
              <Device
                waiting={unsent.items.filter((item) => item.task === task.id).length}
                keptAt={name === 'done' ? undefined : keptAt(taskAddress(task.id))}
              />
            </div>
            <Button
              type={task.startable ? 'primary' : 'default'}
              aria-label={`${word(task)} ${task.groupName}`}
              onClick={() => navigate(task.path)}
            >
              {word(task)}
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}

/** What this device has of a task: results that wait to be sent, and its points for a time without a network. */
function Device({ waiting, keptAt }: { waiting: number; keptAt: number | undefined }) {
  const { t } = useTranslation();
  return (
    <>
      {waiting > 0 && <span className="x-now-late">{t('unsent.ofTask', { count: waiting })}</span>}
      {keptAt !== undefined && (
        <span className="x-quiet">{t('unsent.ready', { time: dayjs(keptAt).format(MINUTE) })}</span>
      )}
    </>
  );
}

/** What one can do this minute, what is next, and what is running out. */
function Now() {
  const { t } = useTranslation();
  const [scope, setScope] = useState<Scope>('mine');
  const { data, error } = useQuery({
    queryKey: [inspectorder.name, 'now', scope],
    queryFn: ({ signal }) => api.get(NOW, { scope }, signal),
    refetchInterval: AGAIN,
  });
  useEffect(() => {
    // The tasks of others are not walked without a network.
    if (scope === 'mine' && data)
      fetchAhead([...data.overdue, ...data.current, ...data.upcoming].map(({ id }) => id));
  }, [scope, data]);
  const none = data && data.current.length + data.overdue.length + data.upcoming.length === 0;
  return (
    <section className="x-panel x-now">
      <div className="x-now-head">
        <h2>{t('rounds.now.title')}</h2>
        {data?.shift && (
          <span className="x-quiet">
            {t('rounds.now.shift', {
              name: data.shift.shiftName,
              from: data.shift.startAt.slice(11, 16),
              to: data.shift.endAt.slice(11, 16),
            })}
            {data.shift.teamName && ` · ${data.shift.teamName}`}
          </span>
        )}
        {data && data.counts.missed > 0 && (
          <ToneTag tone="bad">{t('rounds.now.missed', { n: data.counts.missed })}</ToneTag>
        )}
        {data && data.counts.exempt > 0 && (
          <ToneTag tone="off">{t('rounds.now.exempt', { n: data.counts.exempt })}</ToneTag>
        )}
        <Segmented<Scope>
          value={scope}
          onChange={setScope}
          options={SCOPES.map((value) => ({ value, label: t(`rounds.now.${value}`) }))}
        />
      </div>
      <AsOf address={`${NOW}?scope=${scope}`} />
      {error && <ErrorLine error={error} />}
      {!data && !error && <PageSkeleton rows={3} />}
      {data && (
        <>
          <Group name="overdue" tasks={data.overdue} />
          <Group name="current" tasks={data.current} />
          <Group name="upcoming" tasks={data.upcoming} />
          {none && <EmptyState title={t('rounds.now.none')} hint={t('rounds.now.noneHint')} />}
          <Group name="done" tasks={data.done} />
        </>
      )}
    </section>
  );
}

function marks(row: Row, t: TFunction) {
  return (
    <span className="x-marks">
      {row.abnormalCount > 0 && (
        <ToneTag tone="bad">{t('rounds.task.abnormal', { count: row.abnormalCount })}</ToneTag>
      )}
      {row.isLate === 1 && <ToneTag tone="waiting">{t('rounds.list.late')}</ToneTag>}
      {row.isSuspect === 1 && <ToneTag tone="waiting">{t('rounds.task.suspect')}</ToneTag>}
      {row.isSupplement === 1 && <ToneTag tone="quiet">{t('rounds.task.supplement')}</ToneTag>}
    </span>
  );
}

export default function Tasks() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const may = useRights();
  const open = (row: Row) => navigate(`${PAGE}/${row.id}`);
  return (
    <>
      {may('inspectorder_inspect') && <Now />}
      <NounPage
        noun={inspectorder}
        name="groupName"
        heading={t('rounds.list.all')}
        columns={[
          { key: 'groupName', width: 190 },
          { key: 'statusName', width: 124 },
          {
            key: 'planStart',
            title: t('rounds.task.window'),
            width: 190,
            nowrap: true,
            render: (row) => windowText(row.planStart, row.planEnd),
          },
          { key: 'shiftName', width: 90 },
          { key: 'executorName', width: 100 },
          {
            key: 'pointDone',
            title: t('rounds.list.progress'),
            width: 90,
            render: (row) => `${row.pointDone}/${row.pointTotal}`,
          },
          {
            key: 'abnormalCount',
            title: t('rounds.list.marks'),
            width: 180,
            render: (row) => marks(row, t),
          },
          { key: 'orderNo', width: 150, nowrap: true },
        ]}
        show={{
          statusName: (row) => (
            <StateTag dict="inspect_order_status" value={row.status} text={row.statusName} />
          ),
        }}
        filters={[
          { kind: 'text', name: 'keyword', label: t('rounds.list.keyword') },
          'status',
          { kind: 'flag', name: 'mine', label: t('rounds.list.mine') },
          { kind: 'flag', name: 'openNow', label: t('rounds.list.openNow') },
          { kind: 'flag', name: 'endsSoon', label: t('rounds.list.endsSoon') },
          'businessDate',
          'groupId',
          'executorId',
          'result',
          'source',
          'isLate',
          'isSuspect',
          'groupType',
          underDept(t('rounds.underDept')),
        ]}
        card={(row) => ({
          title: row.groupName,
          state: <StateTag dict="inspect_order_status" value={row.status} text={row.statusName} />,
          meta: [
            [windowText(row.planStart, row.planEnd), row.shiftName, row.executorName]
              .filter(Boolean)
              .join(' · '),
            <span key="marks">
              {t('rounds.now.points', { done: row.pointDone, total: row.pointTotal })} {marks(row, t)}
            </span>,
          ],
        })}
        form={[
          { key: 'groupId', locked: true },
          'planStart',
          'planEnd',
          { key: 'userIds', required: true, full: true },
          'remark',
        ]}
        detail={['orderNo', 'statusName', 'businessDate', 'shiftName', 'executorName', 'deadline']}
        mayBeRemoved={(row) => row.status === TODO && row.source === BY_HAND}
        rowActions={(row) => [{ key: 'open', label: t('rounds.now.open'), onClick: () => open(row) }]}
        extra={(row) => (
          <p className="x-fact-group">
            <Link to={`${PAGE}/${row.id}`}>
              <Button>{t('rounds.task.points')}</Button>
            </Link>
          </p>
        )}
        actions={() =>
          may('configinfo_makeTask') && (
            <Button icon={<CalendarOutlined />} onClick={() => navigate('/inspect/rule/make')}>
              {t('rounds.rule.make')}
            </Button>
          )
        }
        empty={{ title: t('rounds.list.none'), hint: t('rounds.list.noneHint') }}
      />
    </>
  );
}
