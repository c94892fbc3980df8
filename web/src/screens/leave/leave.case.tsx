/** What the pages of a request for leave add to its declaration: who approves it, and cards that say who is away. */
import { leaverecord } from '@/api/nouns/leaverecord';
import { t } from '@/i18n';
import { shownText } from '@/kit/nounText';
import { type CaseScreen, listOf } from '@/workflow/cases/screen';

const { startTime, endTime } = leaverecord.fields;

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
} satisfies CaseScreen;
