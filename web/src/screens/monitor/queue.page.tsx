/** What waits for the worker: messages to deliver and timers of processes, and another try of what has failed. */
import { App } from 'antd';
import { useState } from 'react';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { ConfirmDialog } from '@/kit/ConfirmDialog';
import type { Filter } from '@/kit/filters';
import { type Column, ResourceList } from '@/kit/ResourceList';
import { ToneTag } from '@/kit/StateTag';
import { useIsPlatform, useRights } from '@/session/rights';
import { FailedDrawer } from './FailedDrawer';

type Row = Wire<'QueueRow'>;

const NAME = 'queue';
const POLL_SECONDS = 10;
/** Beyond it people notice. */
const SLOW_SECONDS = 60;
const COUNTS = ['due', 'later', 'asleep', 'parked'] as const;

function State({ row }: { row: Row }) {
  const { t } = useTranslation();
  if (row.isOver) return <ToneTag tone="waiting">{t('log.queue.over')}</ToneTag>;
  if (row.parked > 0) return <ToneTag tone="bad">{t('log.queue.failed')}</ToneTag>;
  if (row.lag > SLOW_SECONDS) return <ToneTag tone="waiting">{t('log.queue.slow')}</ToneTag>;
  return <ToneTag tone="good">{t('log.queue.well')}</ToneTag>;
}

export default function Queues() {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const may = useRights();
  const isPlatform = useIsPlatform();
  const [retried, setRetried] = useState<Row>();
  const [looked, setLooked] = useState<Row>();
  const number = (key: (typeof COUNTS)[number] | 'used'): Column<Row> => ({
    key,
    title: t(`log.queue.${key}`),
    width: 84,
    align: 'end',
    nowrap: true,
    render: (row) => row[key].toLocaleString(),
  });
  const kind = (row: Row) => t(`log.queue.${row.queue}`);
  const lag = (row: Row) => t('log.queue.seconds', { n: row.lag.toLocaleString() });
  const share = (row: Row) => `${row.used.toLocaleString()} / ${row.budget.toLocaleString()}`;
  const columns: Column<Row>[] = [
    ...(isPlatform ? [{ key: 'tenantName' as const, title: t('log.queue.company'), width: 150 }] : []),
    { key: 'queue', title: t('log.queue.kind'), width: 90, nowrap: true, render: kind },
    {
      key: 'isOver',
      title: t('log.queue.state'),
      width: 110,
      nowrap: true,
      render: (row) => <State row={row} />,
    },
    { key: 'lag', title: t('log.queue.lag'), width: 84, align: 'end', nowrap: true, render: lag },
    ...COUNTS.map(number),
    { ...number('used'), width: 124, render: share },
  ];
  const filters: Filter[] = isPlatform
    ? [{ kind: 'text', name: 'tenantName', label: t('log.queue.company') }]
    : [];

  return (
    <>
      <ResourceList<Row>
        name={NAME}
        title={t('log.queue.title')}
        load={(query, signal) => api.list('/blade-system/queue/list', query, signal)}
        columns={columns}
        filters={filters}
        views={false}
        poll={POLL_SECONDS}
        card={(row) => ({
          title: isPlatform ? `${row.tenantName} · ${kind(row)}` : kind(row),
          state: <State row={row} />,
          meta: [
            COUNTS.map((key) => `${t(`log.queue.${key}`)} ${row[key].toLocaleString()}`).join(' · '),
            `${t('log.queue.lag')} ${lag(row)} · ${t('log.queue.used')} ${share(row)}`,
          ],
        })}
        rowActions={(row) =>
          row.parked === 0
            ? []
            : [
                { key: 'look', label: t('log.queue.look'), onClick: () => setLooked(row) },
                ...(may('queue_retry')
                  ? [{ key: 'retry', label: t('log.queue.retryAll'), onClick: () => setRetried(row) }]
                  : []),
              ]
        }
      />
      {looked && <FailedDrawer name={NAME} row={looked} onClose={() => setLooked(undefined)} />}
      {retried && (
        <ConfirmDialog
          title={t(`log.queue.retryTitle.${retried.queue}`)}
          okText={t('log.queue.retry')}
          run={async () => {
            const { left } = await api.post('/blade-system/queue/retry', undefined, {
              queue: retried.queue,
              tenantId: retried.tenantId,
            });
            if (left > 0) message.info(t('log.queue.left', { count: left }));
          }}
          invalidates={[[NAME]]}
          onClose={() => setRetried(undefined)}
        >
          {t('log.queue.retryText', { n: retried.parked.toLocaleString(), company: retried.tenantName })}
        </ConfirmDialog>
      )}
    </>
  );
}
