/** Handing over everything of a person to another one: the server does it task by task, and this shows how far it is. */
import { useQuery } from '@tanstack/react-query';
import { Progress } from 'antd';
import { useRef, useState } from 'react';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { FormDrawer } from '@/kit/FormDrawer';
import { RemoteSelectField, TextAreaField } from '@/kit/fields';
import { Modal } from '@/kit/overlays';
import { ErrorLine } from '@/kit/states';
import { useRefresh } from '@/kit/useRefresh';
import { PersonField } from '@/workflow/HandForm';

const POLL_MILLISECONDS = 1500;

interface HandOverProps {
  /** Queries that show who holds which task. */
  invalidates: readonly (readonly unknown[])[];
  onClose: () => void;
}

export function HandOver({ invalidates, onClose }: HandOverProps) {
  const { t } = useTranslation();
  const [begun, setBegun] = useState<string>();
  const answered = useRef<string>(undefined);
  if (begun) return <Going id={begun} invalidates={invalidates} onClose={onClose} />;
  return (
    <FormDrawer<Wire<'HandOverInputRequest'>>
      title={t('flow.handOver.title')}
      size="small"
      note={t('flow.handOver.will')}
      submitText={t('flow.handOver.act')}
      submit={async (values) => {
        answered.current = (await api.post('/blade-flow/work/hand-over', values)).id;
      }}
      // What was begun is followed in the place of the form.
      onClose={() => (answered.current ? setBegun(answered.current) : onClose())}
    >
      <LeaverField name="fromUserId" label={t('flow.handOver.from')} />
      <PersonField name="userId" label={t('work.hand.receiver')} />
      <TextAreaField name="reason" label={t('work.hand.reason')} required max={500} />
    </FormDrawer>
  );
}

/** Anybody of the company, those who have left too. */
function LeaverField(props: { name: string; label: string }) {
  const { t } = useTranslation();
  const load = async (realName: string, signal: AbortSignal) => {
    const people = await api.get('/blade-flow/work/colleagues', { realName }, signal);
    return people.map(({ id, realName: label, account, hasLeft }) => ({
      value: id,
      label,
      hint: hasLeft ? t('flow.handOver.left', { account }) : account,
    }));
  };
  return <RemoteSelectField {...props} source={['people', 'colleagues']} load={load} remote required />;
}

function Going({ id, invalidates, onClose }: HandOverProps & { id: string }) {
  const { t } = useTranslation();
  const { data, error } = useQuery({
    queryKey: ['handOver', id],
    queryFn: ({ signal }) => api.get('/blade-flow/work/handed-over', { id }, signal),
    refetchInterval: ({ state }) => (state.data?.endTime ? false : POLL_MILLISECONDS),
  });
  const ended = Boolean(data?.endTime);
  useRefresh(ended, invalidates);
  const [moved, total, refused] = [data?.moved ?? 0, data?.total ?? 0, data?.refused ?? []];
  return (
    <Modal open title={t('flow.handOver.title')} onCancel={onClose} footer={null}>
      <p role="status">
        {ended ? t('flow.handOver.done', { moved }) : t('flow.handOver.going', { moved, total })}
      </p>
      <Progress
        aria-label={t('flow.handOver.progress')}
        percent={ended ? 100 : total > 0 ? Math.floor(((moved + refused.length) * 100) / total) : 0}
        status={ended ? 'normal' : 'active'}
      />
      {!ended && <p className="x-hint">{t('flow.handOver.mayClose')}</p>}
      {refused.length > 0 && (
        <>
          <h3>{t('flow.handOver.refused', { count: refused.length })}</h3>
          <ul className="x-plain">
            {refused.map(({ taskId, title, message }) => (
              <li key={taskId}>
                {title} <span className="x-text-bad">{message}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {data && data.named.length > 0 && (
        <>
          <h3>{t('flow.handOver.named')}</h3>
          <ul className="x-plain">
            {data.named.map(({ process, step }) => (
              <li key={`${process} ${step}`}>{t('flow.handOver.step', { process, step })}</li>
            ))}
          </ul>
        </>
      )}
      <ErrorLine error={error} />
    </Modal>
  );
}
