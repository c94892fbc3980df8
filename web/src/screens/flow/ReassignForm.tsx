/** Assigning an open task of somebody else anew. */
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { FormDrawer } from '@/kit/FormDrawer';
import { SelectField, TextAreaField } from '@/kit/fields';
import { PersonField } from '@/workflow/HandForm';
import { nameOf } from './followState';

interface Values {
  taskId: string;
  userId: string;
  reason: string;
}

type Answer = Wire<'Reassigned'>;

interface FormProps {
  invalidates: readonly (readonly unknown[])[];
  onClose: () => void;
}

const send = (values: Values) => api.post('/blade-flow/work/reassign', values);

interface TaskProps extends FormProps {
  /** The process as the list shows it; at least one of its tasks may be reassigned. */
  row: Pick<Wire<'FollowRow'>, 'businessNo' | 'title' | 'waits'>;
}

export function ReassignTask({ row, invalidates, onClose }: TaskProps) {
  const { t } = useTranslation();
  const options = row.waits
    .filter(({ canReassign }) => canReassign)
    .map(({ taskId, name, assigneeName }) => ({
      value: taskId,
      label: [name, assigneeName].filter(Boolean).join(' · '),
    }));
  return (
    <FormDrawer<Values, Answer>
      title={t('flow.reassign.title', { name: nameOf(row) })}
      size="small"
      note={t('flow.reassign.will')}
      submitText={t('flow.act.reassign')}
      initial={{ taskId: options[0]?.value }}
      submit={send}
      invalidates={invalidates}
      onClose={onClose}
    >
      <SelectField name="taskId" label={t('flow.reassign.task')} options={options} required />
      <PersonField name="userId" label={t('work.hand.receiver')} />
      <TextAreaField name="reason" label={t('work.hand.reason')} required max={500} />
    </FormDrawer>
  );
}
