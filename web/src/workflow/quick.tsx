/** What can be done with a task where its row stands: at one tap where it asks nothing, else in the form of its command. */
import { App } from 'antd';
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import type { RowAction } from '@/kit/ResourceList';
import { useAction } from '@/kit/useAction';
import { carryOut, decidedIn } from './inbox/acts';
import type { QueueRow } from './queries';

const RowCommand = lazy(() => import('./cases/RowCommand'));

interface Chosen {
  row: QueueRow;
  outcome: Wire<'Outcome'>;
}

export interface Quick {
  /** The way on of a row's step, where there is one that can be taken here. */
  actions: (row: QueueRow) => RowAction[];
  /** Whether that way opens a form, as the page of the task does. */
  asks: (row: QueueRow) => boolean;
  /** The refusal of the last tap. */
  error: unknown;
  reset: () => void;
  /** The form that is open now. */
  content: ReactNode;
}

/** `touches` are the queries that a step makes out of date. */
export function useQuick(touches: readonly (readonly unknown[])[]): Quick {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const [opened, setOpened] = useState<Chosen>();
  // The row stays until the list was asked again: a second tap on it is none.
  const done = useRef(new Set<string>());
  const act = useAction<Chosen>({
    run: async ({ row, outcome }) => {
      const decided = decidedIn(await carryOut({ kind: 'outcome', outcome }, row, {}));
      done.current.add(row.taskId);
      if (decided) message.info(decided);
      else message.success(t('work.quickDone', { action: outcome.label, title: row.title }));
    },
    invalidates: touches,
  });
  const wayOf = (row: QueueRow) => {
    const outcome = row.outcomes.find(({ positive }) => positive);
    // A form of a company's own has its page alone.
    const isShort = outcome?.asks === 'nothing' || row.businessTable !== 'process';
    return row.taskActions.includes('complete') && isShort ? outcome : undefined;
  };
  const actions = (row: QueueRow): RowAction[] => {
    const outcome = wayOf(row);
    if (!outcome) return [];
    const asksNothing = outcome.asks === 'nothing';
    const chosen = { row, outcome };
    return [
      {
        key: 'quick',
        label: outcome.label,
        onClick: () => {
          if (!asksNothing) setOpened(chosen);
          else if (!done.current.has(row.taskId)) act.run(chosen);
        },
      },
    ];
  };
  return {
    actions,
    asks: (row) => (wayOf(row)?.asks ?? 'nothing') !== 'nothing',
    error: act.error,
    reset: act.reset,
    content: opened && (
      <Suspense>
        <RowCommand task={opened.row} outcome={opened.outcome.value} onClose={() => setOpened(undefined)} />
      </Suspense>
    ),
  };
}
