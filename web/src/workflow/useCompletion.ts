/** Completing a task with a form of ours: one's words and values, and a button for each way the process may go on. */
import { App } from 'antd';
import { useRef } from 'react';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import type { DocumentAction } from '@/kit/DocumentPage';
import type { DraftOptions } from '@/kit/draft';
import { type RecordFormHandle, useRecordForm } from '@/kit/form';
import { decidedIn } from './inbox/acts';
import { useFinished } from './inbox/place';
import { useActKeys } from './inbox/useActKeys';

const REJECT = 'reject';

interface Completion<Values> {
  task: Wire<'TaskDetail'>;
  initial: Values;
  /** Queries that show where the process is. */
  touches: readonly (readonly unknown[])[];
  /** What is sent besides the outcome. */
  sent: (values: Values) => { comment: string; variables?: Record<string, unknown> };
  /** What is entered is kept in this browser until it is sent. */
  draft?: DraftOptions;
}

/** The form, and its buttons: a click sends it with that outcome and leads back to the list. */
export function useCompletion<Values extends object>({
  task,
  initial,
  touches,
  sent,
  draft,
}: Completion<Values>): { handle: RecordFormHandle<Values>; actions: DocumentAction[] } {
  const finished = useFinished();
  const { message } = App.useApp();
  const chosen = useRef('');
  const handle = useRecordForm<Values>({
    initial,
    draft,
    submit: (values) =>
      api.post('/blade-flow/work/complete-task', {
        taskId: task.taskId,
        processInstanceId: task.processInstanceId,
        outcome: chosen.current,
        ...sent(values),
      }),
    invalidates: touches,
    onDone: (answer) => {
      const decided = decidedIn(answer);
      if (decided) message.info(decided);
      finished();
    },
  });
  useActKeys((key) => {
    const meant = task.outcomes.find(({ positive, negative }) =>
      key === 'a' ? positive : key === 'r' && negative,
    );
    const buttons = [...document.querySelectorAll<HTMLElement>('[data-act]')];
    const button = meant && buttons.find(({ dataset }) => dataset.act === meant.value);
    // Its button sends at once: the key leads there, and Enter presses it.
    button?.focus();
    return Boolean(button);
  });
  const actions = task.outcomes.map(
    ({ value, label, positive, negative }): DocumentAction => ({
      key: value,
      label,
      kind: positive ? 'main' : negative ? 'danger' : undefined,
      busy: handle.action.busy && chosen.current === value,
      onClick: () => {
        chosen.current = value;
        // Who says no need not fill in what a yes would need.
        if (value === REJECT) handle.action.run(handle.form.getFieldsValue());
        else handle.form.submit();
      },
    }),
  );
  return { handle, actions };
}
