/** Whether the audit log still is what was sealed: up to where it is, what the checks have found, and a check now. */
import '../monitor.css';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Alert, Button, Progress } from 'antd';
import { useEffect, useState } from 'react';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { DetailDrawer } from '@/kit/DetailDrawer';
import { type Fact, Facts } from '@/kit/Facts';
import type { Filter } from '@/kit/filters';
import { type Column, ResourceList } from '@/kit/ResourceList';
import { ToneTag } from '@/kit/StateTag';
import { ErrorLine, ErrorState, PageSkeleton } from '@/kit/states';
import type { Tone } from '@/kit/tones';
import { useAction } from '@/kit/useAction';
import { useTenantChoice } from '@/screens/shared/tenantChoice';
import { useRights } from '@/session/rights';

type Check = Wire<'SealCheck'>;
type Detail = Wire<'SealCheckDetail'>;

const NAME = 'sealcheck';
/** Seconds between two looks, while a check runs and while none does. */
const BUSY_POLL = 2;
const IDLE_POLL = 60;
/** As many waiting entries as the server counts. */
const COUNTED = 10_000;
const [WAITING, RUNNING, INTACT, BROKEN, FAILED] = [1, 2, 3, 4, 5] as const;
const TONES: Readonly<Record<number, Tone>> = {
  [WAITING]: 'waiting',
  [RUNNING]: 'active',
  [INTACT]: 'good',
  [BROKEN]: 'bad',
  [FAILED]: 'waiting',
};
const WORDS = ['waiting', 'running', 'intact', 'broken', 'failed'] as const;
const isOpen = (check: Check) => check.state === WAITING || check.state === RUNNING;

function Result({ check }: { check: Check }) {
  return <ToneTag tone={TONES[check.state] ?? 'quiet'}>{check.stateName}</ToneTag>;
}

function Share({ check }: { check: Check }) {
  const { t } = useTranslation();
  return (
    <Progress
      aria-label={t('log.seal.progress')}
      size="small"
      status="active"
      percent={check.total > 0 ? Math.floor((check.seals / check.total) * 100) : 0}
      format={() => `${check.seals.toLocaleString()} / ${check.total.toLocaleString()}`}
    />
  );
}

/** The first places at which the log is not what was sealed. */
function Findings({ check }: { check: Detail }) {
  const { t } = useTranslation();
  const more = check.faultCount - check.faults.length;
  return (
    <ul className="x-failed">
      {check.faults.map((fault) => (
        <li key={`${fault.number} ${fault.what}`}>
          <strong>{t('log.seal.batch', { n: fault.number })}</strong>
          <p className="x-failed-why">{fault.what}</p>
          {fault.sealedTime && (
            <span className="x-quiet">
              {t('log.seal.entriesOf', {
                from: fault.fromTime || '…',
                to: fault.toTime,
                time: fault.sealedTime,
              })}
            </span>
          )}
        </li>
      ))}
      {more > 0 && <li className="x-quiet">{t('log.seal.more', { count: more })}</li>}
    </ul>
  );
}

function LastResult({ check }: { check: Detail | null }) {
  const { t } = useTranslation();
  if (!check)
    return <Alert type="info" showIcon title={t('log.seal.never')} description={t('log.seal.neverHint')} />;
  if (check.state === BROKEN)
    return (
      <Alert type="error" showIcon title={t('log.seal.broken')} description={<Findings check={check} />} />
    );
  if (check.state === FAILED) return <Alert type="warning" showIcon title={t('log.seal.failed')} />;
  return (
    <div>
      <Result check={check} /> {t('log.seal.intact')}
    </div>
  );
}

/** Up to where the log is sealed, and what the last check has found. */
function State({ data }: { data: Wire<'SealState'> }) {
  const { t } = useTranslation();
  const { last, running } = data;
  const waiting =
    data.waiting < COUNTED
      ? data.waiting.toLocaleString()
      : t('log.seal.waitingMost', { n: (COUNTED - 1).toLocaleString() });
  const facts: Fact[] = [
    { label: t('log.seal.sealedTo'), value: data.toTime },
    { label: t('log.seal.sealedAt'), value: data.sealedTime },
    { label: t('log.seal.waiting'), value: waiting },
    { label: t('log.seal.last'), value: last?.endTime },
    ...(running ? [] : [{ label: t('log.seal.next'), value: data.nextTime }]),
  ];
  return (
    <div className="x-panel x-seal">
      {running && (
        <div role="status">
          <Share check={running} />
          <p className="x-quiet">{t('log.seal.running')}</p>
        </div>
      )}
      <LastResult check={last} />
      <Facts items={facts} />
    </div>
  );
}

