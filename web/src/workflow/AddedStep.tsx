/** A step that a company put into a record's process: one's opinion, and a button for each way it may go on. */
import { Button, Space } from 'antd';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { TextAreaField } from '@/kit/fields';
import { RecordForm } from '@/kit/form';
import { Section } from '@/kit/Section';
import { ErrorLine } from '@/kit/states';
import { useCompletion } from './useCompletion';

interface AddedStepProps {
  task: Wire<'TaskDetail'>;
  /** Queries that show where the record is. */
  touches: readonly (readonly unknown[])[];
}

export function AddedStep({ task, touches }: AddedStepProps) {
  const { t } = useTranslation();
  const { handle, actions } = useCompletion<{ comment?: string }>({
    task,
    initial: {},
    touches,
    sent: ({ comment = '' }) => ({ comment }),
  });
  return (
    <Section title={t('work.decide')}>
      <RecordForm handle={handle}>
        <TextAreaField name="comment" label={t('work.comment')} max={500} rows={2} />
      </RecordForm>
      {Boolean(handle.told) && <ErrorLine error={handle.told} />}
      <Space wrap>
        {actions.map(({ key, label, kind, busy, onClick }) => (
          <Button
            key={key}
            data-act={key}
            type={kind === 'main' ? 'primary' : 'default'}
            danger={kind === 'danger'}
            loading={busy}
            onClick={onClick}
          >
            {label}
          </Button>
        ))}
      </Space>
    </Section>
  );
}
