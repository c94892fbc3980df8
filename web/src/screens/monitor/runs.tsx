/** The runs of a scheduled job, newest first; each opens what it did for which company. */
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { useContentTitle } from '@/kit/contentTitle';
import { DetailDrawer } from '@/kit/DetailDrawer';
import { Facts } from '@/kit/Facts';
import type { Filter } from '@/kit/filters';
import { ResourceList } from '@/kit/ResourceList';
import { StateTag } from '@/kit/StateTag';
import { moment } from '@/lib/dates';
import './monitor.css';

type Run = Wire<'JobLog'>;

const NAME = 'schedulelog';
const CALL = '/yuzhu-task/schedulelog';
const POLL_SECONDS = 10;

export default function Runs() {
  const { uuid = '' } = useParams();
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [open, setOpen] = useState<string>();
  const { data: job } = useQuery({
    queryKey: ['schedulejob', 'of', uuid],
    queryFn: async ({ signal }) => {
      const { records } = await api.list('/yuzhu-task/schedulejob/list', { uuid, size: 1 }, signal);
      return records[0] ?? null;
    },
  });
  const title = job ? t('jobs.logsOf', { name: job.jobName }) : t('jobs.logs');
  useContentTitle(title);
  const state = (run: Run) => (
    <StateTag
      dict="job_log_status"
      value={run.status}
      text={run.status === 1 && !run.startTime ? t('jobs.waiting') : run.statusName}
    />
  );
  const cost = (run: Run) =>
    run.costMs === null ? '-' : t('jobs.milliseconds', { cost: run.costMs.toLocaleString() });
  const counts = (run: Run) => [run.handled, run.created, run.skipped, run.failed].join(' / ');
  const filters: Filter[] = [
    { kind: 'dict', name: 'logStatus', label: t('jobs.status'), dict: 'job_log_status' },
    { kind: 'dict', name: 'triggerType', label: t('jobs.trigger'), dict: 'trigger_type' },
    { kind: 'dates', name: 'dueTime', label: t('jobs.due') },
  ];
  return (
    <>
      <ResourceList<Run>
        name={NAME}
        title={title}
        load={(query, signal) => api.list(`${CALL}/list`, query, signal)}
        fixed={{ uuid }}
        poll={POLL_SECONDS}
        views={false}
        filters={filters}
        action={<Button onClick={() => navigate('/monitor/job')}>{t('jobs.all')}</Button>}
        columns={[
          {
            key: 'dueTime',
            title: t('jobs.due'),
            width: 160,
            nowrap: true,
            sortable: true,
            render: (run) => moment(run.dueTime),
          },
          { key: 'triggerTypeName', title: t('jobs.trigger'), width: 100, nowrap: true },
          { key: 'status', title: t('jobs.status'), width: 110, nowrap: true, sortable: true, render: state },
          {
            key: 'startTime',
            title: t('jobs.begin'),
            width: 160,
            nowrap: true,
            render: (run) => moment(run.startTime),
          },
          {
            key: 'costMs',
            title: t('jobs.cost'),
            width: 110,
            nowrap: true,
            align: 'end',
            sortable: true,
            render: cost,
          },
          { key: 'handled', title: t('jobs.counts'), width: 220, nowrap: true, render: counts },
          { key: 'message', title: t('jobs.message'), width: 240 },
          { key: 'operatorName', title: t('jobs.by'), width: 100, extra: true },
        ]}
        card={(run) => ({
          title: moment(run.dueTime),
          state: state(run),
          meta: [`${run.triggerTypeName} · ${cost(run)}`, run.message || counts(run)],
        })}
        onOpen={(run) => setOpen(run.uuid)}
        empty={{ title: t('jobs.noLogs'), hint: t('jobs.noLogsHint') }}
      />
      {open && <OneRun uuid={open} onClose={() => setOpen(undefined)} />}
    </>
  );
}

function OneRun({ uuid, onClose }: { uuid: string; onClose: () => void }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({
    queryKey: [NAME, 'detail', uuid],
    queryFn: ({ signal }) => api.get(`${CALL}/detail`, { uuid }, signal),
  });
  return (
    <DetailDrawer
      title={data?.jobName ?? t('jobs.log')}
      state={data && <StateTag dict="job_log_status" value={data.status} text={data.statusName} />}
      loading={!data}
      error={error}
      retry={refetch}
      onClose={onClose}
    >
      {data && (
        <>
          <Facts
            items={[
              { label: t('jobs.due'), value: moment(data.dueTime) },
              { label: t('jobs.trigger'), value: data.triggerTypeName },
              { label: t('jobs.begin'), value: moment(data.startTime) },
              { label: t('jobs.end'), value: moment(data.endTime) },
              { label: t('jobs.attempt'), value: data.attempt },
              {
                label: t('jobs.counts'),
                value: [data.handled, data.created, data.skipped, data.failed].join(' / '),
              },
              ...data.parameters
                .filter(({ value }) => value !== null)
                .map(({ label, value }) => ({ label, value })),
              { label: t('jobs.by'), value: data.operatorName || '-' },
              { label: t('jobs.server'), value: data.server || '-' },
              { label: t('jobs.message'), value: data.message || '-' },
            ]}
          />
          {data.detail && <pre className="x-run-detail">{data.detail}</pre>}
        </>
      )}
    </DetailDrawer>
  );
}
