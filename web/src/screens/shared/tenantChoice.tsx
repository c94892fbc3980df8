/** Whose rows an administrator of the platform looks at: one company at a time, kept in the address. */
import { Select } from 'antd';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { useTranslation } from '@/i18n';
import { useOptions } from '@/kit/references';
import { useIsPlatform } from '@/session/rights';

const PLATFORM = '000000';

export interface TenantChoice {
  /** Sent with every call; undefined is the own company. */
  tenantId: string | undefined;
  /** Nothing for everybody else. */
  picker: ReactNode;
}

export function useTenantChoice(): TenantChoice {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const may = useIsPlatform();
  const { data } = useOptions({
    path: may ? '/blade-system/tenant/select' : '',
    value: 'tenantId',
    label: 'tenantName',
  });
  if (!may) return { tenantId: undefined, picker: null };
  const tenantId = params.get('tenant') ?? undefined;
  const choose = (chosen: string) => setParams(chosen === PLATFORM ? {} : { tenant: chosen });
  return {
    tenantId,
    picker: (
      <Select
        aria-label={t('people.allTenants')}
        value={tenantId ?? PLATFORM}
        options={data ?? []}
        onChange={choose}
        prefix={<span className="x-quiet">{t('people.tenantPrefix')}</span>}
        showSearch={{ optionFilterProp: 'label' }}
        popupMatchSelectWidth={false}
        style={{ minWidth: 160, maxWidth: 280 }}
      />
    ),
  };
}
