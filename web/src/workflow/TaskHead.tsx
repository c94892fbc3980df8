/** The task over the record it is about: step, process, who holds it since when; claiming and giving back. */
import { Button } from 'antd';
import { useContext, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { ToneTag } from '@/kit/StateTag';
import { ErrorLine } from '@/kit/states';
import { useAction } from '@/kit/useAction';
import { moment } from '@/lib/dates';
import { type Hand, HandForm, handsOf } from './HandForm';
import { TaskPane, useFinished, useNext } from './inbox/place';
import { useActKeys } from './inbox/useActKeys';
import { isStill, Still } from './Parked';
import { useProcessPaths } from './queries';
import { AddSigners, SignerList } from './Signers';
import { useReadTask } from './useReadTask';

type Task = Wire<'TaskDetail'>;

interface TaskHeadProps {
  task: Task;
  /** Queries that show who holds it. */
  touches: readonly (readonly unknown[])[];
}

function Place({ task }: { task: Task }) {
  const { t } = useTranslation();
  if (task.endTime) {
    const words = {
      who: task.assigneeName || '-',
      time: moment(task.endTime),
      outcome: task.outcomeName || '-',
    };
    return <ToneTag tone={task.isNegative ? 'bad' : 'good'}>{t('work.doneBy', words)}</ToneTag>;
  }
  return (
    <span className="x-quiet">
      {task.assigneeName ? t('work.heldBy', { who: task.assigneeName }) : t('work.free')} ·{' '}
      {t('work.since', { time: moment(task.createTime) })}
    </span>
  );
}

/**
 * Leads on from the task and waits until this page is gone. The address changes earlier: while the code of the next page
 * is on its way this one stays, in sight or hidden, and asks for whatever is said to be out of date.
 */
function useLeave(): () => Promise<void> {
  const finished = useFinished();
  const gone = useRef<() => void>(undefined);
  useEffect(() => () => gone.current?.(), []);
  return () =>
    new Promise((resolve) => {
      gone.current = resolve;
      finished();
    });
}

/** On to the next task of the list that led here, and back to the list. */
function Onwards({ task }: { task: Task }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const paths = useProcessPaths();
  const inPane = useContext(TaskPane) !== undefined;
  const found = useNext(task.taskId, task.endTime !== '' && !inPane);
  if (!found) return null;
  const { next, count, address } = found;
  return (
    <>
      <Button onClick={() => navigate(address)}>{t('work.inbox.back')}</Button>
      {next && (
        // In place of the finished one, so that Back leads to the list.
        <Button type="primary" onClick={() => navigate(paths.handle(next), { replace: true })}>
          {t('work.inbox.next', { n: count })}
        </Button>
      )}
    </>
  );
}

export function TaskHead({ task, touches }: TaskHeadProps) {
  const { t } = useTranslation();
  useReadTask(task);
  const act = useAction<'claim-task' | 'unclaim-task'>({
    run: (call) => api.post(`/blade-flow/work/${call}`, undefined, { taskId: task.taskId }),
    invalidates: touches,
  });
  const [hand, setHand] = useState<Hand>();
  const [signs, setSigns] = useState(false);
  const leave = useLeave();
  const hands = handsOf(task);
  useActKeys((key) => {
    if (key !== 't' || !hands.includes('transfer')) return false;
    setHand('transfer');
    return true;
  });
  return (
    <div className="x-panel x-task">
      <div className="x-task-words">
        <strong>{task.taskName}</strong>
        <span className="x-quiet">{task.processDefinitionName}</span>
        <Place task={task} />
        {task.delegatedBy && <span>{t('work.hand.by', { who: task.delegatedBy })}</span>}
        {task.opinion && <span>{t('work.hand.opinion', { words: task.opinion })}</span>}
      </div>
      {hands.map((hand) => (
        <Button key={hand} type={hand === 'handBack' ? 'primary' : 'default'} onClick={() => setHand(hand)}>
          {t(`work.hand.${hand}`)}
        </Button>
      ))}
      {task.signPlaces.length > 0 && <Button onClick={() => setSigns(true)}>{t('work.sign.add')}</Button>}
      {task.canUnclaim && (
        <Button loading={act.busy} onClick={() => act.run('unclaim-task')}>
          {t('work.unclaim')}
        </Button>
      )}
      {task.canClaim && (
        <Button loading={act.busy} onClick={() => act.run('claim-task')}>
          {t('work.claimIt')}
        </Button>
      )}
      <Onwards task={task} />
      <SignerList task={task} touches={touches} />
      {signs && <AddSigners task={task} touches={touches} onClose={() => setSigns(false)} />}
      {hand && (
        <HandForm
          hand={hand}
          task={task}
          touches={touches}
          // Who has handed it on may see nothing of it any more: the page is left before anything is asked again.
          onDone={leave}
          onClose={() => setHand(undefined)}
        />
      )}
      {isStill(task) && (
        <div className="x-bar-error">
          <Still {...task} />
        </div>
      )}
      {Boolean(act.error) && (
        <div className="x-bar-error">
          <ErrorLine error={act.error} onConflict={act.reset} />
        </div>
      )}
    </div>
  );
}
