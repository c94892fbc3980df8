/** What is done with one process that is followed: a retry, a task given to somebody else, a pause, or its end. */
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { ConfirmDialog } from '@/kit/ConfirmDialog';
import { FormDrawer } from '@/kit/FormDrawer';
import { TextAreaField } from '@/kit/fields';
import { moment } from '@/lib/dates';
import { nameOf, TOUCHES } from './followState';
import { ReassignTask } from './ReassignForm';

interface ActProps {
  kind: Wire<'FollowRow'>['followActions'][number];
  row: Wire<'FollowRow'>;
  onClose: () => void;
}

export function FollowAct({ kind, row, onClose }: ActProps) {
  const { t } = useTranslation();
  const name = nameOf(row);
  if (kind === 'reassign') return <ReassignTask row={row} invalidates={TOUCHES} onClose={onClose} />;
  if (kind === 'retry') {
    return (
      <ConfirmDialog
        title={t('flow.retry.title', { name })}
        okText={t('flow.act.retry')}
        run={() =>
          api.post('/blade-flow/follow/retry-process-instance', undefined, { processInstanceId: row.id })
        }
        invalidates={TOUCHES}
        onClose={onClose}
      >
        {row.parked?.text}
        <br />
        {t('flow.retry.will')}
      </ConfirmDialog>
    );
  }
  if (kind === 'resume') {
    return (
      <ConfirmDialog
        title={t('flow.resume.title', { name })}
        okText={t('flow.act.resume')}
        run={() =>
          api.post('/blade-flow/follow/resume-process-instance', undefined, { processInstanceId: row.id })
        }
        invalidates={TOUCHES}
        onClose={onClose}
      >
        {row.suspended && t('flow.suspend.by', { ...row.suspended, time: moment(row.suspended.time) })}
        <br />
        {t('flow.resume.will')}
      </ConfirmDialog>
    );
  }
  if (kind === 'suspend') {
    return (
      <FormDrawer<{ reason: string }>
        title={t('flow.suspend.title', { name })}
        size="small"
        note={t('flow.suspend.will')}
        submitText={t('flow.act.suspend')}
        submit={({ reason }) =>
          api.post('/blade-flow/follow/suspend-process-instance', undefined, {
            processInstanceId: row.id,
            reason,
          })
        }
        invalidates={TOUCHES}
        onClose={onClose}
      >
        <TextAreaField name="reason" label={t('work.hand.reason')} required max={200} />
      </FormDrawer>
    );
  }
  return (
    <FormDrawer<{ deleteReason: string }>
      title={t('flow.end.title', { name })}
      size="small"
      note={t('flow.end.will')}
      submitText={t('flow.act.end')}
      danger
      submit={({ deleteReason }) =>
        api.post('/blade-flow/follow/delete-process-instance', undefined, {
          processInstanceId: row.id,
          deleteReason,
        })
      }
      invalidates={TOUCHES}
      onClose={onClose}
    >
      <TextAreaField name="deleteReason" label={t('work.hand.reason')} required max={200} />
    </FormDrawer>
  );
}
