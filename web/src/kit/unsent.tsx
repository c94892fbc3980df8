/** What a page knows of this device: what waits here to be sent, and as of when its content is without a network. */
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { Alert } from 'antd';
import dayjs from 'dayjs';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { useTranslation } from '@/i18n';
import { MINUTE } from '@/lib/dates';
import { begin, kept, listen, type Snapshot, snapshot } from '@/session/offline';

/** What waits to be sent, and what was sent lately. After each sending the queries of this key, where one is given, are asked again. */
export function useUnsent(invalidates?: QueryKey): Snapshot {
  const client = useQueryClient();
  const now = useSyncExternalStore(listen, snapshot);
  const last = useRef(now.outcomes);
  const key = useRef(invalidates);
  useEffect(() => {
    begin().catch(() => undefined);
  }, []);
  useEffect(() => {
    if (last.current === now.outcomes) return;
    const isSent = [...now.outcomes].some(([about, { id }]) => last.current.get(about)?.id !== id);
    last.current = now.outcomes;
    if (isSent && key.current) client.invalidateQueries({ queryKey: key.current });
  }, [client, now]);
  return now;
}

/** When the answer came that a page shows in place of a new one; undefined with a network. */
export function useAsOf(address: string): number | undefined {
  useSyncExternalStore(kept.listen, kept.version);
  return kept.asOf(address);
}

/** By address when the answer came that this device keeps. */
export function useKept(): (address: string) => number | undefined {
  useSyncExternalStore(kept.listen, kept.version);
  return kept.at;
}

/** Says that what follows is as it was. */
export function AsOf({ address }: { address: string }) {
  const { t } = useTranslation();
  const at = useAsOf(address);
  if (at === undefined) return null;
  return (
    <Alert
      className="x-block"
      type="warning"
      showIcon
      title={t('unsent.asOf', { time: dayjs(at).format(MINUTE) })}
    />
  );
}
