/** API scopes: calls that only the roles that hold them may make. */
import { apiScope } from '@/api/nouns/apiScope';
import { useTranslation } from '@/i18n';
import { NounPage } from '@/kit/NounPage';
import { useTree } from '@/kit/references';
import { useTenantChoice } from '@/screens/shared/tenantChoice';

const TREE = '/blade-system/menu/tree';

export default function ApiScopes() {
  const { t } = useTranslation();
  const company = useTenantChoice();
  const fixed = { tenantId: company.tenantId };
  const tree = useTree(TREE);
  return (
    <NounPage
      noun={apiScope}
      name="title"
      fixed={fixed}
      actions={() => company.picker}
      pane={{ title: t('access.menus'), nodes: tree.data, param: 'menuId', field: 'menuId' }}
      columns={['title', 'menuName', 'scopePath', 'scopeTypeName', 'remark']}
      filters={['scopeName', 'scopePath']}
      form={[
        'menuId',
        'resourceCode',
        'scopeName',
        'scopeNameEn',
        { key: 'scopePath', hint: t('access.scopePathHint'), full: true },
        'scopeType',
        'remark',
      ]}
      initial={{ scopeType: 2 }}
      touches={[['grant']]}
    />
  );
}
