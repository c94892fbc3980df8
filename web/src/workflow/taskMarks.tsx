/** What tells a task that cannot wait: its priority, and how much time is left. */
import { Tooltip } from 'antd';
import { useTranslation } from '@/i18n';
import { useDuration } from '@/kit/Minutes';
import { ToneTag } from '@/kit/StateTag';
import { fromWire, moment } from '@/lib/dates';
import { useNow } from '@/lib/useNow';
import type { QueueRow } from './queries';

const MINUTE = 60_000;
/** So much of its time is left when a task begins to press. */
const PRESSES = 0.2;

/** From a day on, minutes do not matter. */
const rounded = (minutes: number) => (minutes >= 1440 ? minutes - (minutes % 60) : minutes);

/** Critical and urgent; an ordinary priority has no mark. */
export function PriorityMark({ row }: { row: Pick<QueueRow, 'priority'> }) {
  const { t } = useTranslation();
  if (row.priority === 1)
    return (
      <ToneTag tone="bad" grade>
        {t('work.priority.critical')}
      </ToneTag>
    );
  if (row.priority === 2)
    return (
      <ToneTag tone="waiting" grade>
        {t('work.priority.urgent')}
      </ToneTag>
    );
  return null;
}

type Due = Pick<QueueRow, 'dueAt' | 'dueTime' | 'createTime' | 'lateTime'>;

/** The time left until the step's deadline, or since it passed. */
export function DueMark({ row }: { row: Due }) {
  const { t } = useTranslation();
  const words = useDuration();
  const now = useNow();
  if (row.dueAt === undefined) return null;
  const left = Math.floor((row.dueAt - now) / MINUTE);
  const at = moment(row.dueTime || row.lateTime);
  if (left >= 0) {
    const text = t('work.left', { time: words(rounded(left)) });
    return (
      <Tooltip title={t('work.dueAt', { time: at })}>
        <span>{presses(row, left) ? <ToneTag tone="waiting">{text}</ToneTag> : text}</span>
      </Tooltip>
    );
  }
  return (
    <Tooltip title={t('work.lateSince', { time: at })}>
      <span>
        <ToneTag tone="bad">{t('work.lateFor', { time: words(rounded(-left)) })}</ToneTag>
      </span>
    </Tooltip>
  );
}

/** Whether little of the time that the step had is left. */
function presses(row: Due, left: number): boolean {
  const whole = (fromWire(row.dueTime)?.valueOf() ?? 0) - (fromWire(row.createTime)?.valueOf() ?? 0);
  return left * MINUTE <= whole * PRESSES;
}
