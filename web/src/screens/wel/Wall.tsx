/** The board for a wall: figures that are read from across the hall, on a screen that nobody touches. */
import { CloseOutlined } from '@ant-design/icons';
import dayjs from 'dayjs';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useTranslation } from '@/i18n';
import { useDuration } from '@/kit/Minutes';
import { net } from '@/session/net';
import { useSession } from '@/session/session';
import {
  type Asked,
  dueWords,
  known,
  rate,
  useInspection,
  useMaintenance,
  useRepair,
  useTotals,
} from './figures';
import './wall.css';

const SECOND = 1000;
const DAY = 'YYYY-MM-DD';
const CLOCK = 'HH:mm';
const ROWS = 4;
/** Signs of a figure that its field takes in the usual size, such as 100%. */
const SHORT = 4;

/** Must be asked for by a click or a key; an address opens the board within the window. */
export function showWholeScreen(): void {
  document.documentElement.requestFullscreen?.().catch(() => undefined);
}

/** Esc leaves. In full screen the browser takes that key for itself, and tells only that the screen is whole no more. */
function useLeaving(leave: () => void): void {
  const latest = useRef(leave);
  latest.current = leave;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') latest.current();
    };
    const onScreen = () => {
      if (!document.fullscreenElement) latest.current();
    };
    document.addEventListener('keydown', onKey);
    document.addEventListener('fullscreenchange', onScreen);
    return () => {
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('fullscreenchange', onScreen);
      if (document.fullscreenElement) document.exitFullscreen().catch(() => undefined);
    };
  }, []);
}

/** Keeps the screen from going dark, where the browser can; it lets go whenever the page is hidden. */
function useLight(): void {
  useEffect(() => {
    let held: WakeLockSentinel | undefined;
    let over = false;
    const hold = async () => {
      if (document.visibilityState !== 'visible') return;
      const lock = await navigator.wakeLock?.request('screen').catch(() => undefined);
      if (over) lock?.release();
      else held = lock;
    };
    hold();
    document.addEventListener('visibilitychange', hold);
    return () => {
      over = true;
      document.removeEventListener('visibilitychange', hold);
      held?.release();
    };
  }, []);
}

function Clock() {
  const [now, setNow] = useState(() => dayjs());
  useEffect(() => {
    const timer = setInterval(() => setNow(dayjs()), SECOND);
    return () => clearInterval(timer);
  }, []);
  return (
    <div className="x-wall-clock">
      <span>{now.format(`${DAY} dddd`)}</span>
      <time>{now.format(CLOCK)}</time>
    </div>
  );
}

interface FigureProps {
  label: string;
  value: string;
  parts?: string;
  tone?: 'bad' | 'good';
}

function Figure({ label, value, parts, tone }: FigureProps) {
  const look = ['x-wall-figure', tone && `x-wall-${tone}`, value.length > SHORT && 'x-wall-long'];
  return (
    <div className={look.filter(Boolean).join(' ')}>
      <span className="x-wall-label">{label}</span>
      <span className="x-wall-value">
        {value.replace('%', '')}
        {value.endsWith('%') && <small>%</small>}
      </span>
      <span className="x-wall-parts">{parts}</span>
    </div>
  );
}

function List({ title, none, rows }: { title: string; none: string; rows: readonly (readonly string[])[] }) {
  return (
    <section className="x-wall-list">
      <h2>{title}</h2>
      {rows.length === 0 && <p>{none}</p>}
      <ol>
        {rows.map(([key, name, value]) => (
          <li key={key}>
            <span>{name}</span>
            <b>{value}</b>
          </li>
        ))}
      </ol>
    </section>
  );
}

const bad = (count: number | undefined) => (count ? 'bad' : undefined);

