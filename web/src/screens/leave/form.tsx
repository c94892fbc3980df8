/** Asking for leave: what was begun before is still there. */
import { Alert, App, Button } from 'antd';
import { useRef } from 'react';
import { useNavigate, useParams } from 'react-router';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { FormPage } from '@/kit/FormPage';
import { useRecordForm } from '@/kit/form';
import { ErrorLine, ErrorState, PageSkeleton } from '@/kit/states';
import { useAction } from '@/kit/useAction';
import { randomKey } from '@/lib/random';
import { LeaveFields, type LeaveValues } from './fields';
import { CALL, detailPath, LEAVE_TOUCHED, useBeginning } from './queries';

const START = '/work/start';

export default function AskForLeave() {
  const { data, error, refetch, isFetching } = useBeginning();
  if (error && !data) return <ErrorState error={error} retry={refetch} />;
  if (!data || isFetching) return <PageSkeleton rows={8} />;
  return <LeaveForm key={data.draft?.id ?? ''} begin={data} />;
}

function LeaveForm({ begin }: { begin: Wire<'LeaveForm'> }) {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const navigate = useNavigate();
  const { processDefinitionId } = useParams();
  const { draft } = begin;
  // One key an opened form: a request that is sent twice is stored once.
  const key = useRef(randomKey());
  const keep = useRef(false);

  const handle = useRecordForm<LeaveValues, Wire<'LeaveSaved'> | undefined>({
    initial: {
      type: draft?.type,
      startTime: draft?.startTime,
      endTime: draft?.endTime,
      reason: draft?.reason,
      taskUser: draft?.taskUser || undefined,
      attachments: draft?.attachments ?? [],
    },
    submit: async (values) => {
      if (keep.current) {
        keep.current = false;
        await api.post(`${CALL}/save-draft`, values);
        return undefined;
      }
      const body = { ...values, processDefinitionId };
      return api.post<Wire<'LeaveSaved'>>(`${CALL}/start-process`, body, undefined, {
        'Idempotency-Key': key.current,
      });
    },
    invalidates: LEAVE_TOUCHED,
    onDone: (saved) => {
      if (!saved) message.success(t('leave.drafted'));
      navigate(saved ? detailPath(saved.id) : START, { replace: true });
    },
  });
  const saveDraft = () => {
    keep.current = true;
    handle.action.run(handle.form.getFieldsValue());
  };
  const clear = useAction({
    run: () => api.post(`${CALL}/remove-draft`, undefined, { id: draft?.id }),
    invalidates: [['leave', 'form']],
  });

  return (
    <div className="x-narrow">
      <FormPage
        handle={handle}
        title={t('leave.formTitle')}
        submitText={t('leave.submit')}
        onCancel={() => navigate(START)}
        extra={
          <Button disabled={handle.uploading || handle.action.busy} onClick={saveDraft}>
            {t('leave.draft')}
          </Button>
        }
      >
        {draft && (
          <div className="x-full x-block">
            <Alert
              type="info"
              showIcon
              title={t('leave.isDraft')}
              action={
                <Button size="small" loading={clear.busy} onClick={() => clear.run()}>
                  {t('leave.clearDraft')}
                </Button>
              }
            />
            {Boolean(clear.error) && <ErrorLine error={clear.error} />}
          </div>
        )}
        <LeaveFields
          approverName={begin.approverName}
          current={draft?.taskUser ? { value: draft.taskUser, label: draft.taskUserName } : undefined}
        />
      </FormPage>
    </div>
  );
}
