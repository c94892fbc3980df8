/** Data scopes: which rows of a resource the roles that hold them see. */
import { useQuery } from '@tanstack/react-query';
import { api } from '@/api/client';
import { dataScope } from '@/api/nouns/dataScope';
import { useTranslation } from '@/i18n';
import { SelectField } from '@/kit/fields';
import { NounPage } from '@/kit/NounPage';
import { useTree } from '@/kit/references';
import { useTenantChoice } from '@/screens/shared/tenantChoice';

const TREE = '/blade-system/menu/tree';

export default function DataScopes() {
  const { t } = useTranslation();
  const company = useTenantChoice();
  const fixed = { tenantId: company.tenantId };
  const tree = useTree(TREE);
  const resources = useQuery({
    queryKey: ['resources'],
    queryFn: ({ signal }) => api.get('/blade-system/data-scope/resources', undefined, signal),
  });
  return (
    <NounPage
      noun={dataScope}
      name="title"
      fixed={fixed}
      actions={() => company.picker}
      pane={{ title: t('access.menus'), nodes: tree.data, param: 'menuId', field: 'menuId' }}
      columns={[
        { key: 'title', width: 170 },
        { key: 'menuName', width: 130 },
        { key: 'resourceCode', width: 130 },
        { key: 'scopeTypeName', width: 170 },
        { key: 'scopeValue', width: 130 },
        { key: 'remark', extra: true },
      ]}
      filters={['scopeName', 'scopeType']}
      form={[
        'menuId',
        {
          key: 'resourceCode',
          control: (props) => (
            <SelectField
              {...props}
              options={(resources.data ?? []).map((value) => ({ value, label: value }))}
              loading={resources.isPending}
            />
          ),
        },
        'scopeName',
        'scopeNameEn',
        'scopeType',
        { key: 'scopeValue', hint: t('access.scopeValueHint'), full: true },
        'remark',
      ]}
      initial={{ scopeType: 2 }}
      touches={[['grant']]}
    />
  );
}
