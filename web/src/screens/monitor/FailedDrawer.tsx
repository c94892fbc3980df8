/** What has failed in a queue: why, and what can be done about each. What belongs to a process is repaired there. */
import './monitor.css';
import { useQuery } from '@tanstack/react-query';
import { Button, Pagination } from 'antd';
import { useState } from 'react';
import { Link } from 'react-router';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { ConfirmDialog } from '@/kit/ConfirmDialog';
import { Drawer } from '@/kit/overlays';
import { EmptyState, ErrorState, PageSkeleton } from '@/kit/states';
import { usePhone } from '@/kit/width';
import { useCanOpen, useRights } from '@/session/rights';

type Failed = Wire<'Failed'>;

const SIZE = 20;
const FOLLOW = '/flow/follow';
const TOPICS = [
  'desk.message',
  'process.message',
  'process.endRunning',
  'identity.personLeft',
  'timer',
] as const;

interface FailedDrawerProps {
  /** Name of the list, whose figures change with what is done here. */
  name: string;
  row: Pick<Wire<'QueueRow'>, 'queue' | 'tenantId' | 'tenantName'>;
  onClose: () => void;
}

export function FailedDrawer({ name, row, onClose }: FailedDrawerProps) {
  const { t } = useTranslation();
  const phone = usePhone();
  const may = useRights();
  const seesProcesses = useCanOpen(FOLLOW);
  const [current, setCurrent] = useState(1);
  const [asked, setAsked] = useState<{ act: 'retry' | 'discard'; one: Failed }>();
  const { data, error, refetch } = useQuery({
    queryKey: [name, 'failed', row.queue, row.tenantId, current],
    queryFn: ({ signal }) =>
      api.list(
        '/blade-system/queue/failed',
        { queue: row.queue, tenantId: row.tenantId, current, size: SIZE },
        signal,
      ),
  });
  const topic = (one: Failed) => {
    const known = TOPICS.find((value) => value === one.topic);
    return known ? t(`log.queue.topics.${known.replace('.', '_') as 'timer'}`) : one.topic;
  };
  const acts = (['retry', 'discard'] as const).filter((act) => may(`queue_${act}`));

  return (
    <Drawer
      open
      title={t(`log.queue.failedTitle.${row.queue}`)}
      size={phone ? '100%' : 640}
      onClose={onClose}
    >
      {error && <ErrorState error={error} retry={refetch} />}
      {!data && !error && <PageSkeleton rows={3} />}
      {data?.records.length === 0 && <EmptyState title={t('log.queue.noneFailed')} />}
      <ul className="x-failed">
        {data?.records.map((one) => (
          <li key={one.id}>
            <strong>{topic(one)}</strong>
            <p className="x-failed-why">{one.error}</p>
            <div className="x-bar">
              <span className="x-quiet">{t('log.queue.attempts', { count: one.attempts })}</span>
              {one.processInstanceId === '' &&
                acts.map((act) => (
                  <Button
                    key={act}
                    size="small"
                    danger={act === 'discard'}
                    onClick={() => setAsked({ act, one })}
                  >
                    {t(`log.queue.${act}`)}
                  </Button>
                ))}
              {one.processInstanceId !== '' && seesProcesses && (
                <Link to={`${FOLLOW}/${one.processInstanceId}`}>{t('log.queue.toProcess')}</Link>
              )}
            </div>
          </li>
        ))}
      </ul>
      {data && data.total > SIZE && (
        <Pagination
          size="small"
          current={current}
          pageSize={SIZE}
          total={data.total}
          showSizeChanger={false}
          onChange={setCurrent}
        />
      )}
      {asked && (
        <ConfirmDialog
          title={t(`log.queue.${asked.act}One`)}
          okText={t(`log.queue.${asked.act}`)}
          danger={asked.act === 'discard'}
          run={() =>
            api.post(`/blade-system/queue/${asked.act}`, undefined, {
              queue: row.queue,
              tenantId: row.tenantId,
              ids: asked.one.id,
            })
          }
          invalidates={[[name]]}
          onClose={() => setAsked(undefined)}
        >
          {t(`log.queue.${asked.act}OneText`, { what: topic(asked.one), company: row.tenantName })}
        </ConfirmDialog>
      )}
    </Drawer>
  );
}
