/** Scheduled jobs: when they run, what came of it; started, stopped, run once and set here. */
import { Form } from 'antd';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { api } from '@/api/client';
import type { RowOf } from '@/api/noun';
import { listRows } from '@/api/nounCalls';
import { schedulejob } from '@/api/nouns/schedulejob';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { ConfirmDialog } from '@/kit/ConfirmDialog';
import { FormDrawer } from '@/kit/FormDrawer';
import { DictField, NumberField, TextAreaField, TextField } from '@/kit/fields';
import { columnsOf } from '@/kit/NounPage';
import { ChoiceField, ReferenceField } from '@/kit/nounFields';
import { useFilters } from '@/kit/nounFilters';
import { useLabels } from '@/kit/nounText';
import { ResourceList } from '@/kit/ResourceList';
import { StateTag, ToneTag } from '@/kit/StateTag';
import { moment } from '@/lib/dates';
import { useEntry, useIsPlatform, useRights } from '@/session/rights';

type Job = RowOf<typeof schedulejob>;
type Act = 'start' | 'stop' | 'run';

const HERE = '/monitor/job';
const CALL = '/yuzhu-task/schedulejob';
const POLL_SECONDS = 10;
const [STOPPED, RUNNING] = [0, 1];
const [CRON, INTERVAL] = [1, 2];
const CHOSEN = 2;

export const runsOf = (job: Pick<Job, 'uuid'>) => `/task/schedulelog/${job.uuid}`;

export default function Jobs() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const may = useRights();
  const isPlatform = useIsPlatform();
  const label = useLabels(schedulejob);
  const entry = useEntry(HERE);
  const filters = useFilters(schedulejob, ['jobName', 'group', 'status', 'lastResult']);
  const [act, setAct] = useState<{ kind: Act; job: Job }>();
  const [edited, setEdited] = useState<Job>();
  const when = (job: Job) =>
    job.scheduleType === INTERVAL ? t('jobs.every', { n: job.intervalSeconds }) : job.cron;
  const state = (job: Job) => (
    <span className="x-marks">
      <StateTag dict="job_status" value={job.status} text={job.statusName} />
      {job.running === 1 && <ToneTag tone="active">{t('jobs.running')}</ToneTag>}
    </span>
  );
  const result = (job: Job) =>
    job.lastResult === null || job.lastResult === undefined ? (
      '-'
    ) : (
      <StateTag dict="job_log_status" value={job.lastResult} text={job.lastResultName} />
    );
  return (
    <>
      <ResourceList<Job>
        name={schedulejob.name}
        title={entry?.name ?? label('jobName')}
        load={(query, signal) => listRows(schedulejob, query, signal)}
        poll={POLL_SECONDS}
        filters={filters}
        columns={columnsOf(
          schedulejob,
          [
            { key: 'jobName', width: 240 },
            { key: 'groupName', width: 90, nowrap: true, extra: true },
            { key: 'cron', title: t('jobs.when'), width: 132, nowrap: true, render: when },
            { key: 'statusName', width: 140 },
            { key: 'lastFireTime', width: 142 },
            { key: 'lastResultName', width: 100 },
            { key: 'nextFireTime', width: 142 },
            { key: 'jobCode', width: 140, nowrap: true, extra: true },
          ],
          label,
          {
            jobName: (job) => (
              <>
                {job.jobName}
                <div className="x-hint">{job.text}</div>
              </>
            ),
            statusName: state,
            lastResultName: result,
          },
        )}
        card={(job) => ({
          title: job.jobName,
          state: state(job),
          meta: [when(job), `${label('nextFireTime')} ${moment(job.nextFireTime)}`],
        })}
        onOpen={(job) => navigate(runsOf(job))}
        addressOf={runsOf}
        rowActions={(job) => [
          ...(may('schedulejob_run')
            ? [{ key: 'run', label: t('jobs.run'), onClick: () => setAct({ kind: 'run', job }) }]
            : []),
          { key: 'logs', label: t('jobs.logs'), onClick: () => navigate(runsOf(job)) },
          ...(may('schedulejob_edit')
            ? [{ key: 'edit', label: t('jobs.edit'), onClick: () => setEdited(job) }]
            : []),
          ...(job.status === STOPPED && may('schedulejob_start')
            ? [{ key: 'start', label: t('jobs.start'), onClick: () => setAct({ kind: 'start', job }) }]
            : []),
          ...(job.status === RUNNING && may('schedulejob_stop')
            ? [
                {
                  key: 'stop',
                  label: t('jobs.stop'),
                  danger: true,
                  onClick: () => setAct({ kind: 'stop', job }),
                },
              ]
            : []),
        ]}
        empty={{ title: t('jobs.none') }}
      />
      {act?.kind === 'run' && declaredBy(act.job).length > 0 && (
        <FormDrawer<Told>
          title={t('jobs.runTitle', { name: act.job.jobName })}
          note={isPlatform ? t('jobs.runText') : t('jobs.runOwn')}
          initial={{ params: toldBy(act.job) }}
          submit={(values) => api.post(`${CALL}/run`, { ...values, id: act.job.id })}
          submitText={t('jobs.run')}
          success={t('jobs.asked')}
          invalidates={[[schedulejob.name]]}
          onClose={() => setAct(undefined)}
        >
          <Parameters job={act.job} />
        </FormDrawer>
      )}
      {act && (act.kind !== 'run' || declaredBy(act.job).length === 0) && (
        <ConfirmDialog
          title={t(`jobs.${act.kind}Title`, { name: act.job.jobName })}
          okText={t(`jobs.${act.kind}`)}
          danger={act.kind === 'stop'}
          run={() => api.post(`${CALL}/${act.kind}`, { id: act.job.id })}
          success={act.kind === 'run' ? t('jobs.asked') : undefined}
          invalidates={[[schedulejob.name]]}
          onClose={() => setAct(undefined)}
        >
          {act.kind === 'run' && !isPlatform ? t('jobs.runOwn') : t(`jobs.${act.kind}Text`)}
        </ConfirmDialog>
      )}
      {edited && <Settings job={edited} onClose={() => setEdited(undefined)} />}
    </>
  );
}