export function Wall({ asked, onLeave }: { asked: Asked; onLeave: () => void }) {
  const { t } = useTranslation();
  const words = useDuration();
  const company = useSession()?.tenantName;
  useLeaving(onLeave);
  useLight();
  const totals = useTotals(asked);
  const today = useInspection({ ...asked, range: 'today' });
  const upkeep = useMaintenance({ ...asked, range: 'reportMonth' });
  const repair = useRepair(asked);
  const all = [totals, today, upkeep, repair];
  const away = useSyncExternalStore(net.listen, net.isDown);
  const stale = away || all.some(({ isError }) => isError);
  // As old as the oldest figure on the screen.
  const since = Math.min(...all.map(({ dataUpdatedAt }) => dataUpdatedAt || Number.POSITIVE_INFINITY));
  const time = Number.isFinite(since) ? dayjs(since).format(`${CLOCK}:ss`) : '-';
  const [now, checks, plan, year] = [totals.data, today.data, upkeep.data, repair.data];
  return (
    <div className="x-wall">
      <header>
        <h1>{[company, t('dashboard.wall.title')].filter(Boolean).join(' ')}</h1>
        <p role="status" className={stale ? 'x-wall-stale' : undefined}>
          {t(stale ? 'dashboard.wall.stale' : 'dashboard.wall.fresh', { time })}
        </p>
        <Clock />
        {/* A screen that is touched has no Esc key. */}
        <button
          type="button"
          className="x-wall-leave"
          aria-label={t('dashboard.wall.leave')}
          onClick={onLeave}
        >
          <CloseOutlined />
        </button>
      </header>
      <section className="x-wall-figures" aria-label={t('dashboard.now')}>
        <Figure
          label={t('dashboard.running')}
          value={known(now?.machineRunning)}
          parts={now && t('dashboard.ofAssets', { n: known(now.machineTotal) })}
          tone="good"
        />
        <Figure
          label={t('dashboard.down')}
          value={known(now?.machineStopped)}
          tone={bad(now?.machineStopped)}
        />
        <Figure label={t('dashboard.atWork')} value={known(now?.machineRepairing)} />
        <Figure label={t('dashboard.openOrders')} value={known(now?.repairOpen)} />
        <Figure
          label={t('dashboard.wall.late')}
          value={known(now?.maintainOverdue)}
          tone={bad(now?.maintainOverdue)}
        />
        <Figure
          label={t('dashboard.lowSpares')}
          value={known(now?.spareLow)}
          parts={now && t('dashboard.ofSpares', { n: known(now.spareKinds) })}
          tone={bad(now?.spareLow)}
        />
      </section>
      <section className="x-wall-figures" aria-label={t('dashboard.wall.rates')}>
        <Figure
          label={t('dashboard.wall.completion')}
          value={rate(checks?.completionRate)}
          parts={checks && t('dashboard.parts', { part: known(checks.done), whole: known(checks.due) })}
        />
        <Figure label={t('dashboard.wall.missed')} value={known(checks?.missed)} tone={bad(checks?.missed)} />
        <Figure
          label={t('dashboard.wall.abnormal')}
          value={known(checks?.abnormal)}
          parts={checks && t('dashboard.ofItems', { n: known(checks.itemChecked) })}
          tone={bad(checks?.abnormal)}
        />
        <Figure
          label={t('dashboard.wall.compliance')}
          value={rate(plan?.compliance)}
          parts={plan && t('dashboard.parts', { part: known(plan.onTime), whole: known(plan.due) })}
        />
        <Figure
          label={t('dashboard.wall.availability')}
          value={rate(plan?.reliability.availability)}
          parts={
            plan && plan.reliability.mttrMinutes !== null
              ? `${t('dashboard.mttr')} ${words(plan.reliability.mttrMinutes)}`
              : undefined
          }
        />
        <Figure
          label={t('dashboard.safeDays')}
          value={known(now?.safeDays)}
          parts={t('dashboard.safeHint')}
          tone={now?.safeDays ? 'good' : undefined}
        />
      </section>
      <div className="x-wall-lists">
        <List
          title={t('dashboard.nearest')}
          none={t('dashboard.nothingDue')}
          rows={(plan?.list ?? [])
            .slice(0, ROWS)
            .map(({ orderId, machineName, configName, daysLeft }) => [
              orderId,
              `${machineName} ${configName}`,
              dueWords(t, daysLeft),
            ])}
        />
        <List
          title={t('dashboard.wall.routes')}
          none={t('dashboard.noTasks')}
          rows={(checks?.byGroup ?? [])
            .slice(0, ROWS)
            .map(({ groupId, groupName, completionRate }) => [groupId, groupName, rate(completionRate)])}
        />
        <List
          title={t('dashboard.wall.topMachines')}
          none={t('dashboard.noFailures')}
          rows={(year?.topMachines ?? [])
            .slice(0, ROWS)
            .map(({ machineId, machineName, failures }) => [
              machineId,
              machineName,
              t('dashboard.failures', { n: failures }),
            ])}
        />
      </div>
    </div>
  );
}
