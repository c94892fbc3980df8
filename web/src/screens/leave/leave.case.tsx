/** What the pages of a request for leave add to its declaration: how long it is as one writes it, and who approves. */
import { Form } from 'antd';
import { t } from '@/i18n';
import type { CaseScreen } from '@/workflow/cases/screen';
import { daysBetween } from './days';

/** The server counts the days; here they are shown while the times are chosen. */
function Days() {
  const days = daysBetween(Form.useWatch<string>('startTime'), Form.useWatch<string>('endTime'));
  return (
    <p className="x-full x-hint" aria-live="polite">
      {days === undefined ? t('leave.daysHint') : t('leave.daysCount', { n: days })}
    </p>
  );
}

export default {
  fields: {
    days: { control: Days },
    endTime: {
      rules: [
        ({ getFieldValue }) => ({
          validator: async (_, end?: string | null) => {
            const start: string | undefined = getFieldValue('startTime') ?? undefined;
            if (start && end && end <= start) throw new Error(t('leave.endFirst'));
          },
        }),
      ],
    },
    taskUser: ({ approverName }) => ({
      full: true,
      required: approverName === '',
      message: t('leave.approverNone'),
      placeholder: approverName ? t('leave.approverHead', { name: approverName }) : undefined,
      hint: approverName ? t('leave.approverHint') : undefined,
    }),
  },
} satisfies CaseScreen;
