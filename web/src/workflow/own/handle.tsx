/** A step of a process of the company's own: its form, one's opinion, and a button for each way it may go on. */
import { useMemo } from 'react';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { TextAreaField } from '@/kit/fields';
import { RecordForm, type RecordFormHandle } from '@/kit/form';
import { Section } from '@/kit/Section';
import { ErrorState, PageSkeleton } from '@/kit/states';
import { DrawnFields } from '../forms/DrawnFields';
import { initialOf, inputsOf, type Schema, schemaOf, sentOf, type Values } from '../forms/schema';
import { INBOX, useTaskIds } from '../inbox/place';
import { TOUCHED, useTask } from '../queries';
import { TaskHead } from '../TaskHead';
import { useCompletion } from '../useCompletion';
import { OwnDocument } from './OwnDocument';

/** No field of a schema has such a key. */
const OPINION = '$opinion';

export default function OwnTask() {
  const { taskId } = useTaskIds();
  const { data: task, error, refetch } = useTask(taskId);
  if (error && !task) return <ErrorState error={error} retry={refetch} />;
  if (!task) return <PageSkeleton rows={10} />;
  const head = <TaskHead task={task} touches={TOUCHED} />;
  // A delegated task is not completed but handed back, which its head offers.
  if (!task.canComplete || task.delegatedBy !== '')
    return <OwnDocument id={task.processInstanceId} parent={INBOX} before={head} />;
  return <Handle key={taskId} task={task} />;
}

function Handle({ task }: { task: Wire<'TaskDetail'> }) {
  const schema = schemaOf(task.form);
  const initial = useMemo<Values>(() => initialOf(schema, task.formData, task.texts), [schema, task]);
  const { handle, actions } = useCompletion<Values>({
    task,
    initial,
    touches: TOUCHED,
    sent: (values) => ({ comment: String(values[OPINION] ?? ''), variables: sentOf(schema, values) }),
    draft: { name: `task.${task.taskId}`, stays: true },
  });
  return (
    <OwnDocument
      id={task.processInstanceId}
      parent={INBOX}
      before={<TaskHead task={task} touches={TOUCHED} />}
      actions={actions}
      actionError={handle.told}
      without={new Set(inputsOf(schema).map(({ key }) => key))}
    >
      <StepForm task={task} schema={schema} handle={handle} />
    </OwnDocument>
  );
}

interface StepFormProps {
  task: Wire<'TaskDetail'>;
  schema: Schema | undefined;
  handle: RecordFormHandle<Values>;
}

function StepForm({ task, schema, handle }: StepFormProps) {
  const { t } = useTranslation();
  return (
    <Section title={task.taskName}>
      <RecordForm handle={handle}>
        {schema && <DrawnFields schema={schema} known={task.formData} texts={task.texts} />}
        <TextAreaField name={OPINION} label={t('work.comment')} max={500} rows={2} />
      </RecordForm>
    </Section>
  );
}
