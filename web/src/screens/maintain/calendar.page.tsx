/** The maintenance calendar: a row for each team or asset, a column for each day; orders are moved by mouse or keys. */
import { LeftOutlined, RightOutlined } from '@ant-design/icons';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { App, Button, Segmented } from 'antd';
import dayjs from 'dayjs';
import { type DragEvent, type KeyboardEvent, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { FormDrawer } from '@/kit/FormDrawer';
import { TextAreaField } from '@/kit/fields';
import { EmptyState, ErrorLine, ErrorState, PageSkeleton } from '@/kit/states';
import { useAction } from '@/kit/useAction';
import { usePhone } from '@/kit/width';
import { useEntry, useRights } from '@/session/rights';
import { type Entry, hours, planOn, spanOf, verdict } from './days';
import { Proposal } from './proposal';
import './calendar.css';

const HERE = '/maintain/calendar';
const ORDER = '/maintain/order';
const KEY = 'maintaincalendar';
const UPDATE = '/yuzhu-equip/maintainorder/update';

type Table = Wire<'MaintainCalendar'>;

/** The present day comes into sight: beside the names, with the day before it where there is room. */
function toToday(box: HTMLElement | null) {
  const head = box?.querySelector<HTMLElement>('th[data-today]');
  const names = box?.querySelector<HTMLElement>('th');
  if (!box || !head || !names) return;
  const before = box.clientWidth > names.offsetWidth + 3 * head.offsetWidth ? head.offsetWidth : 0;
  box.scrollLeft = head.offsetLeft - names.offsetWidth - before;
}

export default function MaintenanceCalendar() {
  const { t } = useTranslation();
  const entry = useEntry(HERE);
  const phone = usePhone();
  const [asked, setAsked] = useSearchParams();
  const today = dayjs().format('YYYY-MM-DD');
  const view = asked.get('view') === 'month' ? 'month' : 'week';
  const by = asked.get('by') === 'machine' ? 'machine' : 'team';
  const day = asked.get('day') ?? today;
  const [proposing, setProposing] = useState(false);
  const span = spanOf(view, day);
  const set = (values: Record<string, string | undefined>) =>
    setAsked(
      (before) => {
        const next = new URLSearchParams(before);
        for (const [name, value] of Object.entries(values)) {
          if (value) next.set(name, value);
          else next.delete(name);
        }
        return next;
      },
      { replace: true },
    );
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: [KEY, span],
    queryFn: ({ signal }) => api.get('/yuzhu-equip/maintaincalendar/table', span, signal),
    placeholderData: keepPreviousData,
  });
  if (error && !data) return <ErrorState error={error} retry={refetch} />;
  // A finger cannot drag a chip, and there are no arrow keys: on a phone the order itself is changed.
  const movable = phone ? 'upkeep.phoneHint' : 'upkeep.moveHint';
  const hint = data?.mayMove === 1 ? movable : 'upkeep.readHint';
  const step = (count: number) => set({ day: dayjs(day).add(count, view).format('YYYY-MM-DD') });
  return (
    <div>
      <div className="x-head">
        <h1>{entry?.name}</h1>
        {data?.mayMove === 1 && (
          <div className="x-head-actions">
            <Button onClick={() => setProposing(true)}>{t('upkeep.balance.action')}</Button>
          </div>
        )}
      </div>
      <div className="x-upkeep-bar">
        <div className="x-upkeep-span">
          <Button icon={<LeftOutlined />} aria-label={t('upkeep.earlier')} onClick={() => step(-1)} />
          <strong>{view === 'month' ? span.from.slice(0, 7) : `${span.from} – ${span.to.slice(5)}`}</strong>
          <Button icon={<RightOutlined />} aria-label={t('upkeep.later')} onClick={() => step(1)} />
          <Button onClick={() => set({ day: undefined })}>{t('upkeep.today')}</Button>
        </div>
        <Segmented
          aria-label={t('upkeep.view')}
          value={view}
          onChange={(value) => set({ view: value === 'month' ? 'month' : undefined })}
          options={[
            { value: 'week', label: t('upkeep.week') },
            { value: 'month', label: t('upkeep.month') },
          ]}
        />
        <Segmented
          aria-label={t('upkeep.by')}
          value={by}
          onChange={(value) => set({ by: value === 'machine' ? 'machine' : undefined })}
          options={[
            { value: 'team', label: t('upkeep.byTeam') },
            { value: 'machine', label: t('upkeep.byMachine') },
          ]}
        />
      </div>
      {data && <p className="x-quiet">{t(hint)}</p>}
      {!data ? (
        <PageSkeleton rows={10} />
      ) : data.orders.length === 0 && by === 'machine' ? (
        <EmptyState title={t('upkeep.empty')} hint={t('upkeep.emptyHint')} />
      ) : (
        <Matrix data={data} by={by} today={today} wide={view === 'week'} dimmed={isPlaceholderData} />
      )}
      {proposing && <Proposal span={span} onClose={() => setProposing(false)} />}
    </div>
  );
}

