/** Sending a copy of a process: to whom, and a note. */
import { api } from '@/api/client';
import { useTranslation } from '@/i18n';
import { FormDrawer } from '@/kit/FormDrawer';
import { TextAreaField } from '@/kit/fields';
import { ReferenceField } from '@/kit/nounFields';
import { TOUCHED } from './queries';

const PEOPLE = { ref: '/blade-user/select' } as const;

interface Values {
  userIds?: string;
  note?: string;
}

interface CopyFormProps {
  processInstanceId: string;
  title: string;
  onClose: () => void;
}

export function CopyForm({ processInstanceId, title, onClose }: CopyFormProps) {
  const { t } = useTranslation();
  return (
    <FormDrawer<Values, { told: number }>
      size="small"
      title={t('work.hand.title', { action: t('work.copies.send'), name: title })}
      note={t('work.copies.will')}
      submit={({ userIds, note }) =>
        api.post('/blade-flow/work/send-copy', {
          processInstanceId,
          userIds: userIds ?? '',
          note: note?.trim(),
        })
      }
      submitText={t('work.copies.send')}
      success={t('work.copies.sent')}
      invalidates={TOUCHED}
      onClose={onClose}
    >
      <ReferenceField name="userIds" label={t('work.copies.to')} source={PEOPLE} multiple required />
      <TextAreaField name="note" label={t('work.copies.note')} max={500} />
    </FormDrawer>
  );
}
