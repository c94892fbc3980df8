/** What the newest release of the product has brought, and those before it. Opening it is reading it. */
import { useQueryClient } from '@tanstack/react-query';
import { Collapse, Empty, Skeleton } from 'antd';
import { useEffect } from 'react';
import { api } from '@/api/client';
import { useTranslation } from '@/i18n';
import { Modal } from '@/kit/overlays';
import { ErrorState } from '@/kit/states';
import { RELEASE, useRelease } from './releases';

function Lines({ lines }: { lines: readonly string[] | undefined }) {
  return (
    <ul>
      {lines?.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

export default function Release({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { data, error, refetch } = useRelease();
  const unread = data?.unread === 1 ? data.id : undefined;
  useEffect(() => {
    if (unread === undefined) return;
    api
      .post('/yuzhu-equip/systemHistory/read', { id: unread })
      .then(() => queries.setQueryData(RELEASE, (before: typeof data) => before && { ...before, unread: 0 }))
      .catch(() => undefined); // The mark stays, and the next time is tried again.
  }, [unread, queries]);
  const day = (time: string | undefined) => t('release.published', { time: time?.slice(0, 10) });
  return (
    <Modal open title={t('app.release')} onCancel={onClose} footer={null}>
      {!data && (error ? <ErrorState error={error} retry={refetch} /> : <Skeleton active />)}
      {data && !data.id && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={t('release.none')} />}
      {data?.id && (
        <>
          <h3>
            {data.version} {data.name}
          </h3>
          <p className="x-quiet">{day(data.publishTime)}</p>
          <Lines lines={data.contentLines} />
        </>
      )}
      {data?.history && data.history.length > 0 && (
        <>
          <h4>{t('release.older')}</h4>
          <Collapse
            size="small"
            items={data.history.map((one) => ({
              key: one.version,
              label: `${one.version} ${one.name}`,
              extra: <span className="x-quiet">{one.publishTime.slice(0, 10)}</span>,
              children: <Lines lines={one.contentLines} />,
            }))}
          />
        </>
      )}
    </Modal>
  );
}
