/** What happened, in order: when, who, what, and the words left behind. */
import type { ReactNode } from 'react';
import { useTranslation } from '@/i18n';
import { moment } from '@/lib/dates';
import { TONE_ICONS } from './StateTag';
import type { Tone } from './tones';

export interface TimelineItem {
  key: string;
  /** As on the wire; none for what has not happened yet. */
  time?: string | null;
  /** It goes on since then. */
  lasts?: boolean;
  title: ReactNode;
  by?: string | null;
  note?: ReactNode;
  tone?: Tone;
}

export function Timeline({ items }: { items: readonly TimelineItem[] }) {
  const { t } = useTranslation();
  if (items.length === 0) return <p className="x-quiet">{t('kit.document.noTimeline')}</p>;
  return (
    <ol className="x-timeline">
      {items.map(({ key, time, lasts, title, by, note, tone = 'quiet' }) => (
        <li key={key}>
          <span className={`x-timeline-dot x-tone-${tone}`}>{TONE_ICONS[tone]}</span>
          <div className="x-timeline-title">{title}</div>
          <div className="x-timeline-by">
            {by}
            {by && time && ' · '}
            {time && (
              <span className="x-nowrap">
                {lasts ? t('kit.document.since', { time: moment(time) }) : moment(time)}
              </span>
            )}
          </div>
          {note && <div className="x-timeline-note">{note}</div>}
        </li>
      ))}
    </ol>
  );
}
