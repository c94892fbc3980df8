/** The small form of each act on a request: it says what will happen and asks for what the act must carry. */
import { useRef } from 'react';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { FormDrawer } from '@/kit/FormDrawer';
import { TextAreaField } from '@/kit/fields';
import { LeaveFields, type LeaveValues } from './fields';
import type { Step } from './LeaveDocument';
import { CALL, LEAVE_TOUCHED } from './queries';

const COMMENTS = {
  approve: 'leave.comment',
  reject: 'leave.rejectReason',
  withdraw: 'leave.withdrawReason',
} as const;

interface StepFormProps {
  leave: Wire<'LeaveDetail'>;
  step: Step;
  onClose: () => void;
}

export function StepForm({ leave, step, onClose }: StepFormProps) {
  const { t } = useTranslation();
  // As it was read when the form opened: what others do meanwhile is refused, not overwritten.
  const read = useRef({ id: leave.id, lockVersion: leave.lockVersion, action: step });
  const { type, startTime, endTime, reason, attachments } = leave;
  const taskUser = leave.taskUser || undefined;
  const name = t(`leave.action.${step}`);
  const again = step === 'submit';
  return (
    <FormDrawer<LeaveValues & { comment?: string }>
      size={again ? 'large' : 'small'}
      title={t('leave.drawer', { action: name, number: leave.leaveNo })}
      note={t(`leave.will.${step}`)}
      initial={again ? { type, startTime, endTime, reason, taskUser, attachments } : {}}
      submit={(values) => api.post(`${CALL}/update`, { ...values, ...read.current })}
      submitText={name}
      danger={step === 'withdraw'}
      invalidates={LEAVE_TOUCHED}
      onConflict={onClose}
      onClose={onClose}
    >
      {step === 'submit' ? (
        <LeaveFields
          approverName={taskUser ? undefined : leave.approverName}
          current={taskUser ? { value: taskUser, label: leave.taskUserName } : undefined}
        />
      ) : (
        <TextAreaField name="comment" label={t(COMMENTS[step])} max={500} required={step === 'reject'} />
      )}
    </FormDrawer>
  );
}
