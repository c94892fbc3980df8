/** People of the company: departments at the left, accounts at the right, their roles and passwords. */
import { Button } from 'antd';
import { useState } from 'react';
import { api } from '@/api/client';
import type { RowOf } from '@/api/noun';
import { user } from '@/api/nouns/user';
import { useTranslation } from '@/i18n';
import { ConfirmDialog } from '@/kit/ConfirmDialog';
import { FormDrawer } from '@/kit/FormDrawer';
import { NounPage, useTree } from '@/kit/NounPage';
import { useTenantChoice } from '@/screens/shared/tenantChoice';
import { useRights } from '@/session/rights';
import { RolesField } from './RolesField';
import { type Secret, ShownOnce } from './ShownOnce';

type User = RowOf<typeof user>;
type Act = { kind: 'roles' | 'reset' | 'unlock'; rows: readonly User[] };
interface Made {
  userId: string;
  account: string;
  realName: string;
  /** Missing where the same request was made before. */
  password?: string;
}

const TOUCHED = [['user']];

const shownOnce = (made: readonly Made[]): Secret[] =>
  made.flatMap(({ userId, account, realName, password }) =>
    password ? [{ key: userId, account, name: realName, password }] : [],
  );

export default function Users() {
  const { t } = useTranslation();
  const holds = useRights();
  const { tenantId, picker } = useTenantChoice();
  const departments = useTree('/blade-system/dept/tree', { tenantId });
  const [act, setAct] = useState<Act>();
  const [secrets, setSecrets] = useState<readonly Secret[]>([]);

  const offered = [
    { kind: 'roles', code: 'user_role', label: t('people.roles') },
    { kind: 'reset', code: 'user_reset', label: t('people.reset') },
    { kind: 'unlock', code: 'user_unlock', label: t('people.unlock') },
  ] as const;
  const acts = offered.filter(({ code }) => holds(code));
  return (
    <>
      <NounPage
        key={tenantId}
        noun={user}
        name="realName"
        fixed={{ tenantId }}
        columns={[
          { key: 'realName', width: 96 },
          { key: 'account', width: 96 },
          { key: 'roleName', width: 112 },
          { key: 'deptName', width: 120 },
          { key: 'phone', width: 124 },
          'statusName',
          { key: 'postName', extra: true },
          { key: 'code', extra: true },
          { key: 'email', extra: true },
          { key: 'createTime', extra: true },
        ]}
        filters={['realName', 'account', 'postId', 'phone', 'userType', 'status']}
        form={[
          { group: t('people.groups.account') },
          'account',
          { key: 'password', on: 'add', hint: t('people.passwordHint') },
          'status',
          'userType',
          { group: t('people.groups.person') },
          'realName',
          'name',
          'code',
          'phone',
          'email',
          'sex',
          'birthday',
          { group: t('people.groups.duty') },
          'deptId',
          'postId',
          ...(holds('user_role')
            ? [
                {
                  key: 'roleId' as const,
                  control: (props: Parameters<typeof RolesField>[0]) => (
                    <RolesField {...props} params={{ tenantId }} />
                  ),
                },
              ]
            : []),
          'hourRate',
        ]}
        initial={{ status: 1, userType: 1, sex: 3 }}
        onAdded={(answer, values) => {
          const { id, password } = answer as { id: string; password?: string };
          if (!password) return;
          setSecrets([{ key: id, account: String(values.account), name: String(values.realName), password }]);
        }}
        onImported={(answer) => setSecrets(shownOnce((answer as { passwords: Made[] }).passwords))}
        pane={{ title: t('people.departments'), nodes: departments.data, param: 'deptId', field: 'deptId' }}
        actions={() => picker}
        rowActions={(row) =>
          acts.map(({ kind, label }) => ({ key: kind, label, onClick: () => setAct({ kind, rows: [row] }) }))
        }
        bulk={
          acts.length > 0
            ? (rows) =>
                acts.map(({ kind, label }) => (
                  <Button key={kind} disabled={rows.length === 0} onClick={() => setAct({ kind, rows })}>
                    {label}
                  </Button>
                ))
            : undefined
        }
      />
      {act?.kind === 'roles' && (
        <GrantForm rows={act.rows} tenantId={tenantId} onClose={() => setAct(undefined)} />
      )}
      {(act?.kind === 'reset' || act?.kind === 'unlock') && (
        <ConfirmDialog
          title={t(act.kind === 'reset' ? 'people.resetConfirm' : 'people.unlockConfirm')}
          okText={t('kit.confirm')}
          danger={act.kind === 'reset'}
          run={async () => {
            const people = { userIds: act.rows.map((row) => row.id).join(',') };
            if (act.kind === 'unlock') await api.post(`${user.path}/unlock`, people, { tenantId });
            else setSecrets(shownOnce(await api.post(`${user.path}/reset-password`, people, { tenantId })));
          }}
          success={t('kit.done')}
          onClose={() => setAct(undefined)}
        >
          {names(act.rows)}
          {act.kind === 'reset' && (
            <>
              <br />
              {t('people.resetNote')}
            </>
          )}
        </ConfirmDialog>
      )}
      {secrets.length > 0 && <ShownOnce secrets={secrets} onClose={() => setSecrets([])} />}
    </>
  );
}

function names(rows: readonly User[]): string {
  return rows
    .slice(0, 5)
    .map((row) => row.realName)
    .join(' · ')
    .concat(rows.length > 5 ? ' …' : '');
}

interface GrantFormProps {
  rows: readonly User[];
  tenantId: string | undefined;
  onClose: () => void;
}

function GrantForm({ rows, tenantId, onClose }: GrantFormProps) {
  const { t } = useTranslation();
  const [first] = rows;
  return (
    <FormDrawer<{ roleIds: string }>
      size="small"
      title={t('people.rolesOf', { names: names(rows) })}
      note={t('people.rolesNote')}
      initial={{ roleIds: rows.length === 1 && first ? first.roleId : '' }}
      submit={({ roleIds }) =>
        api.post(
          `${user.path}/grant`,
          { userIds: rows.map((row) => row.id).join(','), roleIds },
          { tenantId },
        )
      }
      invalidates={TOUCHED}
      success={t('kit.done')}
      onClose={onClose}
    >
      <RolesField name="roleIds" label={t('people.role')} params={{ tenantId }} />
    </FormDrawer>
  );
}
