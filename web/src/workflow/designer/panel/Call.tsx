/** Which process a call takes in: one without a record that the company has deployed. */
import { useTranslation } from '@/i18n';
import { useCatalogue } from './catalogue';
import { ChoiceEntry } from './controls';
import { useEdit } from './edit';
import type { GroupProps } from './group';
import { textOf } from './model';

export function Call({ of }: GroupProps) {
  const { t } = useTranslation();
  const edit = useEdit();
  const processes = useCatalogue()?.processes;
  const key = textOf(of, 'calledElement');
  const chosen = processes?.find(({ value }) => value === key);
  return (
    <ChoiceEntry
      label={t('panel.call.label')}
      value={key || undefined}
      options={(processes ?? []).map(({ value, label }) => ({ value, label, hint: value }))}
      hint={chosen && t('panel.call.fixed', { version: chosen.version })}
      fault={key && processes && !chosen ? t('panel.call.unknown', { key }) : undefined}
      commit={(next) => edit({ of, set: { calledElement: next } })}
    />
  );
}