function CheckDrawer({ id, tenantId, onClose }: { id: string; tenantId?: string; onClose: () => void }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({
    queryKey: [NAME, 'detail', id],
    queryFn: ({ signal }) => api.get('/blade-log/sealcheck/detail', { id, tenantId }, signal),
    refetchInterval: ({ state }) => (state.data && isOpen(state.data) ? BUSY_POLL * 1000 : false),
  });
  return (
    <DetailDrawer
      title={data?.beginTime ?? t('log.seal.title')}
      state={data && <Result check={data} />}
      loading={!data}
      error={error}
      retry={refetch}
      onClose={onClose}
    >
      {data && (
        <>
          <Facts
            items={[
              { label: t('log.seal.begun'), value: data.beginTime },
              { label: t('log.seal.ended'), value: data.endTime },
              { label: t('log.seal.by'), value: data.userName || t('log.seal.daily') },
              {
                label: t('log.seal.batches'),
                value: `${data.seals.toLocaleString()} / ${data.total.toLocaleString()}`,
              },
              { label: t('log.seal.entries'), value: data.rows.toLocaleString() },
              { label: t('log.seal.waiting'), value: data.waiting.toLocaleString() },
              {
                label: t('log.seal.range'),
                value: data.fromTime && `${data.fromTime} – ${data.toTime}`,
                full: true,
              },
            ]}
          />
          {data.faultCount > 0 && (
            <div className="x-fact-group x-seal-findings">
              <h2>{`${t('log.seal.faults')} (${data.faultCount.toLocaleString()})`}</h2>
              <Findings check={data} />
            </div>
          )}
        </>
      )}
    </DetailDrawer>
  );
}

export default function SealChecks() {
  const { t } = useTranslation();
  const { tenantId, picker } = useTenantChoice();
  const may = useRights();
  const client = useQueryClient();
  const [opened, setOpened] = useState<string>();
  const { data, error, refetch } = useQuery({
    queryKey: [NAME, 'state', tenantId],
    queryFn: ({ signal }) => api.get('/blade-log/sealcheck/state', { tenantId }, signal),
    refetchInterval: ({ state }) => (state.data?.running ? BUSY_POLL : IDLE_POLL) * 1000,
  });
  const verify = useAction({
    run: () => api.post('/blade-log/sealcheck/start', undefined, { log: 'usual', tenantId }),
    invalidates: [[NAME]],
  });
  const running = data?.running?.id;
  // The list shows what has begun, and what came of it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: that it begins or ends is what matters
  useEffect(() => {
    client.invalidateQueries({ queryKey: [NAME, 'list'] });
  }, [client, running]);

  const count = (key: 'seals' | 'rows' | 'faultCount', title: string): Column<Check> => ({
    key,
    title,
    width: 90,
    align: 'end',
    nowrap: true,
    render: (check) => check[key].toLocaleString(),
  });
  const by = (check: Check) => check.userName || t('log.seal.daily');
  const columns: Column<Check>[] = [
    { key: 'beginTime', title: t('log.seal.begun'), width: 165, nowrap: true, sortable: true },
    { key: 'endTime', title: t('log.seal.ended'), width: 155, nowrap: true },
    {
      key: 'state',
      title: t('log.seal.state'),
      width: 130,
      nowrap: true,
      render: (check) => <Result check={check} />,
    },
    count('seals', t('log.seal.batches')),
    count('rows', t('log.seal.entries')),
    count('faultCount', t('log.seal.faults')),
    { key: 'userName', title: t('log.seal.by'), width: 130, render: by },
  ];
  const filters: Filter[] = [
    {
      kind: 'select',
      name: 'state',
      label: t('log.seal.state'),
      options: WORDS.map((word, index) => ({
        value: String(index + 1),
        label: t(`log.seal.states.${word}`),
      })),
    },
  ];

  return (
    <>
      <ResourceList<Check>
        key={tenantId}
        name={NAME}
        title={t('log.seal.title')}
        load={(query, signal) => api.list('/blade-log/sealcheck/list', query, signal)}
        fixed={{ tenantId }}
        columns={columns}
        filters={filters}
        views={false}
        action={
          <>
            {picker}
            {may('sealcheck_start') && (
              <Button
                type="primary"
                loading={verify.busy}
                disabled={running !== undefined}
                onClick={() => verify.run()}
              >
                {t('log.seal.verify')}
              </Button>
            )}
          </>
        }
        intro={
          <>
            <ErrorLine error={verify.error} />
            {error && !data && <ErrorState error={error} retry={refetch} />}
            {!data && !error && <PageSkeleton rows={3} />}
            {data && <State data={data} />}
          </>
        }
        poll={running ? BUSY_POLL : IDLE_POLL}
        opened={opened}
        onOpen={(check) => setOpened(check.id)}
        empty={{ title: t('log.seal.empty'), hint: t('log.seal.emptyHint') }}
        card={(check) => ({
          title: check.beginTime,
          state: <Result check={check} />,
          meta: [
            by(check),
            [
              `${t('log.seal.batches')} ${check.seals.toLocaleString()}`,
              `${t('log.seal.entries')} ${check.rows.toLocaleString()}`,
              ...(check.faultCount > 0
                ? [`${t('log.seal.faults')} ${check.faultCount.toLocaleString()}`]
                : []),
            ].join(' · '),
          ],
        })}
      />
      {opened && (
        <CheckDrawer key={opened} id={opened} tenantId={tenantId} onClose={() => setOpened(undefined)} />
      )}
    </>
  );
}
