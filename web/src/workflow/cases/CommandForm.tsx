/** The form of a command on a record: it says what will happen and asks for what the command must carry. */
import { Form } from 'antd';
import { useContext, useEffect, useRef, useState } from 'react';
import type { CaseCommand } from '@/api/case';
import { updateCase } from '@/api/caseCalls';
import { api } from '@/api/client';
import type { Both } from '@/api/noun';
import type { Wire } from '@/api/wire';
import { useLanguage, useTranslation } from '@/i18n';
import { FormDrawer } from '@/kit/FormDrawer';
import { TextAreaField } from '@/kit/fields';
import { labelIn } from '@/kit/nounText';
import { TaskPane } from '../inbox/place';
import { TOUCHED } from '../queries';
import { CaseFields, namesOf, sentFrom, useFieldsArrived, valuesFrom } from './CaseFields';
import { type CaseProps, type Given, type Open, type Row, touchedBy } from './screen';

/** A form with more fields is a large one. */
const MOST_SMALL = 6;
/** So many fields are soon filled in again. */
const FEW = 3;

type Task = Pick<Wire<'TaskDetail'>, 'taskId' | 'processInstanceId' | 'canComplete'> & {
  outcomes: readonly Pick<Wire<'Outcome'>, 'value' | 'positive'>[];
};

/** Whether the task's step offers this command; what it does not offer goes through the record. */
export function offers(task: Pick<Task, 'outcomes' | 'canComplete'>, command: CaseCommand): boolean {
  return (
    task.canComplete && task.outcomes.some(({ value }) => command.outcomes.some(({ key }) => key === value))
  );
}

/** What the command is called while this step is open. */
export function wordOf({ label, labels }: CaseCommand, node: string): Both {
  return labels[node] ?? label;
}

/** Whether whatever one enters says no. */
export function saysNo({ outcomes }: CaseCommand): boolean {
  return outcomes.length > 0 && outcomes.every(({ refuses }) => refuses);
}

/** Whether what is entered means an outcome that says no. */
export function refusesWith({ outcomes }: CaseCommand, values: Given): boolean {
  return outcomes.some(
    (one) => one.refuses && Object.entries(one.values).every(([name, value]) => values[name] === value),
  );
}

/** Tells the form's button, which stands outside of it, whether it would say no. */
function WatchNo({ command, onChange }: { command: CaseCommand; onChange: (refuses: boolean) => void }) {
  const refuses = refusesWith(command, (Form.useWatch((all: Given) => all) as Given | undefined) ?? {});
  useEffect(() => onChange(refuses), [refuses, onChange]);
  return null;
}

/** The body of the queue's call: an outcome, what it does not say by itself, and the opinion. */
export function byTask(
  task: Task,
  command: CaseCommand,
  sent: Given,
  comment = '',
): Wire<'CompleteInputRequest'> {
  const meant = command.outcomes.find(({ values }) =>
    Object.entries(values).every(([name, value]) => sent[name] === value),
  );
  const said = Object.entries(sent).filter(([name]) => meant?.values[name] === undefined);
  const words = command.remark ? sent[command.remark] : comment;
  return {
    taskId: task.taskId,
    processInstanceId: task.processInstanceId,
    outcome: meant?.key,
    comment: String(words ?? '').trim(),
    variables: Object.fromEntries(said),
    ...(task.outcomes.find(({ value }) => value === meant?.key)?.positive && { flag: 'ok' }),
  };
}

interface CommandFormProps extends CaseProps {
  row: Row;
  command: CaseCommand;
  /** The task in the queue that led here; its step is completed through the queue. */
  task?: Task;
  open: Open;
  onClose: () => void;
}

export function CommandForm({ of, screen, row, command, task, open, onClose }: CommandFormProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const pane = useContext(TaskPane);
  // As it was read when the form opened: what others do meanwhile is refused, not overwritten.
  const read = useRef({ id: row.id, lockVersion: row.lockVersion, action: command.name });
  const label = labelIn(language, wordOf(command, row.openTask?.node ?? ''));
  const [refuses, setRefuses] = useState(saysNo(command));
  const queue = task && offers(task, command) ? task : undefined;
  const { name, input } = command;
  const fields = { name, input, screen, given: row };
  const arrived = useFieldsArrived(fields);
  const count = namesOf(input).length;
  return (
    <FormDrawer<Record<string, unknown>>
      size={count > MOST_SMALL ? 'large' : 'small'}
      loading={!arrived}
      title={t('work.case.drawer', { action: label, number: row[of.number] })}
      note={labelIn(language, command.will)}
      initial={{ ...(command.edits && valuesFrom(input, row)), ...screen.begins?.[name]?.(row) }}
      draft={
        count > FEW ? { name: `${of.name}.${name}.${row.id}`, version: read.current.lockVersion } : undefined
      }
      submit={async (values) => {
        const sent = sentFrom(input, values);
        if (queue) {
          const { comment } = values as { comment?: string };
          await api.post('/blade-flow/work/complete-task', byTask(queue, command, sent, comment));
        } else await updateCase(of, { ...sent, ...read.current });
      }}
      submitText={command.outcomes.length > 0 ? label : undefined}
      danger={command.tone === 'danger' || refuses}
      invalidates={[...touchedBy({ of, screen }), ...TOUCHED]}
      onDone={task && command.outcomes.length > 0 ? pane?.finished : undefined}
      onConflict={onClose}
      onClose={onClose}
    >
      <WatchNo command={command} onChange={setRefuses} />
      {screen.above?.[name]?.(row, open)}
      <CaseFields {...fields} />
      {queue && !command.remark && (
        <TextAreaField name="comment" label={t('work.comment')} max={500} rows={2} />
      )}
    </FormDrawer>
  );
}
