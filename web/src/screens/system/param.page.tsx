/** Parameters: what the company has set, beside what the product would take. */
import { param } from '@/api/nouns/param';
import { useTranslation } from '@/i18n';
import { NounPage } from '@/kit/NounPage';
import { useTenantChoice } from '@/screens/shared/tenantChoice';

export default function Parameters() {
  const { t } = useTranslation();
  const { tenantId, picker } = useTenantChoice();
  return (
    <NounPage
      key={tenantId}
      noun={param}
      fixed={{ tenantId }}
      actions={() => picker}
      name="title"
      columns={[
        { key: 'title', width: 260 },
        { key: 'paramKey', width: 240 },
        { key: 'paramValue', width: 160 },
        { key: 'defaultValue', width: 140 },
        { key: 'remark', width: 160 },
      ]}
      filters={['paramName', 'paramKey', 'paramValue']}
      form={[
        'paramName',
        'paramNameEn',
        'paramKey',
        { key: 'paramValue', hint: t('system.param.valueHint') },
        'remark',
      ]}
      removeHint={t('system.param.removeHint')}
      detail={['defaultValue']}
    />
  );
}
