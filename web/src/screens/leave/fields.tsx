/** The fields of a request for leave: the same for a new one and for one that comes again. */
import { Form } from 'antd';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { DateTimeField, DictField, PhotosField, RemoteSelectField, TextAreaField } from '@/kit/fields';
import { useSession } from '@/session/session';
import { daysBetween } from './days';

export interface LeaveValues {
  type?: number | null;
  startTime?: string | null;
  endTime?: string | null;
  reason?: string;
  taskUser?: string | null;
  attachments?: string[];
}

const MAX_ATTACHMENTS = 5;

function Days() {
  const { t } = useTranslation();
  const start = Form.useWatch<string>('startTime');
  const end = Form.useWatch<string>('endTime');
  const days = daysBetween(start, end);
  return (
    <p className="x-full x-hint" aria-live="polite">
      {days === undefined ? t('leave.daysHint') : t('leave.daysCount', { n: days })}
    </p>
  );
}

const people = async (keyword: string, signal: AbortSignal) => {
  const found = await api.get<Wire<'UserOption'>[]>('/blade-user/user-list', { realName: keyword }, signal);
  return found.map(({ id, realName, account }) => ({ value: id, label: realName, hint: account }));
};

interface LeaveFieldsProps {
  /** Who is asked when nobody is chosen; empty: somebody has to be chosen. */
  approverName?: string;
  /** Who was chosen so far. */
  current?: { value: string; label: string };
}

export function LeaveFields({ approverName, current }: LeaveFieldsProps) {
  const { t } = useTranslation();
  const me = useSession()?.userId;
  // Nobody approves the own leave.
  const others = async (keyword: string, signal: AbortSignal) =>
    (await people(keyword, signal)).filter(({ value }) => value !== me);
  return (
    <>
      <DictField name="type" label={t('leave.type')} dict="leave_type" buttons required full />
      <DateTimeField name="startTime" label={t('leave.startTime')} required />
      <DateTimeField
        name="endTime"
        label={t('leave.endTime')}
        required
        rules={[
          ({ getFieldValue }) => ({
            validator: (_, end?: string | null) => {
              const start: string | undefined = getFieldValue('startTime') ?? undefined;
              const wrong = start && end && end <= start;
              return wrong ? Promise.reject(new Error(t('leave.endFirst'))) : Promise.resolve();
            },
          }),
        ]}
      />
      <Days />
      <TextAreaField name="reason" label={t('leave.reason')} max={500} required />
      <RemoteSelectField
        name="taskUser"
        label={t('leave.approver')}
        source={['people', 'approvers']}
        load={others}
        remote
        current={current}
        placeholder={approverName ? t('leave.approverHead', { name: approverName }) : undefined}
        message={t('leave.approverNone')}
        required={approverName === ''}
        hint={approverName ? t('leave.approverHint') : undefined}
        full
      />
      <PhotosField name="attachments" label={t('leave.attachments')} max={MAX_ATTACHMENTS} />
    </>
  );
}
