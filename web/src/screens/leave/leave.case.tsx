/** What the pages of a request for leave add to its declaration: who approves it, and cards that say who is away. */
import dayjs from 'dayjs';
import { Link } from 'react-router';
import { leaverecord } from '@/api/nouns/leaverecord';
import type { Wire } from '@/api/wire';
import { t } from '@/i18n';
import { shownText } from '@/kit/nounText';
import { fromWire } from '@/lib/dates';
import { currentSession } from '@/session/session';
import { type CaseScreen, listOf } from '@/workflow/cases/screen';

const { startTime, endTime } = leaverecord.fields;
const APPROVED = 3;

/** Whoever is away soon, or already, is offered to name a cover for just this time. */
function CoverLink({ row }: { row: Wire<'LeaveDetail'> }) {
  const isOwn = row.status === APPROVED && row.userId === currentSession()?.userId;
  if (!isOwn || (fromWire(row.endTime)?.isBefore(dayjs()) ?? true)) return null;
  const period = new URLSearchParams({ from: row.startTime ?? '', until: row.endTime ?? '' });
  return <Link to={`/work/absence?${period}`}>{t('leave.cover')}</Link>;
}

export default {
  useList: () =>
    listOf(leaverecord, {
      filters: [
        { kind: 'text', name: 'keyword', label: t('leave.keyword') },
        'userId',
        'deptId',
        'type',
        'status',
        'startTime',
        'applyTime',
      ],
      inline: 6,
      card: (row) => ({
        title: `${row.userName} · ${row.typeName} ${t('kit.period.days', { count: row.days ?? 0 })}`,
        meta: [
          `${shownText(startTime, row.startTime)} – ${shownText(endTime, row.endTime)}`,
          [row.deptName, row.waitingFor].filter(Boolean).join(' · '),
        ],
      }),
    }),
  tags: (row) => <CoverLink row={row} />,
  values: { days: ({ days }) => days !== null && t('kit.period.days', { count: Number(days) }) },
  start: { title: () => t('leave.title') },
  fields: {
    taskUser: ({ approverName }) => ({
      full: true,
      required: approverName === '',
      message: t('leave.approverNone'),
      placeholder: approverName ? t('leave.approverHead', { name: String(approverName) }) : undefined,
      hint: approverName ? t('leave.approverHint') : undefined,
    }),
  },
} satisfies CaseScreen<Wire<'LeaveDetail'>>;
