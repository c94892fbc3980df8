import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { setLanguage } from '@/i18n';
import { beSignedIn, draw } from '@/testing/render';
import { serve } from '@/testing/server';
import Tenants from './tenant.page';

const tenant = (id: string, tenantId: string, title: string) => ({
  id,
  tenantId,
  title,
  tenantName: title,
  accountNumber: -1,
  expireTime: '',
  status: 1,
  statusName: 'Enabled',
});
const rows = [tenant('1', '000000', 'Platform'), tenant('2', '100001', 'Plant')];

beforeEach(async () => {
  await setLanguage('en-US');
  beSignedIn();
  serve({
    'GET /blade-system/menu/buttons': () =>
      ['tenant_view', 'tenant_edit', 'tenant_delete', 'tenant_setting'].map((code) => ({ id: code, code })),
    'GET /blade-system/menu/routes': () => [],
    'GET /blade-system/tenant/list': () => ({ records: rows, total: 2, size: 10, current: 1, pages: 1 }),
  });
});

test('the tenant of the platform is offered neither for removal nor for limits', async () => {
  draw(<Tenants />);
  const actions = async (name: RegExp) => {
    const [row] = await screen.findAllByRole('row', { name });
    return within(row as HTMLElement)
      .getAllByRole('button')
      .map((button) => button.textContent);
  };
  expect(await actions(/Plant/)).toEqual(['Edit', 'Settings', 'More']);
  expect(await actions(/Platform/)).toEqual(['Edit', 'Usage']);
});
