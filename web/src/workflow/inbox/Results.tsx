/** An act on many rows while it is carried out: how far it is, what came of each row, and the refused ones once more. */
import { useQueryClient } from '@tanstack/react-query';
import { Button, Progress } from 'antd';
import { useEffect, useRef } from 'react';
import { useTranslation } from '@/i18n';
import { Drawer } from '@/kit/overlays';
import { ToneTag } from '@/kit/StateTag';
import { usePhone } from '@/kit/width';
import { type QueueRow, TOUCHED } from '../queries';
import { useActName } from './ActForm';
import { type Act, carryOut, type Given } from './acts';
import { type Result, useSeries } from './useSeries';

interface ResultsProps {
  act: Act;
  /** As they were chosen: those that are done leave the list. */
  rows: readonly QueueRow[];
  given: Given;
  onClose: () => void;
}

function Mark({ result }: { result: Result | undefined }) {
  const { t } = useTranslation();
  if (result === 'done') return <ToneTag tone="good">{t('work.inbox.done')}</ToneTag>;
  if (result === 'busy') return <ToneTag tone="active">{t('work.inbox.busy')}</ToneTag>;
  if (typeof result === 'object') return <ToneTag tone="bad">{t('work.inbox.refused')}</ToneTag>;
  return <ToneTag tone="quiet">{t('work.inbox.waiting')}</ToneTag>;
}

export function Results({ act, rows, given, onClose }: ResultsProps) {
  const { t } = useTranslation();
  const phone = usePhone();
  const client = useQueryClient();
  const name = useActName()(act);
  const series = useSeries((id) => carryOut(act, rows.find((row) => row.id === id) as QueueRow, given));
  const { results, busy, stop } = series;
  const start = async (ids: readonly string[]) => {
    await series.start(ids);
    for (const queryKey of [...TOUCHED, ['orders'], ['case']]) client.invalidateQueries({ queryKey });
  };
  const begun = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is begun once
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    start(rows.map(({ id }) => id));
  }, []);

  const done = rows.filter(({ id }) => results[id] === 'done').length;
  const refused = rows.filter(({ id }) => typeof results[id] === 'object');
  // After a stop, those that it did not come to.
  const left = busy ? [] : rows.filter(({ id }) => results[id] === 'waiting');
  const again = [...refused, ...left];
  return (
    <Drawer
      open
      title={t('work.inbox.many', { action: name, n: rows.length })}
      placement={phone ? 'bottom' : 'right'}
      size={phone ? '92%' : 480}
      onClose={onClose}
      footer={
        <div className="x-bar">
          {busy && <Button onClick={stop}>{t('work.inbox.stop')}</Button>}
          {!busy && again.length > 0 && (
            <Button onClick={() => start(again.map(({ id }) => id))}>
              {t('work.inbox.again', { n: again.length })}
            </Button>
          )}
          {!busy && (
            <Button type="primary" onClick={onClose}>
              {t('kit.close')}
            </Button>
          )}
        </div>
      }
    >
      <Progress
        percent={Math.round(((done + refused.length) / rows.length) * 100)}
        status={busy ? 'active' : again.length > 0 ? 'exception' : 'success'}
        aria-label={name}
      />
      <p role="status">{t('work.inbox.sum', { done, refused: refused.length, n: rows.length })}</p>
      <ul className="x-plain x-results">
        {rows.map((row) => {
          const result = results[row.id];
          return (
            <li key={row.id}>
              <span className="x-results-title">{row.title}</span>
              <Mark result={result} />
              <span className="x-results-meta">
                {[row.businessNo, row.subject].filter(Boolean).join(' · ')}
              </span>
              {typeof result === 'object' && <span className="x-results-why">{result.refused}</span>}
            </li>
          );
        })}
      </ul>
    </Drawer>
  );
}
