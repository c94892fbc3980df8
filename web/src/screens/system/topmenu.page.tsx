/** Top menus, and which part of the menu each of them shows. */
import { useState } from 'react';
import { api } from '@/api/client';
import type { RowOf } from '@/api/noun';
import { topmenu } from '@/api/nouns/topmenu';
import { useTranslation } from '@/i18n';
import { NounPage } from '@/kit/NounPage';
import { GrantDrawer } from '@/screens/shared/GrantDrawer';
import { useTenantChoice } from '@/screens/shared/tenantChoice';
import { useRights } from '@/session/rights';
import { Icon, IconField } from './IconField';

type TopMenu = RowOf<typeof topmenu>;

export default function TopMenus() {
  const { t } = useTranslation();
  const can = useRights();
  const company = useTenantChoice();
  const fixed = { tenantId: company.tenantId };
  const [shown, setShown] = useState<TopMenu>();
  return (
    <>
      <NounPage
        noun={topmenu}
        name="title"
        fixed={fixed}
        actions={() => company.picker}
        columns={['title', 'code', 'source', 'path', 'sort']}
        filters={['name', 'code']}
        show={{ source: (row) => (row.source ? <Icon name={row.source} /> : '-') }}
        form={[
          'name',
          'nameEn',
          'code',
          { key: 'source', control: (props) => <IconField {...props} /> },
          'path',
          'sort',
        ]}
        initial={{ sort: 1 }}
        touches={[['menu']]}
        rowActions={(row) =>
          can('topmenu_grant')
            ? [{ key: 'grant', label: t('access.topGrant'), onClick: () => setShown(row) }]
            : []
        }
      />
      {shown && (
        <GrantDrawer
          title={t('access.topGrantTo', { name: shown.title })}
          trees="grant-top-tree"
          keys="top-tree-keys"
          params={{ topMenuIds: shown.id }}
          fixed={fixed}
          save={({ menu }) =>
            api.post('/blade-system/topmenu/grant', { topMenuIds: shown.id, menuIds: menu.join(',') }, fixed)
          }
          invalidates={[['menu']]}
          onClose={() => setShown(undefined)}
        />
      )}
    </>
  );
}
