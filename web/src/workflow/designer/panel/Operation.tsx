/** What a service task does: one of the operations that the business has registered. */
import { useTranslation } from '@/i18n';
import { useCatalogue } from './catalogue';
import { ChoiceEntry } from './controls';
import { useEdit } from './edit';
import type { GroupProps } from './group';
import { textOf } from './model';

export function Operation({ of }: GroupProps) {
  const { t } = useTranslation();
  const edit = useEdit();
  const catalogue = useCatalogue();
  const operations = catalogue?.operations ?? [];
  const name = textOf(of, 'xw:operation');
  const chosen = operations.find((operation) => operation.name === name);
  if (catalogue && operations.length === 0 && !name)
    return <p className="x-hint">{t('panel.operation.none')}</p>;
  return (
    <ChoiceEntry
      label={t('panel.operation.label')}
      value={name || undefined}
      options={operations.map((one) => ({ value: one.name, label: one.label, hint: one.name }))}
      hint={chosen?.text}
      fault={name && catalogue && !chosen ? t('panel.operation.unknown', { name }) : undefined}
      commit={(next) => edit({ of, set: { 'xw:operation': next } })}
    />
  );
}
