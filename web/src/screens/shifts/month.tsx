/** The schedule of a plan: a month of days × shifts with their teams, changed by hand and saved at once. */
import {
  EditOutlined,
  LeftOutlined,
  RedoOutlined,
  RightOutlined,
  UndoOutlined,
  WarningOutlined,
} from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Alert, Button, Tooltip } from 'antd';
import dayjs from 'dayjs';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { api } from '@/api/client';
import { configinfo } from '@/api/nouns/configinfo';
import { useTranslation } from '@/i18n';
import { ConfirmDialog } from '@/kit/ConfirmDialog';
import { useContentTitle } from '@/kit/contentTitle';
import { useUnsaved } from '@/kit/leaving';
import { StateTag } from '@/kit/StateTag';
import { ErrorLine, ErrorState, PageSkeleton } from '@/kit/states';
import { useAction } from '@/kit/useAction';
import { usePhone } from '@/kit/width';
import { type Draft, draftOf, dropDraft, keepDraft } from '@/session/drafts';
import { useRights } from '@/session/rights';
import { PLANS } from './plan.page';
import { colorOf } from './rotation';
import { SlotDrawer } from './SlotDrawer';
import {
  type Changes,
  changeSlot,
  type Day,
  type History,
  moveTeam,
  NOTHING,
  type Place,
  redo,
  type Slot,
  shiftOn,
  slotsOn,
  step,
  type Table,
  toWire,
  undo,
} from './schedule';
import './shifts.css';

const CALL = '/yuzhu-equip/configinfo';

export default function Month() {
  const { id = '' } = useParams();
  const [asked] = useSearchParams();
  const month = asked.get('month') ?? dayjs().format('YYYY-MM');
  const { data, error, refetch } = useQuery({
    queryKey: [configinfo.name, 'scheduling', id, month],
    queryFn: ({ signal }) => api.get(`${CALL}/schedulingDetail`, { id, month }, signal),
  });
  if (error && !data) return <ErrorState error={error} retry={refetch} />;
  if (!data) return <PageSkeleton rows={12} />;
  return <Schedule key={`${id} ${month}`} id={id} month={month} table={data} />;
}

interface Held {
  teamId: string;
  from: Place;
  to: Place;
}

