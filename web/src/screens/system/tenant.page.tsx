/** Companies that use the console; the platform founds them and sets their limits. */
import { Button } from 'antd';
import { useState } from 'react';
import { api } from '@/api/client';
import type { RowOf } from '@/api/noun';
import { tenant } from '@/api/nouns/tenant';
import { useTranslation } from '@/i18n';
import { FormDrawer } from '@/kit/FormDrawer';
import { DateTimeField, NumberField, SwitchField } from '@/kit/fields';
import { NounPage } from '@/kit/NounPage';
import { useRights } from '@/session/rights';
import { type Secret, ShownOnce } from './ShownOnce';
import { MEGABYTE, UsageDrawer, useUsage } from './UsageDrawer';

type Tenant = RowOf<typeof tenant>;
interface Limits {
  accountNumber: number;
  expireTime: string | null;
  fileMegabytes?: number | null;
  modelNumber?: number | null;
  instanceNumber?: number | null;
}

const MOST = 1_000_000;
/** By column of a limit the most that may be typed. */
const QUOTAS = [
  ['fileMegabytes', 1_000_000_000],
  ['modelNumber', 100_000_000],
  ['instanceNumber', 100_000_000],
] as const;
/** Its own tenant has neither limit nor end, is always enabled, and stays. */
const PLATFORM = '000000';

export default function Tenants() {
  const { t } = useTranslation();
  const holds = useRights();
  const [limited, setLimited] = useState<readonly Tenant[]>();
  const [shown, setShown] = useState<Tenant>();
  const [secret, setSecret] = useState<Secret>();
  const maySet = holds('tenant_setting');
  return (
    <>
      <NounPage
        noun={tenant}
        name="title"
        columns={[
          { key: 'tenantId', width: 110 },
          { key: 'title', width: 200 },
          { key: 'linkman', width: 110 },
          { key: 'contactNumber', width: 140 },
          'accountNumber',
          'expireTime',
          'statusName',
          { key: 'tenantCode', width: 120, extra: true },
          { key: 'domain', extra: true },
          { key: 'address', extra: true },
        ]}
        show={{
          accountNumber: (row) =>
            row.accountNumber < 0 ? t('people.tenant.unlimited') : row.accountNumber.toLocaleString(),
          expireTime: (row) => row.expireTime?.slice(0, 16) || t('people.tenant.never'),
        }}
        filters={['tenantName', 'tenantId', 'linkman', 'contactNumber']}
        form={[
          'tenantName',
          'tenantNameEn',
          { key: 'tenantCode', hint: t('people.tenant.codeHint') },
          'linkman',
          'contactNumber',
          'address',
          'isListed',
          {
            key: 'status',
            control: (props, _, row) => <SwitchField {...props} disabled={row?.tenantId === PLATFORM} />,
          },
          { key: 'domain', hint: t('people.tenant.domainHint') },
          'backgroundUrl',
        ]}
        detail={['tenantId', 'accountNumber', 'expireTime']}
        initial={{ status: 1, isListed: 0 }}
        mayBeRemoved={(row) => row.tenantId !== PLATFORM}
        removeHint={t('people.tenant.removeHint')}
        onAdded={(answer) => {
          const made = answer as { id: string; tenantId: string; account?: string; password?: string };
          if (!made.password || !made.account) return;
          setSecret({
            key: made.id,
            tenantId: made.tenantId,
            account: made.account,
            password: made.password,
          });
        }}
        rowActions={(row) => [
          ...(maySet && row.tenantId !== PLATFORM
            ? [{ key: 'setting', label: t('people.tenant.setting'), onClick: () => setLimited([row]) }]
            : []),
          { key: 'usage', label: t('people.tenant.usage'), onClick: () => setShown(row) },
        ]}
        bulk={
          maySet
            ? (rows) => {
                const others = rows.filter((row) => row.tenantId !== PLATFORM);
                return (
                  <Button disabled={others.length === 0} onClick={() => setLimited(others)}>
                    {t('people.tenant.setting')}
                  </Button>
                );
              }
            : undefined
        }
      />
      {shown && <UsageDrawer id={shown.id} title={shown.title} onClose={() => setShown(undefined)} />}
      {limited && <LimitsForm rows={limited} onClose={() => setLimited(undefined)} />}
      {secret && <ShownOnce secrets={[secret]} onClose={() => setSecret(undefined)} />}
    </>
  );
}

function LimitsForm({ rows, onClose }: { rows: readonly Tenant[]; onClose: () => void }) {
  const { t } = useTranslation();
  const [first] = rows;
  const one = rows.length === 1 ? first : undefined;
  const { data, error } = useUsage(one?.id);
  if (one && !data && !error) return null;
  const most = (kind: string) => data?.find((row) => row.kind === kind)?.most;
  const bytes = most('files');
  return (
    <FormDrawer<Limits>
      size="small"
      title={t('people.tenant.settingOf', { names: rows.map((row) => row.title).join(' · ') })}
      initial={{
        accountNumber: one?.accountNumber ?? -1,
        expireTime: one?.expireTime || null,
        fileMegabytes: bytes === undefined || bytes < 0 ? bytes : Math.floor(bytes / MEGABYTE),
        modelNumber: most('models'),
        instanceNumber: most('instances'),
      }}
      submit={({ accountNumber, expireTime, fileMegabytes, modelNumber, instanceNumber }) =>
        api.post(`${tenant.path}/setting`, {
          ids: rows.map((row) => row.id).join(','),
          accountNumber,
          expireTime,
          fileMegabytes: fileMegabytes ?? undefined,
          modelNumber: modelNumber ?? undefined,
          instanceNumber: instanceNumber ?? undefined,
        })
      }
      invalidates={[['tenant']]}
      success={t('kit.done')}
      onClose={onClose}
    >
      <NumberField
        name="accountNumber"
        label={t('people.tenant.accountNumber')}
        hint={t('people.tenant.accountHint')}
        required
        min={-1}
        max={MOST}
      />
      {QUOTAS.map(([name, max]) => (
        <NumberField
          key={name}
          name={name}
          label={t(`people.tenant.${name}`)}
          hint={t(one ? 'people.tenant.accountHint' : 'people.tenant.quotaHint')}
          required={one !== undefined}
          min={-1}
          max={max}
        />
      ))}
      <DateTimeField
        name="expireTime"
        label={t('people.tenant.expireTime')}
        hint={t('people.tenant.expireHint')}
      />
    </FormDrawer>
  );
}
