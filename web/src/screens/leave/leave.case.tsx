/** What the pages of a request for leave add to its declaration: how long it is as one writes it, and who approves. */
import { Alert, Form } from 'antd';
import type { Wire } from '@/api/wire';
import { t } from '@/i18n';
import { moment } from '@/lib/dates';
import type { CaseScreen, ControlProps } from '@/workflow/cases/screen';
import { daysBetween, firstHalf, type Half, lastHalf } from './days';
import { Period } from './Period';

type Leave = Wire<'LeaveDetail'>;

const REJECTED = 4;

/** The server counts the days; here they are shown while the times are chosen. */
function Days() {
  const days = daysBetween(Form.useWatch<string>('startTime'), Form.useWatch<string>('endTime'));
  return (
    <p className="x-full x-hint" aria-live="polite">
      {days === undefined ? t('leave.daysHint') : t('leave.daysCount', { count: days })}
    </p>
  );
}

const endFirst = [
  ({ getFieldValue }: { getFieldValue: (name: string) => string | undefined }) => ({
    validator: async (_: unknown, end?: string | null) => {
      const start = getFieldValue('startTime');
      if (start && end && end <= start) throw new Error(t('leave.endFirst'));
    },
  }),
];

const Times = (props: ControlProps) => (
  <Period {...props} endLabel={t('leave.end')} rules={endFirst as unknown as object[]} />
);

function halfDay(half: Half | undefined) {
  if (!half) return '-';
  return `${half.day.format('YYYY-MM-DD')} ${t(half.half ? 'leave.afternoon' : 'leave.morning')}`;
}

/** Why it came back, for whoever has to change it. */
function Rejection({ leave }: { leave: Leave }) {
  const last = leave.status === REJECTED && leave.logs.findLast(({ action }) => action === 'reject');
  if (!last) return null;
  return (
    <Alert
      className="x-block"
      type="error"
      showIcon
      title={t('leave.rejected', { who: last.userName, time: moment(last.time) })}
      description={last.remark}
    />
  );
}

export default {
  decisions: ['approve', 'hr'],
  next: ({ nextText }) => nextText,
  note: (leave) => <Rejection leave={leave} />,
  values: {
    startTime: ({ startTime }) => halfDay(firstHalf(startTime)),
    endTime: ({ endTime }) => halfDay(lastHalf(endTime)),
  },
  fields: {
    startTime: { control: Times },
    // Asked for together with the start.
    endTime: { hidden: true },
    days: { control: Days },
    taskUser: ({ approverName }) => ({
      full: true,
      required: approverName === '',
      message: t('leave.approverNone'),
      placeholder: approverName ? t('leave.approverHead', { name: approverName }) : undefined,
      hint: approverName ? t('leave.approverHint') : undefined,
    }),
  },
} satisfies CaseScreen<Leave>;
