/** Replacing one value of a process; what would be replaced is shown before. */
import { useState } from 'react';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useLanguage, useTranslation } from '@/i18n';
import { ConfirmDialog } from '@/kit/ConfirmDialog';
import { FormDrawer } from '@/kit/FormDrawer';
import { TextAreaField } from '@/kit/fields';
import { DrawnFields } from '@/workflow/forms/DrawnFields';
import { useShown } from '@/workflow/forms/ShownValue';
import { initialOf, inputsOf, schemaOf, sentOf, type Texts, textOf } from '@/workflow/forms/schema';
import { TOUCHES } from './followState';

type Value = Wire<'FollowDetail'>['values'][number];

interface Preview {
  row: Value;
  value: unknown;
  reason: string;
  answer: Wire<'Corrected'>;
}

/** Beside the field of the process, whatever that is called. */
const REASON = ' reason';

/** Of the process with this id. */
export function useCorrection(id: string, texts: Texts) {
  const { t } = useTranslation();
  const language = useLanguage();
  const [row, setRow] = useState<Value>();
  const [preview, setPreview] = useState<Preview>();
  const say = useShown(preview?.answer.texts ?? {});

  const send = (key: string, value: unknown, reason: string, isPreview: boolean) =>
    api.post('/blade-flow/follow/correct-value', { processInstanceId: id, key, value, reason, isPreview });
  const drawn = (of: Value) => {
    const schema = schemaOf({ components: [of.field] });
    const field = inputsOf(schema)[0];
    return schema && field && { schema, field, label: textOf(field, 'label', language) };
  };

  const asked = row && drawn(row);
  const told = preview && drawn(preview.row);
  const dialogs = (
    <>
      {row && asked && (
        <FormDrawer<Record<string, unknown>, Preview>
          title={t('flow.correct.title', { field: asked.label })}
          size="small"
          submitText={t('flow.bulk.preview')}
          initial={initialOf(asked.schema, { [row.key]: row.value }, texts)}
          submit={async (values) => {
            const value = sentOf(asked.schema, values)[row.key] ?? null;
            const reason = String(values[REASON] ?? '');
            return { row, value, reason, answer: await send(row.key, value, reason, true) };
          }}
          onDone={setPreview}
          onClose={() => setRow(undefined)}
        >
          <DrawnFields schema={asked.schema} known={{}} />
          <TextAreaField name={REASON} label={t('work.hand.reason')} required max={200} />
        </FormDrawer>
      )}
      {preview && told && (
        <ConfirmDialog
          title={t('flow.correct.title', { field: told.label })}
          okText={t('flow.correct.act')}
          run={() => send(preview.row.key, preview.value, preview.reason, false)}
          invalidates={TOUCHES}
          onClose={() => setPreview(undefined)}
        >
          {t('flow.correct.change', {
            before: say(told.field, preview.answer.before) || '-',
            after: say(told.field, preview.answer.after) || '-',
          })}
          <br />
          {t('flow.correct.will')}
        </ConfirmDialog>
      )}
    </>
  );
  return { correct: setRow, dialogs };
}
