/** Making tasks: which ones the rules of a plan make in a span of days and why others not, then making them. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Alert, Button, DatePicker, Progress, Segmented, Table } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import { useEffect, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { api } from '@/api/client';
import { inspectorder } from '@/api/nouns/inspectorder';
import { taskrule } from '@/api/nouns/taskrule';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { ConfirmDialog } from '@/kit/ConfirmDialog';
import { useContentTitle } from '@/kit/contentTitle';
import { useCalendar } from '@/kit/fields';
import { useLabels } from '@/kit/nounText';
import { ReferenceSelect } from '@/kit/ReferenceSelect';
import { sourceOf } from '@/kit/references';
import { ToneTag } from '@/kit/StateTag';
import { EmptyState, ErrorLine, PageSkeleton } from '@/kit/states';
import { useAction } from '@/kit/useAction';
import { usePhone } from '@/kit/width';
import '@/screens/shared/standards/walk.css';

const CALL = '/yuzhu-equip/configinfo';
const RULES = '/inspect/rule';
const TASKS = '/inspect/order';
const DAY = 'YYYY-MM-DD';
const POLL = 1000;
const [MADE, EXISTS, EXEMPT, NOBODY] = [1, 2, 3, 4];
const TONES = { [MADE]: 'good', [EXISTS]: 'quiet', [EXEMPT]: 'off', [NOBODY]: 'waiting' } as const;
type Task = Wire<'PlannedTask'>;
type Outcome = Wire<'Generation'>;

const isMade = ({ state }: Task) => [MADE, EXEMPT, NOBODY].includes(state);

export default function Make() {
  const { t } = useTranslation();
  const [asked, setAsked] = useSearchParams();
  const calendar = useCalendar();
  const label = useLabels(taskrule);
  const phone = usePhone();
  const plan = asked.get('plan') ?? '';
  const first = asked.get('from') ?? dayjs().format(DAY);
  const last = asked.get('to') ?? dayjs().add(2, 'day').format(DAY);
  const [shown, setShown] = useState<'all' | 'made' | 'other'>('all');
  const [rebuild, setRebuild] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  useContentTitle(t('rounds.make.title'));
  const set = (given: Record<string, string>) => {
    setOutcome(undefined);
    setAsked((before) => new URLSearchParams({ ...Object.fromEntries(before), ...given }), { replace: true });
  };
  const { data, error, isFetching } = useQuery({
    queryKey: [inspectorder.name, 'planned', plan, first, last],
    queryFn: ({ signal }) =>
      api.get(`${CALL}/makeTask`, { id: plan, startDate: first, endDate: last }, signal),
    enabled: Boolean(plan),
  });
  const make = (mode: 1 | 2) =>
    api.post(`${CALL}/saveMakeTask`, { id: plan, generate: { startDate: first, endDate: last, mode } });
  const action = useAction({
    run: () => make(1),
    invalidates: [[inspectorder.name]],
    onDone: (made) => setOutcome(made),
  });
  const source = sourceOf(taskrule, 'configId', { status: 2 });
  const preview = data?.preview;
  const tasks = preview?.days.flatMap((day) => day.tasks) ?? [];
  const rows = tasks.filter((task) => shown === 'all' || isMade(task) === (shown === 'made'));
  const counts = ['create', 'exempt', 'exist', 'suppressed', 'noTeam', 'past'] as const;
  const bounds: [Dayjs, Dayjs] = [dayjs(first), dayjs(last)];
  const state = (task: Task) => (
    <>
      <ToneTag tone={TONES[task.state as 1] ?? 'off'}>{task.stateName}</ToneTag>
      {task.reason && <div className="x-quiet">{task.reason}</div>}
    </>
  );
  const time = (task: Task) =>
    `${task.planStart.slice(5, 16)} – ${task.planEnd.slice(task.planEnd.slice(0, 10) === task.planStart.slice(0, 10) ? 11 : 5, 16)}`;

  return (
    <div>
      <div className="x-head">
        <h1>{t('rounds.make.title')}</h1>
        <div className="x-head-actions">
          <Link to={RULES}>{t('rounds.make.toRules')}</Link>
          <Link to={TASKS}>{t('rounds.make.toTasks')}</Link>
        </div>
      </div>
      <div className="x-panel x-make-asked">
        <div className="x-make-plan">
          <span>{t('rounds.make.plan')}</span>
          {source && (
            <ReferenceSelect
              source={source}
              label={t('rounds.make.plan')}
              value={plan || undefined}
              onChange={(value?: string) => set({ plan: value ?? '' })}
            />
          )}
        </div>
        <div>
          <span>{t('rounds.make.span')}</span>
          <DatePicker.RangePicker
            {...calendar}
            value={bounds}
            allowClear={false}
            minDate={dayjs().subtract(1, 'day')}
            onChange={(days) =>
              days?.[0] && days[1] && set({ from: days[0].format(DAY), to: days[1].format(DAY) })
            }
          />
        </div>
      </div>
      {!plan && <EmptyState title={t('rounds.make.preview')} hint={t('rounds.make.pickPlan')} />}
      {Boolean(error) && <ErrorLine error={error} />}
      {plan && !data && !error && <PageSkeleton rows={8} />}
      {outcome && <Made outcome={outcome} />}
      {data && preview && (
        <section className="x-panel x-section" aria-busy={isFetching}>
          <dl className="x-make-counts">
            {counts.map((name) => (
              <div key={name}>
                <dt>{t(`rounds.make.count.${name}`)}</dt>
                <dd>{preview[name]}</dd>
              </div>
            ))}
          </dl>
          {preview.isCut === 1 && (
            <Alert type="info" showIcon title={t('rounds.make.cut', { n: tasks.length })} />
          )}
          {tasks.length === 0 ? (
            <EmptyState
              title={t(data.rules.length === 0 ? 'rounds.make.noRules' : 'rounds.make.nothing')}
              hint={t('rounds.make.nothingHint')}
              action={<Link to={RULES}>{t('rounds.make.toRules')}</Link>}
            />
          ) : (
            <>
              <Segmented
                className="x-make-filter"
                value={shown}
                onChange={setShown}
                options={(['all', 'made', 'other'] as const).map((value) => ({
                  value,
                  label: t(`rounds.make.filter.${value}`),
                }))}
              />
              {phone ? (
                <ul className="x-make-cards">
                  {rows.slice(0, 200).map((task) => (
                    <li key={task.genKey}>
                      <strong>{task.groupName}</strong>
                      <span>{time(task)}</span>
                      <span className="x-quiet">
                        {[task.shiftName, task.teamName].filter(Boolean).join(' · ')}
                      </span>
                      {state(task)}
                    </li>
                  ))}
                </ul>
              ) : (
                <Table<Task>
                  size="small"
                  rowKey="genKey"
                  dataSource={rows}
                  pagination={{ pageSize: 50, hideOnSinglePage: true, showSizeChanger: false }}
                  columns={[
                    { title: t('rounds.make.window'), width: 210, render: (_, task) => time(task) },
                    { title: label('groupId'), dataIndex: 'groupName' },
                    { title: label('ruleName'), dataIndex: 'ruleName' },
                    {
                      title: t('rounds.make.people'),
                      render: (_, task) =>
                        [task.shiftName, task.teamName, task.userNames].filter(Boolean).join(' · '),
                    },
                    { title: t('rounds.make.state'), width: 230, render: (_, task) => state(task) },
                  ]}
                />
              )}
            </>
          )}
        </section>
      )}
      {data && preview && tasks.length > 0 && (
        <div className="x-sticky-bar">
          <div className="x-bar">
            {Boolean(action.error) && (
              <div className="x-bar-error">
                <ErrorLine error={action.error} />
              </div>
            )}
            <Button danger onClick={() => setRebuild(true)}>
              {t('rounds.make.rebuild')}
            </Button>
            <Button
              type="primary"
              loading={action.busy}
              disabled={preview.create === 0}
              onClick={() => action.run()}
            >
              {t('rounds.make.append', { count: preview.create })}
            </Button>
          </div>
        </div>
      )}
      {rebuild && (
        <ConfirmDialog
          title={t('rounds.make.rebuildTitle')}
          okText={t('rounds.make.rebuild')}
          danger
          run={async () => setOutcome(await make(2))}
          invalidates={[[inspectorder.name]]}
          onClose={() => setRebuild(false)}
        >
          {t('rounds.make.rebuildText')}
        </ConfirmDialog>
      )}
    </div>
  );
}

/** What came of it: at once, or a background run that is watched until its end. */
function Made({ outcome }: { outcome: Outcome }) {
  const { t } = useTranslation();
  const { runId } = outcome;
  const client = useQueryClient();
  const { data: run, error } = useQuery({
    queryKey: ['taskRun', runId],
    queryFn: ({ signal }) => api.get(`${CALL}/makeTaskRun`, { id: runId ?? '' }, signal),
    enabled: Boolean(runId),
    refetchInterval: ({ state }) => (state.data && state.data.state !== 1 ? false : POLL),
  });
  const ended = run !== undefined && run.state !== 1;
  // What is shown of tasks was read when the making began.
  useEffect(() => {
    if (ended) client.invalidateQueries({ queryKey: [inspectorder.name] });
  }, [ended, client]);
  if (!runId) {
    const words = t('rounds.make.done', { created: outcome.created, skipped: outcome.skipped });
    const more = outcome.voided > 0 ? t('rounds.make.voided', { n: outcome.voided }) : '';
    return <Alert type="success" showIcon title={words + more} />;
  }
  if (error && !run) return <ErrorLine error={error} />;
  const words =
    run?.state === 3
      ? t('rounds.make.failed', { reason: run.reason })
      : ended
        ? t('rounds.make.ended', { created: run.created })
        : t('rounds.make.background');
  return (
    <Alert
      type={run?.state === 3 ? 'error' : ended ? 'success' : 'info'}
      showIcon
      title={words}
      description={
        run && (
          <>
            <Progress percent={Math.round((run.done / (run.total || 1)) * 100)} />
            {t('rounds.make.progress', { done: run.done, total: run.total, created: run.created })}
          </>
        )
      }
    />
  );
}
