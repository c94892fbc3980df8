/** An act on many processes: what would come of each, how far it is, what came of each, and the refused ones again. */
import '@/workflow/inbox/inbox.css';
import { useQueryClient } from '@tanstack/react-query';
import { Button, Progress } from 'antd';
import { useRef, useState } from 'react';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { Drawer } from '@/kit/overlays';
import { ToneTag } from '@/kit/StateTag';
import { usePhone } from '@/kit/width';
import { type Result, useSeries } from '@/workflow/inbox/useSeries';
import { TOUCHES } from './followState';

export type Answer = Wire<'BulkAnswer'>;
type BulkRow = Answer['records'][number];

/** Which processes: those with these ids, or those that the filters find. */
export type Chosen = Readonly<Record<string, string>>;
export interface Given {
  userId?: string;
  node?: string;
  outcome?: string;
  to?: string;
  reason?: string;
}
export interface Asked {
  act: Wire<'FollowRow'>['followActions'][number];
  chosen: Chosen;
}

export const send = (asked: Asked, given: Given, isPreview: boolean) =>
  api.post('/blade-flow/follow/bulk', { act: asked.act, ...asked.chosen, ...given, isPreview });

interface ResultsProps {
  asked: Asked;
  given: Given;
  /** Of the preview. */
  answer: Answer;
  /** Where more is to be said of the act than its name. */
  what?: string;
  onClose: () => void;
}

export function BulkResults({ asked, given, answer, what, onClose }: ResultsProps) {
  const { t } = useTranslation();
  const phone = usePhone();
  const client = useQueryClient();
  const [isBegun, setIsBegun] = useState(false);
  /** Where those stand that were skipped or moved. */
  const details = useRef(new Map<string, string>());
  const series = useSeries(async (ids) => {
    const [row] = (await send({ act: asked.act, chosen: { ids } }, given, false)).records;
    if (!row) throw new Error(t('flow.bulk.gone'));
    if (row.message) throw new Error(row.message);
    details.current.set(ids, row.detail);
  });
  const { results, busy, stop } = series;
  const start = async (ids: readonly string[]) => {
    setIsBegun(true);
    await series.start(ids);
    for (const queryKey of TOUCHES) client.invalidateQueries({ queryKey });
  };

  // What cannot be done is read first.
  const records = [...answer.records].sort((one, other) => Number(!one.message) - Number(!other.message));
  const idsOf = (rows: readonly BulkRow[]) => rows.map(({ processInstanceId }) => processInstanceId);
  const resultOf = ({ processInstanceId: id }: BulkRow) => results[id];
  const willBe = records.filter(({ message }) => !message);
  const done = records.filter((row) => resultOf(row) === 'done');
  // After a stop, those that it did not come to; what the preview refused is tried again on demand.
  const again = busy ? [] : records.filter((row) => resultOf(row) !== 'done');
  const refused = records.filter((row) =>
    resultOf(row) === undefined ? row.message !== '' : typeof resultOf(row) === 'object',
  );
  const act = t(`flow.act.${asked.act}`);
  return (
    <Drawer
      open
      title={t('flow.bulk.title', { act })}
      placement={phone ? 'bottom' : 'right'}
      size={phone ? '92%' : 560}
      onClose={onClose}
      footer={
        <div className="x-bar">
          {busy && <Button onClick={stop}>{t('work.inbox.stop')}</Button>}
          {isBegun && again.length > 0 && (
            <Button onClick={() => start(idsOf(again))}>{t('work.inbox.again', { n: again.length })}</Button>
          )}
          {!isBegun && <Button onClick={onClose}>{t('kit.cancel')}</Button>}
          {!isBegun && (
            <Button
              type="primary"
              danger={asked.act === 'end'}
              disabled={willBe.length === 0}
              onClick={() => start(idsOf(willBe))}
            >
              {t('flow.bulk.run', { act, n: willBe.length })}
            </Button>
          )}
          {isBegun && !busy && (
            <Button type="primary" onClick={onClose}>
              {t('kit.close')}
            </Button>
          )}
        </div>
      }
    >
      {what && <p>{what}</p>}
      {isBegun && (
        <Progress
          percent={Math.round(((done.length + refused.length) / records.length) * 100)}
          status={busy ? 'active' : again.length > 0 ? 'exception' : 'success'}
          aria-label={act}
        />
      )}
      <p role="status">
        {isBegun
          ? t('work.inbox.sum', { done: done.length, refused: refused.length, n: records.length })
          : t('flow.bulk.will', { done: willBe.length, refused: refused.length })}
        {answer.left > 0 && t('flow.bulk.left', { left: answer.left })}
      </p>
      <ul className="x-plain x-results">
        {records.map((row) => {
          const result = resultOf(row);
          const detail = result === undefined ? row.detail : details.current.get(row.processInstanceId);
          const why = typeof result === 'object' ? result.refused : result === undefined ? row.message : '';
          return (
            <li key={row.processInstanceId}>
              <span className="x-results-title">{row.title}</span>
              <Mark result={result} row={row} />
              {/* A title that must not quote the record has the number in it. */}
              {row.businessNo && !row.title.includes(row.businessNo) && (
                <span className="x-results-meta">{row.businessNo}</span>
              )}
              {detail && <span className="x-results-meta">{t('flow.bulk.after', { detail })}</span>}
              {why && <span className="x-results-why">{why}</span>}
            </li>
          );
        })}
      </ul>
    </Drawer>
  );
}

function Mark({ result, row }: { result: Result | undefined; row: BulkRow }) {
  const { t } = useTranslation();
  if (result === 'done') return <ToneTag tone="good">{t('flow.bulk.row.done')}</ToneTag>;
  if (result === 'busy') return <ToneTag tone="active">{t('flow.bulk.row.busy')}</ToneTag>;
  if (result === 'waiting') return <ToneTag tone="quiet">{t('work.inbox.waiting')}</ToneTag>;
  if (typeof result === 'object') return <ToneTag tone="bad">{t('flow.bulk.row.refused')}</ToneTag>;
  if (row.message) return <ToneTag tone="bad">{t('flow.bulk.row.cannot')}</ToneTag>;
  return <ToneTag tone="quiet">{t('flow.bulk.row.will')}</ToneTag>;
}
