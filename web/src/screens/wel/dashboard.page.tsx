/** The console: how the plant stands, what was inspected, repaired and maintained, and how reliable the assets were. */
import { FundProjectionScreenOutlined } from '@ant-design/icons';
import { Button, Segmented, Select } from 'antd';
import dayjs from 'dayjs';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import { dept } from '@/api/nouns/dept';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { useDuration } from '@/kit/Minutes';
import { ReferenceSelect } from '@/kit/ReferenceSelect';
import { Section } from '@/kit/Section';
import { ErrorLine, PageSkeleton } from '@/kit/states';
import { usePhone } from '@/kit/width';
import { moment } from '@/lib/dates';
import { yuan } from '@/lib/money';
import { Chart } from '@/screens/shared/Chart';
import { useCanOpen, useEntry } from '@/session/rights';
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
import { showWholeScreen, Wall } from './Wall';
import '@/screens/shared/figures.css';
import './dashboard.css';

const HERE = '/wel/dashboard';
const MACHINES = '/equip/machine';
const ORDERS = '/repair/order';
const TASKS = '/inspect/order';
const MAINTENANCE = '/maintain/order';
const REORDER = '/spare/reorder';
/** States of orders that are not at an end, and of maintenance orders whose work is not done. */
const OPEN_ORDERS = '1,2,3,4,5';
const WAITING = '1,2';
const DAY = 'YYYY-MM-DD';
const RANGES = ['today', 'week', 'month', 'reportMonth', 'year'] as const;

type Range = (typeof RANGES)[number];

/** A list with these filters, of the department that the board is about and those below it. */
const rowsOf = (list: string, { deptId }: Asked, filters: string) =>
  `${list}?${deptId ? `underDeptId=${deptId}&` : ''}${filters}`;

export default function Dashboard() {
  const { t } = useTranslation();
  const phone = usePhone();
  const entry = useEntry(HERE);
  const [given, setGiven] = useSearchParams();
  const asked = given.get('range');
  const range: Range = RANGES.find((one) => one === asked) ?? 'reportMonth';
  const deptId = given.get('deptId') ?? undefined;
  const set = (name: string, value: string | undefined) =>
    setGiven(
      (before) => {
        const next = new URLSearchParams(before);
        if (value) next.set(name, value);
        else next.delete(name);
        return next;
      },
      { replace: true },
    );
  const ranges = RANGES.map((one) => ({ value: one, label: t(`dashboard.range.${one}`) }));
  const setRange = (value: Range) => set('range', value === 'reportMonth' ? undefined : value);
  if (given.get('wall') === '1') return <Wall asked={{ deptId }} onLeave={() => set('wall', undefined)} />;
  return (
    <div className="x-board">
      <div className="x-head">
        <h1>{entry?.name}</h1>
        <div className="x-board-asked">
          {!phone && (
            <Button
              icon={<FundProjectionScreenOutlined />}
              onClick={() => {
                showWholeScreen();
                set('wall', '1');
              }}
            >
              {t('dashboard.wall.open')}
            </Button>
          )}
          <ReferenceSelect
            source={{ ref: `${dept.path}/select` }}
            value={deptId}
            onChange={(value) => set('deptId', value)}
            placeholder={t('dashboard.allDepartments')}
            label={t('dashboard.department')}
          />
          {phone ? (
            <Select<Range>
              aria-label={t('dashboard.range.label')}
              value={range}
              options={ranges}
              onChange={setRange}
            />
          ) : (
            <Segmented<Range>
              aria-label={t('dashboard.range.label')}
              value={range}
              options={ranges}
              onChange={setRange}
            />
          )}
        </div>
      </div>
      <Totals asked={{ deptId }} />
      <div className="x-board-grid">
        <Inspection asked={{ deptId }} range={range} />
        <Maintenance asked={{ deptId }} range={range} />
        <Repair asked={{ deptId }} />
      </div>
    </div>
  );
}

interface FigureProps {
  label: string;
  value: ReactNode;
  /** What the value is made of. */
  parts?: string;
  to?: string;
  bad?: boolean;
}

/** A number with its name; a link to its rows where the person may open them. */
function Figure({ label, value, parts, to, bad }: FigureProps) {
  const opens = useCanOpen(to?.split('?')[0] ?? '');
  const content = (
    <>
      <span className="x-figure-count">{value}</span>
      <span>{label}</span>
      {parts && <span className="x-hint">{parts}</span>}
    </>
  );
  const look = bad ? 'x-figure x-figure-bad' : 'x-figure';
  return to && opens ? (
    <Link className={look} to={to}>
      {content}
    </Link>
  ) : (
    <div className={look}>{content}</div>
  );
}