function Schedule({ id, month, table }: { id: string; month: string; table: Table }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const phone = usePhone();
  const may = useRights();
  const [, setAsked] = useSearchParams();
  const { config, businessDate } = table;
  useContentTitle(t('shifts.month.title', { name: config.configName }));
  const enabled = config.status === 2;
  const mayChange = enabled && may('configinfo_scheduling');

  const name = `schedule.${id}.${month}`;
  const [found, setFound] = useState<Draft | undefined>(() => draftOf(name));
  const [history, setHistory] = useState<History>(() =>
    found ? { ...NOTHING, now: found.values as Changes } : NOTHING,
  );
  const changes = history.now;
  const count = Object.keys(changes).length;
  const kept = useRef(true);
  const turn = (next: History) => {
    setHistory(next);
    setFound(undefined);
    if (Object.keys(next.now).length === 0) {
      dropDraft(name);
      kept.current = true;
    } else kept.current = keepDraft(name, { at: Date.now(), values: next.now });
  };
  useUnsaved(() => count > 0 && !kept.current);

  const [open, setOpen] = useState<{ date: string; slot: Slot }>();
  const [reset, setReset] = useState<{ first: string; last: string }>();
  const [held, setHeld] = useState<Held>();
  const [told, setTold] = useState('');
  const save = useAction({
    run: () => api.post(`${CALL}/schedulingSubmit`, { id, ...toWire(table, changes) }),
    invalidates: [[configinfo.name]],
    success: t('shifts.month.saved', { count }),
    onDone: () => turn(NOTHING),
  });

  const teamName = (teamId: string) => table.teams.find((team) => team.teamId === teamId)?.teamName ?? '';
  const shiftName = ({ date, shiftNo }: Place) =>
    shiftNo === 0 ? t('shifts.month.rest') : (shiftOn(table, date, shiftNo)?.shiftName ?? '');
  const mayChangeDay = (date: string) => mayChange && date >= businessDate;
  const move = (teamId: string, from: Place, to: Place) => {
    if (!mayChangeDay(from.date) || !mayChangeDay(to.date)) return;
    if (to.shiftNo !== 0 && !shiftOn(table, to.date, to.shiftNo)) return;
    turn(step(history, moveTeam(table, changes, teamId, from, to)));
    setTold(
      t('shifts.month.dropped', { team: teamName(teamId), date: to.date.slice(5), shift: shiftName(to) }),
    );
  };

  const numbers = [...new Set(table.shifts.map(({ shiftNo }) => shiftNo))].sort((a, b) => a - b);
  const columns = [...numbers, 0];
  const onKey = (event: KeyboardEvent) => {
    if (!held) return;
    const days = table.days;
    const row = days.findIndex(({ date }) => date === held.to.date);
    const column = columns.indexOf(held.to.shiftNo);
    const steps: Readonly<Record<string, readonly [number, number]>> = {
      ArrowUp: [-1, 0],
      ArrowDown: [1, 0],
      ArrowLeft: [0, -1],
      ArrowRight: [0, 1],
    };
    const by = steps[event.key];
    if (by) {
      event.preventDefault();
      const date = days[row + by[0]]?.date;
      const shiftNo = columns[column + by[1]];
      if (date === undefined || shiftNo === undefined || !mayChangeDay(date)) return;
      const to = { date, shiftNo };
      setHeld({ ...held, to });
      setTold(
        t('shifts.month.held', { team: teamName(held.teamId), date: date.slice(5), shift: shiftName(to) }),
      );
    } else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      setHeld(undefined);
      move(held.teamId, held.from, held.to);
    } else if (event.key === 'Escape') {
      event.preventDefault();
      setHeld(undefined);
      setTold(t('shifts.month.cancelled'));
    }
  };
  const pick = (teamId: string, from: Place) => {
    setHeld({ teamId, from, to: from });
    setTold(
      t('shifts.month.held', { team: teamName(teamId), date: from.date.slice(5), shift: shiftName(from) }),
    );
  };
  const view: View = {
    table,
    changes,
    numbers,
    held,
    mayChangeDay,
    move,
    pick,
    open: (date, slot) => setOpen({ date, slot }),
    reset: (date) => setReset({ first: date, last: date }),
  };
  const at = dayjs(`${month}-01`);
  const show = (other: string) => setAsked(other === dayjs().format('YYYY-MM') ? {} : { month: other });
  const changeable = table.days.filter(({ date }) => mayChangeDay(date) && date >= config.startDate);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a team that is picked up by the keyboard hears its keys anywhere in the table
    <div className="x-schedule" onKeyDown={onKey}>
      <div className="x-head">
        <h1>{config.configName}</h1>
        <StateTag dict="config_status" value={config.status} text={config.statusName} />
        <span className="x-quiet">{`${config.deptName} · ${config.patternTypeName}`}</span>
        <div className="x-schedule-months">
          <Button
            icon={<LeftOutlined />}
            aria-label={t('shifts.month.previous')}
            onClick={() => show(at.subtract(1, 'month').format('YYYY-MM'))}
          />
          <strong>{month}</strong>
          <Button
            icon={<RightOutlined />}
            aria-label={t('shifts.month.next')}
            onClick={() => show(at.add(1, 'month').format('YYYY-MM'))}
          />
          <Button onClick={() => show(dayjs().format('YYYY-MM'))}>{t('shifts.month.current')}</Button>
          {may('configinfo_edit') && (
            <Button icon={<EditOutlined />} onClick={() => navigate(`${PLANS}/${id}/edit`)}>
              {t('shifts.month.toPlan')}
            </Button>
          )}
        </div>
      </div>
      {!enabled && <Alert type="info" showIcon title={t('shifts.month.notEnabled')} />}
      {found && (
        <Alert
          type="info"
          showIcon
          title={t('shifts.month.found', { time: dayjs(found.at).format('MM-DD HH:mm') })}
        />
      )}
      <Stats table={table} />
      {mayChange && !phone && <p className="x-hint">{t('shifts.month.help')}</p>}
      <div className="x-sr-only" aria-live="polite">
        {told}
      </div>
      {phone ? <Cards view={view} /> : <Grid view={view} />}
      {mayChange && (
        <div className="x-sticky-bar">
          <div className="x-bar">
            {Boolean(save.error) && (
              <div className="x-bar-error">
                <ErrorLine error={save.error} />
              </div>
            )}
            {changeable.length > 0 && count === 0 && (
              <Button
                className="x-bar-apart"
                onClick={() =>
                  setReset({ first: changeable[0]?.date ?? '', last: changeable.at(-1)?.date ?? '' })
                }
              >
                {t('shifts.month.resetMonth')}
              </Button>
            )}
            {(count > 0 || history.past.length > 0 || history.future.length > 0) && (
              <>
                <Button
                  icon={<UndoOutlined />}
                  disabled={history.past.length === 0}
                  onClick={() => turn(undo(history))}
                >
                  {t('shifts.month.undo')}
                </Button>
                <Button
                  icon={<RedoOutlined />}
                  disabled={history.future.length === 0}
                  aria-label={t('shifts.month.redo')}
                  onClick={() => turn(redo(history))}
                />
                <Button disabled={count === 0} onClick={() => turn(step(history, {}))}>
                  {t('shifts.month.discard')}
                </Button>
              </>
            )}
            <Button type="primary" disabled={count === 0} loading={save.busy} onClick={() => save.run()}>
              {count > 0 ? t('shifts.month.save', { count }) : t('kit.save')}
            </Button>
          </div>
        </div>
      )}
      {open && (
        <SlotDrawer
          table={table}
          date={open.date}
          slot={open.slot}
          onClose={() => setOpen(undefined)}
          onApply={(slot) => {
            turn(step(history, changeSlot(table, changes, open.date, slot)));
            setOpen(undefined);
          }}
        />
      )}
      {reset && (
        <ConfirmDialog
          title={t('shifts.month.resetTitle')}
          okText={t('shifts.month.resetOk')}
          danger
          run={() =>
            api.post(`${CALL}/schedulingSubmit`, {
              id,
              startDate: reset.first,
              endDate: reset.last,
              resetToPattern: 1,
            })
          }
          invalidates={[[configinfo.name]]}
          onDone={() => {
            const left = Object.entries(changes).filter(([date]) => date < reset.first || date > reset.last);
            turn({ ...NOTHING, now: Object.fromEntries(left) });
          }}
          onClose={() => setReset(undefined)}
        >
          {t('shifts.month.resetText', {
            span:
              reset.first === reset.last
                ? reset.first
                : t('shifts.period', { from: reset.first, until: reset.last }),
          })}
        </ConfirmDialog>
      )}
    </div>
  );
}

