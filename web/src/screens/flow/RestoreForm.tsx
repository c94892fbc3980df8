/** Taking an earlier drawing back into the draft; what the draft is now stays in its history. */
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { FormDrawer } from '@/kit/FormDrawer';
import { TextAreaField } from '@/kit/fields';
import { CHANGED } from '@/workflow/deploy/changed';
import { loadDrawing, type Model, type Reference } from './queries';

interface RestoreFormProps {
  model: Pick<Model, 'key' | 'name' | 'category' | 'draft'>;
  reference: Reference;
  /** What is taken back. */
  title: string;
  /** The draft's version as it was read; without a draft one is begun. */
  read?: number;
  onClose: () => void;
}

export function RestoreForm({ model, reference, title, read, onClose }: RestoreFormProps) {
  const { t } = useTranslation();
  const { key, name, category, draft } = model;
  return (
    <FormDrawer<{ note: string }, Wire<'ModelSaved'>>
      title={t('flow.restore.title', { name: title })}
      size="small"
      note={t(draft ? 'flow.restore.will' : 'flow.restore.begins')}
      initial={{ note: t('flow.restore.note', { name: title }) }}
      submitText={t('flow.restore.act')}
      submit={async ({ note }) => {
        const xml = await loadDrawing(reference);
        const begun = draft ? { id: draft.id, version: read } : { modelKey: key, category };
        return api.post('/blade-flow/model/submit', { ...begun, name, xml, note });
      }}
      invalidates={CHANGED}
      success={t('flow.restore.done')}
      onClose={onClose}
    >
      <TextAreaField name="note" label={t('flow.deploy.note')} required max={200} />
    </FormDrawer>
  );
}
