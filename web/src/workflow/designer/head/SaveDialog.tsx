/** Saving with a note: a version of its own in the draft's history. */
import { useTranslation } from '@/i18n';
import { FormDrawer } from '@/kit/FormDrawer';
import { TextAreaField } from '@/kit/fields';
import type { Saver } from '../saving/Saver';

export const MAX_NOTE = 200;

export default function SaveDialog({ saver, onClose }: { saver: Saver; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <FormDrawer<{ note: string }>
      size="small"
      title={t('designer.save.title')}
      note={t('designer.save.what')}
      submitText={t('designer.save.do')}
      submit={async ({ note }) => {
        const state = await saver.save(note);
        if (state.kind === 'refused' || state.kind === 'offline') throw state.error;
      }}
      onClose={onClose}
    >
      <TextAreaField name="note" label={t('designer.save.note')} max={MAX_NOTE} required />
    </FormDrawer>
  );
}
