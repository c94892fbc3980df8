/** The fields of a deployment: what it is for, for whom, why, and that the warnings are known. */
import { Checkbox } from 'antd';
import { useTranslation } from '@/i18n';
import { useDictionary } from '@/kit/dictionary';
import { Field, SelectField, TextAreaField } from '@/kit/fields';
import { useOptions } from '@/kit/references';
import { useIsPlatform } from '@/session/rights';
import { useSession } from '@/session/session';

export interface Terms {
  category?: string | null;
  note?: string;
  /** Companies, where the platform deploys; none is all. */
  tenants?: string[] | null;
  confirm?: boolean;
}

/** What is sent for the terms; a company deploys for itself. */
export function useTerms(): (terms: Terms) => Record<string, string> {
  const session = useSession();
  const isPlatform = useIsPlatform();
  return ({ category, note, tenants, confirm }) => ({
    category: category ?? '',
    note: note?.trim() ?? '',
    tenantIds: isPlatform ? (tenants ?? []).join(',') : (session?.tenantId ?? ''),
    confirm: confirm ? '1' : '0',
  });
}

/** Categories as models carry them. */
export function useCategories() {
  const { options } = useDictionary('flow');
  return options.map(({ value, label }) => ({ value: `flow_${value}`, label }));
}

export function TermsFields({ warnings }: { warnings: number }) {
  const { t } = useTranslation();
  const categories = useCategories();
  const isPlatform = useIsPlatform();
  const companies = useOptions({
    path: isPlatform ? '/blade-system/tenant/select' : '',
    value: 'tenantId',
    label: 'tenantName',
  });
  return (
    <>
      <SelectField name="category" label={t('flow.category')} options={categories} required />
      {isPlatform && (
        <SelectField
          name="tenants"
          label={t('flow.deploy.companies')}
          hint={t('flow.deploy.companiesHint')}
          options={companies.data ?? []}
          multiple
        />
      )}
      <TextAreaField name="note" label={t('flow.deploy.note')} hint={t('flow.deploy.noteHint')} max={200} />
      {warnings > 0 && (
        <Field
          full
          name="confirm"
          label={t('flow.deploy.warnings')}
          kind="choose"
          valuePropName="checked"
          getValueFromEvent={(event: { target: { checked: boolean } }) => event.target.checked}
          rules={[
            {
              validator: (_, ticked) =>
                ticked ? Promise.resolve() : Promise.reject(new Error(t('flow.deploy.tick'))),
            },
          ]}
        >
          <Checkbox>{t('flow.deploy.known', { count: warnings })}</Checkbox>
        </Field>
      )}
    </>
  );
}
