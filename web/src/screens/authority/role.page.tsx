/** Roles, and what each of them holds. */
import { useState } from 'react';
import { api } from '@/api/client';
import type { RowOf } from '@/api/noun';
import { role } from '@/api/nouns/role';
import { useTranslation } from '@/i18n';
import { TextField } from '@/kit/fields';
import { NounTree } from '@/kit/NounTree';
import { GrantDrawer } from '@/screens/shared/GrantDrawer';
import { useTenantChoice } from '@/screens/shared/tenantChoice';
import { useRights } from '@/session/rights';

type Role = RowOf<typeof role>;

export default function Roles() {
  const { t } = useTranslation();
  const can = useRights();
  const company = useTenantChoice();
  const fixed = { tenantId: company.tenantId };
  const [granted, setGranted] = useState<Role>();
  return (
    <>
      <NounTree
        noun={role}
        name="title"
        fixed={fixed}
        actions={() => company.picker}
        columns={['title', 'roleAlias', 'remark', 'sort']}
        filters={['roleName', 'roleAlias']}
        form={[
          'roleName',
          'roleNameEn',
          {
            key: 'roleAlias',
            control: (props, _form, row) => (
              <TextField
                {...props}
                max={40}
                disabled={row?.isAliasFixed === 1}
                hint={row?.isAliasFixed === 1 ? t('access.aliasFixed') : undefined}
              />
            ),
          },
          'parentId',
          'sort',
          'remark',
        ]}
        show={{ parentName: (row) => row.parentName || t('kit.noun.top') }}
        initial={{ sort: 1 }}
        rowActions={(row) =>
          can('role_grant')
            ? [{ key: 'grant', label: t('access.grant'), onClick: () => setGranted(row) }]
            : []
        }
      />
      {granted && (
        <GrantDrawer
          title={t('access.grantTo', { name: granted.title })}
          trees="grant-tree"
          keys="role-tree-keys"
          params={{ roleIds: granted.id }}
          fixed={fixed}
          save={({ menu, dataScope, apiScope }) =>
            api.post(
              '/blade-system/role/grant',
              {
                roleIds: granted.id,
                menuIds: menu.join(','),
                dataScopeIds: dataScope.join(','),
                apiScopeIds: apiScope.join(','),
              },
              fixed,
            )
          }
          invalidates={[['menu']]}
          onClose={() => setGranted(undefined)}
        />
      )}
    </>
  );
}
