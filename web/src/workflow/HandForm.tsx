/** The small forms for handing a task on, handing it back, and for what the starter does: a reason, and to whom. */
import { lazy, Suspense } from 'react';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { FormDrawer } from '@/kit/FormDrawer';
import { RemoteSelectField, TextAreaField } from '@/kit/fields';

const SendBackForm = lazy(() => import('./SendBackForm'));

export const HANDS = [
  'handBack',
  'sendBack',
  'takeBack',
  'delegate',
  'transfer',
  'reassign',
  'urge',
  'withdraw',
] as const;
export type Hand = (typeof HANDS)[number];

/** Those of the server's acts on the row that have a form here. */
export function handsOf(task: Pick<Wire<'FlowTask'>, 'taskActions'>): Hand[] {
  return HANDS.filter((hand) => task.taskActions.includes(hand));
}

interface Values {
  userId?: string;
  reason?: string;
}

interface HandFormProps {
  hand: Hand;
  task: Pick<Wire<'FlowTask'>, 'taskId' | 'processInstanceId' | 'title'>;
  /** Whom a reminder reaches, where the page knows it. */
  who?: string;
  /** Queries that show who holds it. */
  touches: readonly (readonly unknown[])[];
  onDone?: () => void | Promise<void>;
  onClose: () => void;
}

const CALLS = {
  handBack: 'complete-task',
  delegate: 'delegate-task',
  transfer: 'transfer-task',
  reassign: 'reassign',
  urge: 'urge',
  withdraw: 'withdraw',
} as const satisfies Record<Exclude<Hand, 'sendBack' | 'takeBack'>, string>;

export function HandForm({ hand, ...props }: HandFormProps) {
  if (hand !== 'sendBack') return <OneReason hand={hand} {...props} />;
  return (
    <Suspense>
      <SendBackForm {...props} />
    </Suspense>
  );
}

interface OneReasonProps extends HandFormProps {
  hand: Exclude<Hand, 'sendBack'>;
}

function OneReason({ hand, task, who, touches, onDone, onClose }: OneReasonProps) {
  const { t } = useTranslation();
  const { taskId, processInstanceId } = task;
  const toSomebody = hand === 'delegate' || hand === 'transfer' || hand === 'reassign';
  const ofProcess = hand === 'urge' || hand === 'withdraw';
  // What is taken back needs no reason: nobody has acted since.
  const asks = hand !== 'takeBack';
  const submit = ({ reason = '', userId }: Values) => {
    if (hand === 'takeBack') return api.post('/blade-flow/work/take-back', { taskId });
    const words = hand === 'handBack' ? { comment: reason.trim() } : { reason: reason.trim(), userId };
    return api.post(`/blade-flow/work/${CALLS[hand]}`, {
      ...(ofProcess ? { processInstanceId } : { taskId }),
      ...words,
    });
  };
  return (
    <FormDrawer<Values>
      size="small"
      title={t('work.hand.title', { action: t(`work.hand.${hand}`), name: task.title })}
      note={who ? t('work.hand.urgeWhom', { who }) : t(`work.hand.will.${hand}`)}
      submit={submit}
      submitText={t(`work.hand.${hand}`)}
      danger={hand === 'withdraw'}
      invalidates={touches}
      success={hand === 'urge' ? t('work.hand.urged') : undefined}
      onDone={onDone}
      onConflict={onClose}
      onClose={onClose}
    >
      {toSomebody && <PersonField name="userId" label={t('work.hand.receiver')} />}
      {asks && (
        <TextAreaField
          name="reason"
          label={t(hand === 'handBack' ? 'work.comment' : 'work.hand.reason')}
          max={500}
          required={hand !== 'urge'}
        />
      )}
    </FormDrawer>
  );
}

interface PersonFieldProps {
  name: string;
  label: string;
}

/** Anybody of the company who may sign in, found by name. */
export function PersonField({ name, label }: PersonFieldProps) {
  const load = async (realName: string, signal: AbortSignal) => {
    const people = await api.get('/blade-user/user-list', { realName }, signal);
    return people.map((person) => ({ value: person.id, label: person.realName, hint: person.account }));
  };
  return (
    <RemoteSelectField name={name} label={label} source={['people', 'all']} load={load} remote required />
  );
}