function Totals({ asked }: { asked: Asked }) {
  const { t } = useTranslation();
  const { data, error } = useTotals(asked);
  if (error && !data) return <ErrorLine error={error} />;
  if (!data) return <PageSkeleton rows={2} />;
  return (
    <section className="x-figures x-panel x-board-totals" aria-label={t('dashboard.now')}>
      <Figure
        label={t('dashboard.running')}
        value={known(data.machineRunning)}
        parts={t('dashboard.ofAssets', { n: known(data.machineTotal) })}
        to={rowsOf(MACHINES, asked, 'nodeType=4&runState=1,2')}
      />
      <Figure
        label={t('dashboard.down')}
        value={known(data.machineStopped)}
        to={rowsOf(MACHINES, asked, 'nodeType=4&runState=3')}
        bad={data.machineStopped > 0}
      />
      <Figure
        label={t('dashboard.atWork')}
        value={known(data.machineRepairing)}
        to={rowsOf(MACHINES, asked, 'nodeType=4&runState=4,5')}
      />
      <Figure
        label={t('dashboard.openOrders')}
        value={known(data.repairOpen)}
        to={rowsOf(ORDERS, asked, `status=${OPEN_ORDERS}`)}
      />
      <Figure
        label={t('dashboard.lateMaintenance')}
        value={known(data.maintainOverdue)}
        to={rowsOf(MAINTENANCE, asked, 'overdue=1')}
        bad={data.maintainOverdue > 0}
      />
      <Figure
        label={t('dashboard.lowSpares')}
        value={known(data.spareLow)}
        parts={t('dashboard.ofSpares', { n: known(data.spareKinds) })}
        to={REORDER}
        bad={data.spareLow > 0}
      />
      <Figure label={t('dashboard.safeDays')} value={known(data.safeDays)} parts={t('dashboard.safeHint')} />
    </section>
  );
}

/** A part of the board, which says up to when its figures are known. */
function Part<Data extends { asOf: string }>(props: {
  /** The days that it is about. */
  days: (data: Data) => readonly [from: string | undefined, to: string | undefined];
  title: string;
  data: Data | undefined;
  error: Error | null;
  wide?: boolean;
  children: (data: Data) => ReactNode;
}) {
  const { t } = useTranslation();
  const { title, days, data, error, wide, children } = props;
  const [from, to] = data ? days(data) : [];
  let body: ReactNode;
  if (error && !data) body = <ErrorLine error={error} />;
  else body = data ? children(data) : <PageSkeleton rows={6} />;
  return (
    <div className={wide ? 'x-board-wide' : undefined}>
      <Section
        title={title}
        action={
          data && (
            <span className="x-hint">
              <span className="x-nowrap">{from === to ? from : t('dashboard.days', { from, to })}</span>
              {' · '}
              <span className="x-nowrap">{t('dashboard.asOf', { time: moment(data.asOf) })}</span>
            </span>
          )
        }
      >
        {body}
      </Section>
    </div>
  );
}

interface RowsProps {
  title: string;
  none: string;
  rows: readonly { key: string; name: string; to?: string; value: string; hint?: string }[];
}