interface View {
  table: Table;
  changes: Changes;
  numbers: readonly number[];
  held: Held | undefined;
  mayChangeDay: (date: string) => boolean;
  move: (teamId: string, from: Place, to: Place) => void;
  pick: (teamId: string, from: Place) => void;
  open: (date: string, slot: Slot) => void;
  reset: (date: string) => void;
}

/** What each team works in the span, as it is stored. */
function Stats({ table }: { table: Table }) {
  const { t } = useTranslation();
  return (
    <ul className="x-schedule-stats" aria-label={t('shifts.month.stats')}>
      {table.stats.map(({ teamId, teamName, workDays, minutes, nightCount }) => (
        <li key={teamId}>
          <strong>{teamName}</strong>
          <span>
            {[
              t('shifts.month.days', { count: workDays }),
              t('shifts.month.hours', { count: Math.round(minutes / 6) / 10 }),
              nightCount > 0 && t('shifts.month.nights', { count: nightCount }),
            ]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** A date with its weekday, and what kind of day it is. */
function DayHead({ view, day }: { view: View; day: Day }) {
  const { t } = useTranslation();
  const isChanged = day.date in view.changes;
  const isByHand = day.cells.some(({ source }) => source === 2);
  return (
    <span className="x-day">
      <span className="x-day-date">
        {day.date.slice(5)} {dayjs(day.date).format('ddd')}
      </span>
      {day.isToday === 1 && <span className="x-tag x-tone-active">{t('shifts.month.today')}</span>}
      {day.dayType !== null && (
        <Tooltip title={day.holidayName}>
          <span className={`x-tag ${day.dayType === 1 ? 'x-tone-good' : 'x-tone-waiting'}`}>
            {t(day.dayType === 1 ? 'shifts.month.off' : 'shifts.month.worked')} {day.holidayName}
          </span>
        </Tooltip>
      )}
      {isChanged ? (
        <span className="x-tag x-tone-waiting">{t('shifts.month.changedMark')}</span>
      ) : (
        isByHand && <span className="x-tag x-tone-quiet">{t('shifts.month.byHand')}</span>
      )}
    </span>
  );
}

function Warnings({ view, day }: { view: View; day: Day }) {
  const { t } = useTranslation();
  // Of a changed day the server says it once it is saved; what can be seen is said at once.
  const slots = view.changes[day.date];
  const warnings = slots
    ? view.numbers
        .filter(
          (shiftNo) =>
            shiftOn(view.table, day.date, shiftNo) && !slots.some((one) => one.shiftNo === shiftNo),
        )
        .map((shiftNo) => `${shiftOn(view.table, day.date, shiftNo)?.shiftName}: ${t('shifts.month.nobody')}`)
    : day.warnings;
  if (warnings.length === 0) return null;
  return (
    <ul className="x-day-warnings">
      {warnings.map((warning) => (
        <li key={warning}>
          <WarningOutlined /> {warning}
        </li>
      ))}
    </ul>
  );
}

/** The teams in one place; a team can be dropped here. */
function PlaceTeams({ view, day, shiftNo }: { view: View; day: Day; shiftNo: number }) {
  const { table, changes } = view;
  const slots = slotsOn(table, changes, day.date);
  const working = new Set(slots.map(({ teamId }) => teamId));
  const shown: readonly Slot[] =
    shiftNo === 0
      ? table.teams
          .filter(({ teamId }) => !working.has(teamId))
          .map(({ teamId }) => ({ teamId, shiftNo: 0, userIds: '', remark: '' }))
      : slots.filter((slot) => slot.shiftNo === shiftNo);
  return shown.map((slot) => <Chip key={slot.teamId} view={view} date={day.date} slot={slot} />);
}

function Chip({ view, date, slot }: { view: View; date: string; slot: Slot }) {
  const { t } = useTranslation();
  const chip = useRef<HTMLButtonElement>(null);
  const { table, held } = view;
  const team = table.teams.find(({ teamId }) => teamId === slot.teamId);
  const shift = slot.shiftNo ? shiftOn(table, date, slot.shiftNo) : undefined;
  const may = view.mayChangeDay(date);
  const isHeld = held?.teamId === slot.teamId && held.from.date === date;
  useEffect(() => {
    // Whatever is redrawn meanwhile, the keys of whoever moves it are heard.
    if (isHeld) chip.current?.focus();
  }, [isHeld]);
  const name =
    team?.teamName ??
    table.days.flatMap(({ cells }) => cells).find((cell) => cell.teamId === slot.teamId)?.teamName ??
    '';
  const people = slot.userIds ? t('shifts.month.peopleOther') : team?.userNames.join(' ');
  return (
    <Tooltip title={[name, people, slot.remark].filter(Boolean).join(' · ')} mouseEnterDelay={0.5}>
      <button
        ref={chip}
        type="button"
        className={`x-chip${shift ? '' : ' x-chip-rest'}${isHeld ? ' x-chip-held' : ''}`}
        style={shift ? { background: colorOf(shift.shiftNo, shift.color) } : undefined}
        data-team={slot.teamId}
        aria-label={t('shifts.month.chip', {
          date: date.slice(5),
          shift: shift?.shiftName ?? t('shifts.month.rest'),
          team: name,
        })}
        aria-pressed={isHeld}
        disabled={!may}
        draggable={may}
        onDragStart={(event) => {
          event.dataTransfer.effectAllowed = 'move';
          event.dataTransfer.setData(
            'text/plain',
            JSON.stringify({ teamId: slot.teamId, date, shiftNo: slot.shiftNo }),
          );
        }}
        onKeyDown={(event) => {
          if (event.key === ' ' && !held) {
            event.preventDefault();
            event.stopPropagation();
            view.pick(slot.teamId, { date, shiftNo: slot.shiftNo });
          }
        }}
        onKeyUp={(event) => {
          // Firefox clicks when the space bar is let go.
          if (event.key === ' ') event.preventDefault();
        }}
        onClick={() => {
          if (!held) view.open(date, slot);
        }}
      >
        {name}
        {(slot.userIds || slot.remark) && '*'}
      </button>
    </Tooltip>
  );
}

/** What a dragged team brings along; undefined for anything else that is dropped. */
function dragged(text: string): { teamId: string; date: string; shiftNo: number } | undefined {
  try {
    const found = JSON.parse(text) as { teamId?: unknown; date?: unknown; shiftNo?: unknown };
    const { teamId, date, shiftNo } = found;
    return typeof teamId === 'string' && typeof date === 'string' && typeof shiftNo === 'number'
      ? { teamId, date, shiftNo }
      : undefined;
  } catch {
    return undefined;
  }
}

function DropCell({ view, day, shiftNo }: { view: View; day: Day; shiftNo: number }) {
  const [over, setOver] = useState(false);
  const may = view.mayChangeDay(day.date);
  const isTarget = view.held?.to.date === day.date && view.held.to.shiftNo === shiftNo;
  return (
    <td
      className={over || isTarget ? 'x-drop x-drop-over' : 'x-drop'}
      data-date={day.date}
      data-shift={shiftNo}
      onDragOver={(event) => {
        if (!may) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const from = dragged(event.dataTransfer.getData('text/plain'));
        if (from) view.move(from.teamId, from, { date: day.date, shiftNo });
      }}
    >
      <PlaceTeams view={view} day={day} shiftNo={shiftNo} />
    </td>
  );
}

function ShiftHead({ view, shiftNo }: { view: View; shiftNo: number }) {
  const versions = view.table.shifts.filter((shift) => shift.shiftNo === shiftNo);
  const last = versions.at(-1);
  const times = versions.map(({ startTime, endTime }) => `${startTime}–${endTime}`);
  return (
    <>
      <span className="x-dot" style={{ background: colorOf(shiftNo, last?.color) }} />
      {last?.shiftName}
      <div className="x-hint">{[...new Set(times)].join(' / ')}</div>
    </>
  );
}

/** Rest days and weekends are told apart from days of work. */
function dayClass(day: Day): string {
  const isOff = day.dayType === 1 || (day.weekday > 5 && day.dayType !== 2);
  return [isOff && 'x-day-off', day.isToday === 1 && 'x-day-today'].filter(Boolean).join(' ');
}

function ResetDay({ view, day }: { view: View; day: Day }) {
  const { t } = useTranslation();
  const isByHand = day.cells.some(({ source }) => source === 2);
  if (!isByHand || !view.mayChangeDay(day.date) || day.date in view.changes) return null;
  return (
    <Button size="small" type="link" onClick={() => view.reset(day.date)}>
      {t('shifts.month.resetDay')}
    </Button>
  );
}

function Grid({ view }: { view: View }) {
  const { t } = useTranslation();
  const { table, numbers } = view;
  const present = useRef<HTMLTableRowElement>(null);
  // What can be changed begins today: late in the month that is far down.
  useEffect(() => present.current?.scrollIntoView({ block: 'center' }), []);
  return (
    <div className="x-panel x-month-panel">
      <table className="x-month">
        <thead>
          <tr>
            <th scope="col">{t('shifts.month.date')}</th>
            {numbers.map((shiftNo) => (
              <th key={shiftNo} scope="col">
                <ShiftHead view={view} shiftNo={shiftNo} />
              </th>
            ))}
            <th scope="col">{t('shifts.month.rest')}</th>
            <th scope="col">{t('shifts.month.warnings')}</th>
          </tr>
        </thead>
        <tbody>
          {table.days.map((day) => (
            <tr key={day.date} ref={day.isToday === 1 ? present : undefined} className={dayClass(day)}>
              <th scope="row">
                <DayHead view={view} day={day} />
              </th>
              {[...numbers, 0].map((shiftNo) => (
                <DropCell key={shiftNo} view={view} day={day} shiftNo={shiftNo} />
              ))}
              <td>
                <Warnings view={view} day={day} />
                <ResetDay view={view} day={day} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** On a phone a list of days from today on, the earlier ones folded; a team is moved in its drawer. */
function Cards({ view }: { view: View }) {
  const { t } = useTranslation();
  const { days } = view.table;
  const past = days.filter(({ date }) => date < view.table.businessDate);
  const coming = past.length < days.length ? days.slice(past.length) : days;
  return (
    <>
      {past.length > 0 && coming !== days && (
        <details className="x-panel x-day-past">
          <summary>{t('shifts.month.past', { count: past.length })}</summary>
          <DayCards view={view} days={past} />
        </details>
      )}
      <DayCards view={view} days={coming} />
    </>
  );
}

function DayCards({ view, days }: { view: View; days: readonly Day[] }) {
  const { t } = useTranslation();
  return (
    <ol className="x-day-cards">
      {days.map((day) => (
        <li key={day.date} className={`x-panel ${dayClass(day)}`}>
          <DayHead view={view} day={day} />
          {[...view.numbers, 0].map((shiftNo) => {
            const shift = shiftOn(view.table, day.date, shiftNo);
            if (shiftNo !== 0 && !shift) return null;
            return (
              <div key={shiftNo} className="x-day-line">
                <span className="x-day-shift">
                  {shift ? (
                    <>
                      <span className="x-dot" style={{ background: colorOf(shiftNo, shift.color) }} />
                      {shift.shiftName}
                      <span className="x-hint">{` ${shift.startTime}–${shift.endTime}`}</span>
                    </>
                  ) : (
                    t('shifts.month.rest')
                  )}
                </span>
                <span className="x-day-teams">
                  <PlaceTeams view={view} day={day} shiftNo={shiftNo} />
                </span>
              </div>
            );
          })}
          <Warnings view={view} day={day} />
          <ResetDay view={view} day={day} />
        </li>
      ))}
    </ol>
  );
}