/** Weekends and holidays, but for days that are worked instead. */
const isOff = ({ dayType, weekday }: Table['days'][number]) =>
  dayType === 1 || (dayType !== 2 && weekday > 5);

interface Row {
  key: string;
  name: string;
  code?: string;
  team?: Table['teams'][number];
}

function rowsOf(data: Table, by: 'team' | 'machine'): Row[] {
  if (by === 'team') {
    const used = new Set(data.orders.map((order) => order.teamId));
    return data.teams
      .filter((team) => used.has(team.teamId) || team.hours.some((minutes) => minutes > 0))
      .map((team) => ({ key: team.teamId ?? '', name: team.teamName, team }));
  }
  const found = new Map<string, Row>();
  for (const one of data.orders) {
    if (!found.has(one.machineId)) {
      found.set(one.machineId, { key: one.machineId, name: one.machineName, code: one.machineCode });
    }
  }
  return [...found.values()].sort((a, b) => (a.code ?? '').localeCompare(b.code ?? ''));
}

function Matrix({
  data,
  by,
  today,
  wide,
  dimmed,
}: {
  data: Table;
  by: 'team' | 'machine';
  today: string;
  wide: boolean;
  dimmed: boolean;
}) {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const may = useRights();
  const [dragged, setDragged] = useState<Entry>();
  const [delayed, setDelayed] = useState<{ order: Entry; day: string }>();
  const [said, setSaid] = useState('');
  const move = useAction<{ order: Entry; day: string }>({
    run: ({ order, day }) =>
      api.post(UPDATE, {
        id: order.id ?? '',
        lockVersion: order.lockVersion ?? 0,
        action: 'edit',
        ...planOn(order, day),
      } as never),
    invalidates: [[KEY], ['maintainorder']],
  });
  const moveTo = (order: Entry, day: string) => {
    if (order.mayMove !== 1 || day === order.day || move.busy) return;
    switch (verdict(order, day, today)) {
      case 'plan':
        setSaid(t('upkeep.movedTo', { name: order.configName, day }));
        void move.run({ order, day });
        return;
      case 'delay':
        if (may('maintainorder_delay')) {
          setDelayed({ order, day });
          return;
        }
        message.info(t('upkeep.noDelay'));
        return;
      case 'past':
        message.info(t('upkeep.past'));
        return;
      default:
        message.info(t('upkeep.tooLate', { day: order.delayUntil ?? order.latestDate }));
    }
  };
  const rows = rowsOf(data, by);
  const key = (order: Entry) => (by === 'team' ? (order.teamId ?? '') : order.machineId);
  return (
    <>
      {Boolean(move.error) && <ErrorLine error={move.error} />}
      <section
        className="x-upkeep-scroll"
        data-dimmed={dimmed || undefined}
        data-wide={wide || undefined}
        aria-label={t('upkeep.calendar')}
        ref={toToday}
      >
        <table>
          <thead>
            <tr>
              <th scope="col">{t(by === 'team' ? 'upkeep.team' : 'upkeep.machine')}</th>
              {data.days.map((day) => (
                <th
                  key={day.date}
                  scope="col"
                  data-today={day.isToday === 1 || undefined}
                  data-off={isOff(day) || undefined}
                >
                  <span>{t(`upkeep.weekdays.d${day.weekday as 1 | 2 | 3 | 4 | 5 | 6 | 7}`)}</span>{' '}
                  <span>{Number(day.date.slice(8))}</span>
                  {day.holidayName && <div className="x-upkeep-holiday">{day.holidayName}</div>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.key}>
                <th scope="row">
                  {row.name}
                  {row.code && <span className="x-hint x-nowrap"> {row.code}</span>}
                </th>
                {data.days.map((day, place) => (
                  <td
                    key={day.date}
                    data-off={isOff(day) || undefined}
                    data-over={
                      dragged && key(dragged) === row.key ? verdict(dragged, day.date, today) : undefined
                    }
                    onDragOver={(event: DragEvent) => {
                      if (dragged && key(dragged) === row.key) event.preventDefault();
                    }}
                    onDrop={() => {
                      if (dragged) moveTo(dragged, day.date);
                      setDragged(undefined);
                    }}
                  >
                    {row.team && (
                      <Load load={row.team.load[place] ?? 0} worked={row.team.hours[place] ?? 0} />
                    )}
                    {data.orders
                      .filter((order) => order.day === day.date && key(order) === row.key)
                      .map((order) => (
                        <Chip
                          key={order.id ?? `${order.configId}-${order.machineId}`}
                          order={order}
                          by={by}
                          onDrag={setDragged}
                          onMove={(count) =>
                            moveTo(order, dayjs(order.day).add(count, 'day').format('YYYY-MM-DD'))
                          }
                        />
                      ))}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <div role="status" className="x-sr">
        {said}
      </div>
      {delayed && <DelayForm {...delayed} onClose={() => setDelayed(undefined)} />}
    </>
  );
}

/** The work of a day beside the hours of the team; more work than hours is said in a word too. */
function Load({ load, worked }: { load: number; worked: number }) {
  const { t } = useTranslation();
  if (load === 0 && worked === 0) return null;
  const over = load > worked;
  const text = t('upkeep.load', { load: hours(load), hours: hours(worked) });
  return (
    <div className="x-upkeep-load" data-over={over || undefined} title={text}>
      <span aria-hidden className="x-upkeep-track">
        <span
          style={{ width: `${worked === 0 ? (load > 0 ? 100 : 0) : Math.min((100 * load) / worked, 100)}%` }}
        />
      </span>
      <span className="x-upkeep-figure">
        {over && <span>{t('upkeep.over')} </span>}
        {hours(load)}/{hours(worked)} h
      </span>
    </div>
  );
}

function Chip({
  order,
  by,
  onDrag,
  onMove,
}: {
  order: Entry;
  by: 'team' | 'machine';
  onDrag: (order: Entry | undefined) => void;
  onMove: (days: number) => void;
}) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const movable = order.mayMove === 1;
  const state = order.isOverdue === 1 ? 'overdue' : order.id === null ? 'ahead' : String(order.status);
  const name = by === 'team' ? order.machineName : order.configName;
  const more = by === 'team' ? order.configName : '';
  const said =
    order.isOverdue === 1 ? t('upkeep.overdue') : order.id === null ? t('upkeep.ahead') : order.statusName;
  const title = [
    order.orderNo,
    `${order.machineName} (${order.machineCode})`,
    order.configName,
    order.isOverdue === 1 ? `${order.statusName}, ${t('upkeep.overdue')}` : order.statusName,
    t('upkeep.due', { day: order.dueDate }),
    t('upkeep.work', { hours: hours(order.minutes) }),
  ]
    .filter(Boolean)
    .join('\n');
  return (
    <button
      type="button"
      className="x-upkeep-chip"
      data-state={state}
      draggable={movable}
      title={title}
      aria-label={`${[name, more, said].filter(Boolean).join(' ')}, ${title.replaceAll('\n', ', ')}`}
      aria-keyshortcuts={movable ? 'ArrowLeft ArrowRight' : undefined}
      onDragStart={() => onDrag(order)}
      onDragEnd={() => onDrag(undefined)}
      onClick={() => order.id && navigate(`${ORDER}/${order.id}`)}
      onKeyDown={(event: KeyboardEvent) => {
        if (!movable || (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight')) return;
        event.preventDefault();
        onMove(event.key === 'ArrowLeft' ? -1 : 1);
      }}
    >
      <span>{name}</span>
      {more && <span className="x-upkeep-more">{more}</span>}
      <span className="x-upkeep-state">{said}</span>
    </button>
  );
}

/** A later day than the tolerance is a delay, which says why. */
function DelayForm({ order, day, onClose }: { order: Entry; day: string; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <FormDrawer<{ reason: string }, unknown>
      title={t('upkeep.delayTitle', { name: order.orderNo, day })}
      size="small"
      note={t('upkeep.delayNote', { day: order.dueDate })}
      initial={{ reason: '' }}
      submit={async ({ reason }) => {
        const sent = { id: order.id ?? '', action: 'delay', dueDate: day, reason };
        const done = (await api.post(UPDATE, {
          ...sent,
          lockVersion: order.lockVersion ?? 0,
        } as never)) as unknown as {
          lockVersion: number;
        };
        if (order.planStart) {
          await api.post(UPDATE, {
            id: order.id ?? '',
            lockVersion: done.lockVersion,
            action: 'edit',
            ...planOn(order, day),
          } as never);
        }
        return done;
      }}
      submitText={t('upkeep.delay')}
      invalidates={[[KEY], ['maintainorder']]}
      onClose={onClose}
    >
      <TextAreaField name="reason" label={t('upkeep.reason')} required max={200} full />
    </FormDrawer>
  );
}
