/** What the pages of a request for leave add to its declaration: who approves it, and cards that say who is away. */
import { leaverecord } from '@/api/nouns/leaverecord';
import { t } from '@/i18n';
import { shownText } from '@/kit/nounText';
import { type CaseScreen, listOf } from '@/workflow/cases/screen';

const { startTime, endTime } = leaverecord.fields;

export default {
  useList: () =>
    listOf(leaverecord, {
      filters: ['userId', 'deptId', 'type', 'status', 'startTime', 'applyTime'],
      inline: 5,
      card: (row) => ({
        title: `${row.userName} · ${row.typeName} ${t('kit.period.days', { count: row.days ?? 0 })}`,
        meta: [
          `${shownText(startTime, row.startTime)} – ${shownText(endTime, row.endTime)}`,
          [row.deptName, row.waitingFor].filter(Boolean).join(' · '),
        ],
      }),
    }),
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