const PEOPLE = { ref: '/blade-user/select' };
const WRITTEN = [
  'scheduleType',
  'cron',
  'intervalSeconds',
  'tenantScope',
  'tenantIds',
  'blockStrategy',
  'misfire',
  'timeoutSeconds',
  'retryCount',
  'alarmUserIds',
  'remark',
] as const;
type Told = { params: Record<string, number | null> };
type Values = Partial<Pick<Job, (typeof WRITTEN)[number]> & Told>;

const declaredBy = (job: Job) => job.parameters as readonly Wire<'JobParameter'>[];
const toldBy = (job: Job) => Object.fromEntries(declaredBy(job).map(({ name, value }) => [name, value]));

/** The numbers that a job may be told. */
function Parameters({ job }: { job: Job }) {
  const { t } = useTranslation();
  return declaredBy(job).map((one) => (
    <NumberField
      key={one.name}
      name="params"
      at={['params', one.name]}
      label={one.label}
      min={one.least}
      max={one.most}
      hint={t('jobs.paramHint')}
    />
  ));
}

function Settings({ job, onClose }: { job: Job; onClose: () => void }) {
  const { t } = useTranslation();
  const label = useLabels(schedulejob);
  return (
    <FormDrawer<Values>
      title={job.jobName}
      note={job.text}
      initial={
        { ...Object.fromEntries(WRITTEN.map((name) => [name, job[name]])), params: toldBy(job) } as Values
      }
      submit={(values) => api.post(`${CALL}/update`, { ...values, id: job.id, lockVersion: job.lockVersion })}
      success={t('jobs.saved')}
      invalidates={[[schedulejob.name]]}
      onClose={onClose}
    >
      <DictField name="scheduleType" label={label('scheduleType')} dict="schedule_type" buttons required />
      <When type={CRON}>
        <TextField name="cron" label={label('cron')} max={60} required hint={t('jobs.cronHint')} />
      </When>
      <When type={INTERVAL}>
        <NumberField
          name="intervalSeconds"
          label={label('intervalSeconds')}
          min={60}
          max={2_678_400}
          required
        />
      </When>
      <Parameters job={job} />
      <ChoiceField
        name="tenantScope"
        label={label('tenantScope')}
        options={schedulejob.fields.tenantScope.options}
        required
      />
      <OfChosen>
        <TextField name="tenantIds" label={label('tenantIds')} required hint={t('jobs.tenantsHint')} />
      </OfChosen>
      <DictField name="blockStrategy" label={label('blockStrategy')} dict="block_strategy" required />
      <DictField name="misfire" label={label('misfire')} dict="misfire" required />
      <NumberField name="timeoutSeconds" label={label('timeoutSeconds')} min={10} max={7200} required />
      <NumberField name="retryCount" label={label('retryCount')} min={0} max={3} required />
      <ReferenceField name="alarmUserIds" label={label('alarmUserIds')} source={PEOPLE} multiple full />
      <TextAreaField name="remark" label={label('remark')} max={255} full rows={2} />
    </FormDrawer>
  );
}

function When({ type, children }: { type: number; children: ReactNode }) {
  const chosen = Form.useWatch<number | undefined>('scheduleType', Form.useFormInstance());
  return chosen === type ? children : null;
}

function OfChosen({ children }: { children: ReactNode }) {
  const chosen = Form.useWatch<number | undefined>('tenantScope', Form.useFormInstance());
  return chosen === CHOSEN ? children : null;
}