/** A short list, each with its number at the right. */
function Rows({ title, none, rows }: RowsProps) {
  return (
    <div>
      <h3>{title}</h3>
      {rows.length === 0 ? (
        <p className="x-quiet">{none}</p>
      ) : (
        <ol className="x-board-rows">
          {rows.map(({ key, name, to, value, hint }) => (
            <li key={key}>
              <span>
                {to ? <Link to={to}>{name}</Link> : name}
                {hint && <span className="x-hint"> {hint}</span>}
              </span>
              <span className="x-nowrap">{value}</span>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

function Inspection({ asked, range }: { asked: Asked; range: Range }) {
  const { t } = useTranslation();
  const { data, error } = useInspection({ ...asked, range });
  const opensTasks = useCanOpen(TASKS);
  return (
    <Part title={t('dashboard.inspection')} days={({ from, to }) => [from, to]} data={data} error={error}>
      {(found) => {
        const days = `businessDate_ge=${found.from}&businessDate_le=${found.to}`;
        const tasks = (filters: string) => rowsOf(TASKS, asked, `${days}&${filters}`);
        const trend = found.trend.filter(({ date }) => date <= found.asOf.slice(0, 10));
        return (
          <>
            <div className="x-figures">
              <Figure
                label={t('dashboard.completion')}
                value={rate(found.completionRate)}
                parts={t('dashboard.parts', { part: known(found.done), whole: known(found.due) })}
                to={tasks('status=3,4')}
              />
              <Figure
                label={t('dashboard.onTime')}
                value={rate(found.onTimeRate)}
                parts={t('dashboard.parts', { part: known(found.onTime), whole: known(found.due) })}
                to={tasks('status=3&isLate=0')}
              />
              <Figure
                label={t('dashboard.missed')}
                value={known(found.missed)}
                to={tasks('status=4')}
                bad={found.missed > 0}
              />
              <Figure
                label={t('dashboard.abnormal')}
                value={rate(found.abnormalRate)}
                parts={t('dashboard.parts', { part: known(found.abnormal), whole: known(found.itemChecked) })}
              />
            </div>
            <Chart
              label={t('dashboard.inspectionTrend')}
              over={t('dashboard.day')}
              categories={trend.map(({ date }) => date.slice(5))}
              series={[
                {
                  name: t('dashboard.done'),
                  values: trend.map(({ done }) => done),
                  kind: 'bar',
                  tone: 'accent',
                  stack: 'a',
                },
                {
                  name: t('dashboard.missed'),
                  values: trend.map(({ missed }) => missed),
                  kind: 'bar',
                  tone: 'waiting',
                  stack: 'a',
                },
                {
                  name: t('dashboard.abnormalItems'),
                  values: trend.map(({ abnormal }) => abnormal),
                  kind: 'line',
                  tone: 'bad',
                },
              ]}
            />
            <div className="x-board-pair">
              <Rows
                title={t('dashboard.worstRoutes')}
                none={t('dashboard.noTasks')}
                rows={found.byGroup.slice(0, 5).map((row) => ({
                  key: row.groupId,
                  name: row.groupName,
                  to: opensTasks ? `${TASKS}?groupId=${row.groupId}&${days}` : undefined,
                  value: rate(row.completionRate),
                  hint: t('dashboard.parts', { part: known(row.done), whole: known(row.due) }),
                }))}
              />
              <Rows
                title={t('dashboard.topAbnormal')}
                none={t('dashboard.nothingAbnormal')}
                rows={found.topAbnormal.slice(0, 5).map((row) => ({
                  key: `${row.machineId} ${row.itemName}`,
                  name: row.machineName,
                  to: `${MACHINES}/${row.machineId}`,
                  value: t('dashboard.times', { n: row.times }),
                  hint: row.itemName,
                }))}
              />
            </div>
          </>
        );
      }}
    </Part>
  );
}

/** Maintenance orders due from today on, for so many days, as the figure counts them. */
const within = (days: number) =>
  `dueDate_ge=${dayjs().format(DAY)}&dueDate_le=${dayjs().add(days, 'day').format(DAY)}`;

function Maintenance({ asked, range }: { asked: Asked; range: Range }) {
  const { t } = useTranslation();
  const { data, error } = useMaintenance({ ...asked, range });
  return (
    <Part title={t('dashboard.maintenance')} days={({ from, to }) => [from, to]} data={data} error={error}>
      {(found) => (
        <>
          <div className="x-figures">
            <Figure
              label={t('dashboard.compliance')}
              value={rate(found.compliance)}
              parts={t('dashboard.parts', { part: known(found.onTime), whole: known(found.due) })}
            />
            <Figure
              label={t('dashboard.overdue')}
              value={known(found.overdue)}
              to={rowsOf(MAINTENANCE, asked, 'overdue=1')}
              bad={found.overdue > 0}
            />
            <Figure
              label={t('dashboard.upcoming7')}
              value={known(found.upcoming7)}
              to={rowsOf(MAINTENANCE, asked, `status=${WAITING}&${within(7)}`)}
            />
            <Figure label={t('dashboard.cost')} value={yuan(found.cost)} />
          </div>
          <Chart
            label={t('dashboard.maintenanceTrend')}
            over={t('dashboard.month')}
            categories={found.trend.map(({ month }) => month)}
            series={[
              {
                name: t('dashboard.due'),
                values: found.trend.map(({ due }) => due),
                kind: 'bar',
                tone: 'text-3',
              },
              {
                name: t('dashboard.inTime'),
                values: found.trend.map(({ onTime }) => onTime),
                kind: 'bar',
                tone: 'accent',
              },
              {
                name: t('dashboard.compliance'),
                values: found.trend.map(({ compliance }) => compliance),
                kind: 'line',
                tone: 'waiting',
                percent: true,
              },
            ]}
          />
          <Reliability found={found.reliability} />
          <Rows
            title={t('dashboard.nearest')}
            none={t('dashboard.nothingDue')}
            rows={found.list.slice(0, 5).map((row) => ({
              key: row.orderId,
              name: `${row.machineName} · ${row.configName}`,
              to: `${MAINTENANCE}/${row.orderId}`,
              value: dueWords(t, row.daysLeft),
              hint: row.executorName || undefined,
            }))}
          />
        </>
      )}
    </Part>
  );
}

/** How reliable the assets were, each figure with what it is made of. */
function Reliability({ found }: { found: Wire<'Reliability'> }) {
  const { t } = useTranslation();
  const words = useDuration();
  return (
    <div>
      <h3>{t('dashboard.reliability')}</h3>
      <div className="x-figures">
        <Figure
          label={t('dashboard.mtbf')}
          value={
            found.mtbfHours === null
              ? t('dashboard.noFailure')
              : t('dashboard.hours', { n: known(found.mtbfHours) })
          }
          parts={t('dashboard.upOf', { time: words(found.upMinutes), n: found.failures })}
        />
        <Figure
          label={t('dashboard.mttr')}
          value={words(found.mttrMinutes)}
          parts={t('dashboard.repaired', { n: found.repaired })}
        />
        <Figure
          label={t('dashboard.availability')}
          value={rate(found.availability)}
          parts={t('dashboard.downTime', { time: words(found.downMinutes) })}
        />
      </div>
    </div>
  );
}

/** The first and the last day of the reporting months of a year. */
const yearOf = ({ rows: months }: Wire<'RepairReport'>) => [months.at(0)?.from, months.at(-1)?.to] as const;

function Repair({ asked }: { asked: Asked }) {
  const { t } = useTranslation();
  const words = useDuration();
  const { data, error } = useRepair(asked);
  return (
    <Part
      wide
      title={t('dashboard.repair', { year: data?.year ?? '' })}
      days={yearOf}
      data={data}
      error={error}
    >
      {(found) => (
        <>
          <div className="x-figures">
            <Figure
              label={t('dashboard.reported')}
              value={known(found.total.reported)}
              to={rowsOf(
                ORDERS,
                asked,
                `createTime_dategt=${yearOf(found)[0]}&createTime_datelt=${yearOf(found)[1]}`,
              )}
            />
            <Figure label={t('dashboard.finished')} value={known(found.total.finished)} />
            <Figure label={t('dashboard.response')} value={words(found.total.avgResponseMinutes)} />
            <Figure label={t('dashboard.repairTime')} value={words(found.total.avgRepairMinutes)} />
            <Figure label={t('dashboard.stopTime')} value={words(found.total.stopMinutes)} />
            <Figure
              label={t('dashboard.totalCost')}
              value={yuan(found.total.totalCost)}
              parts={t('dashboard.sparesIn', { amount: yuan(found.total.spareAmount) })}
            />
          </div>
          <div className="x-board-pair">
            <Chart
              label={t('dashboard.repairTrend')}
              over={t('dashboard.month')}
              categories={found.rows.map(({ period }) => period)}
              series={[
                {
                  name: t('dashboard.reported'),
                  values: found.rows.map(({ reported }) => reported),
                  kind: 'bar',
                  tone: 'text-3',
                },
                {
                  name: t('dashboard.finished'),
                  values: found.rows.map(({ finished }) => finished),
                  kind: 'bar',
                  tone: 'accent',
                },
                {
                  name: t('dashboard.open'),
                  values: found.rows.map(({ open }) => open),
                  kind: 'line',
                  tone: 'waiting',
                },
              ]}
            />
            <Pareto rows={found.bySymptom} />
          </div>
          <div className="x-board-pair">
            <Rows
              title={t('dashboard.topMachines')}
              none={t('dashboard.noFailures')}
              rows={found.topMachines.slice(0, 5).map((row) => ({
                key: row.machineId,
                name: row.machineName,
                to: `${MACHINES}/${row.machineId}`,
                value: t('dashboard.failures', { n: row.failures }),
                hint: `${words(row.stopMinutes)} · ${yuan(row.totalCost)}`,
              }))}
            />
            <Rows
              title={t('dashboard.topUsers')}
              none={t('dashboard.noWork')}
              rows={found.topUsers.slice(0, 5).map((row) => ({
                key: row.userId,
                name: row.userName,
                value: t('dashboard.orders', { n: row.finished }),
                hint: words(row.mergedMinutes),
              }))}
            />
          </div>
        </>
      )}
    </Part>
  );
}

/** The symptoms by how often they were reported, and how much of all of them the first ones are. */
function Pareto({ rows }: { rows: readonly Wire<'RepairSymptom'>[] }) {
  const { t } = useTranslation();
  let sum = 0;
  const cumulated = rows.map(({ share }) => {
    sum += share ?? 0;
    return Math.min(Math.round(sum * 10) / 10, 100);
  });
  if (rows.length === 0) return <p className="x-quiet">{t('dashboard.noSymptoms')}</p>;
  return (
    <Chart
      named
      label={t('dashboard.pareto')}
      over={t('dashboard.symptom')}
      categories={rows.map(({ tagName }) => tagName)}
      series={[
        {
          name: t('dashboard.timesReported'),
          values: rows.map(({ times }) => times),
          kind: 'bar',
          tone: 'accent',
        },
        { name: t('dashboard.cumulated'), values: cumulated, kind: 'line', tone: 'waiting', percent: true },
      ]}
    />
  );
}
