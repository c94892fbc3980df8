/** A new model, or a copy of one under a key of its own; then to the designer. */
import { useNavigate } from 'react-router';
import { ApiError, api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { FormDrawer } from '@/kit/FormDrawer';
import { SelectField, TextAreaField, TextField } from '@/kit/fields';
import { CHANGED } from '@/workflow/deploy/changed';
import { useCategories } from '@/workflow/deploy/fields';
import { blankDrawing, renamedDrawing } from './drawings';
import { designPath, loadDrawing, type Model, type Reference } from './queries';

interface Values {
  modelKey: string;
  name: string;
  category?: string | null;
  description?: string;
}

interface CreateFormProps {
  /** What is copied, and which of its drawings. */
  copied?: { model: Model; reference: Reference };
  onClose: () => void;
}

/** As the server wants it: a letter, then letters, digits, dots, dashes and underscores. */
const KEY = /^[A-Za-z_][\w.-]*$/;

export function CreateForm({ copied, onClose }: CreateFormProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const drawn = async ({ modelKey, name }: Values) => {
    if (!copied) return blankDrawing(modelKey, name);
    const xml = renamedDrawing(await loadDrawing(copied.reference), modelKey, name);
    if (xml === undefined) throw new ApiError(0, t('work.diagram.failed'));
    return xml;
  };
  return (
    <FormDrawer<Values, Wire<'ModelSaved'>>
      title={copied ? t('flow.create.copyTitle', { name: copied.model.name }) : t('flow.create.title')}
      size="small"
      note={t(copied ? 'flow.create.copyWill' : 'flow.create.will')}
      initial={{ category: copied?.model.category || undefined }}
      submit={async (values) =>
        api.post('/blade-flow/model/submit', {
          ...values,
          category: values.category ?? '',
          xml: await drawn(values),
          note: copied ? t('flow.create.copied', { name: copied.model.name }) : t('flow.create.begun'),
        })
      }
      submitText={t('flow.create.submit')}
      invalidates={CHANGED}
      onDone={({ id }) => navigate(designPath(id))}
      onClose={onClose}
    >
      <TextField name="name" label={t('flow.name')} required max={80} />
      <TextField
        name="modelKey"
        label={t('flow.key')}
        hint={t('flow.create.keyHint')}
        required
        max={60}
        rules={[{ pattern: KEY, message: t('flow.create.keyFault') }]}
      />
      <SelectField name="category" label={t('flow.category')} options={useCategories()} required />
      <TextAreaField name="description" label={t('flow.description')} max={500} />
    </FormDrawer>
  );
}
