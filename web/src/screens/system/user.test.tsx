import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { setLanguage } from '@/i18n';
import { keepSession } from '@/session/session';
import '@/session/sign';
import { beSignedIn, draw, TOKEN } from '@/testing/render';
import { type Asked, serve } from '@/testing/server';
import Users from './user.page';

const person = {
  id: '41',
  account: 'qin.y',
  realName: 'Qin Yue',
  roleId: '9',
  roleName: 'Operator',
  deptId: '1',
  deptName: 'Production',
  postId: '',
  phone: '',
  status: 1,
  statusName: 'Enabled',
};
const ALL = ['user_view', 'user_add', 'user_edit', 'user_delete', 'user_role', 'user_reset', 'user_unlock'];

function plant(codes: string[], more: Record<string, (asked: Asked) => unknown> = {}) {
  return serve({
    'GET /blade-system/menu/buttons': () => codes.map((code) => ({ id: code, code })),
    'GET /blade-system/menu/routes': () => [],
    'GET /blade-system/dict-biz/dictionary': () => [{ dictKey: '3', dictValue: 'Not stated' }],
    'GET /blade-user/list': () => ({ records: [person], total: 1, size: 10, current: 1, pages: 1 }),
    'GET /blade-system/dept/tree': () => [{ id: '1', title: 'Production' }],
    'GET /blade-system/post/select': () => [],
    'GET /blade-system/role/tree': () => [
      { id: '8', title: 'Repairer' },
      { id: '9', title: 'Operator' },
    ],
    'GET /blade-system/tenant/select': () => [
      { tenantId: '000000', tenantName: 'Platform' },
      { tenantId: '100001', tenantName: 'Plant' },
    ],
    ...more,
  });
}

const act = async (name: string) => {
  const more = await screen.findByText('More');
  const inSight = screen.queryByRole('button', { name });
  if (inSight) return userEvent.click(inSight);
  await userEvent.click(more);
  await userEvent.click(await screen.findByRole('menuitem', { name }));
};

beforeEach(async () => {
  await setLanguage('en-US');
  beSignedIn();
});

test('whether an account is on is a tag, with a tone of its own', async () => {
  plant(ALL);
  draw(<Users />);
  const tag = (await screen.findByText('Enabled', { selector: '.x-tag' })) as HTMLElement;
  expect(tag.className).toContain('x-tone-good');
});

test('who may only look is offered nothing to do', async () => {
  plant(['user_view']);
  draw(<Users />);
  await screen.findByText('qin.y');
  for (const name of ['Add', 'Edit', 'Delete', 'More']) expect(screen.queryByText(name)).toBeNull();
  expect(screen.queryByRole('checkbox')).toBeNull();
});

test('a reset is asked about, and its password stays until it is put away', async () => {
  const log = plant(ALL, {
    'POST /blade-user/reset-password': () => [
      { userId: '41', account: 'qin.y', realName: 'Qin Yue', password: 'k7mmw2aax9qe' },
    ],
  });
  draw(<Users />);
  await act('Reset password');
  const question = within(await screen.findByRole('dialog'));
  question.getByText('Reset the passwords of the selected accounts?');
  await userEvent.click(question.getByRole('button', { name: 'OK' }));
  await screen.findByText('k7mmw2aax9qe');
  expect(log.at(-1)?.body).toEqual({ userIds: '41' });
  await userEvent.keyboard('{Escape}');
  screen.getByText('k7mmw2aax9qe');
  await userEvent.click(screen.getByRole('button', { name: 'I have saved it' }));
  await waitFor(() => expect(screen.queryByText('k7mmw2aax9qe')).toBeNull());
});

test('roles begin with those that are held, and are sent whole', async () => {
  const log = plant(ALL, { 'POST /blade-user/grant': () => ({}) });
  draw(<Users />);
  await act('Set roles');
  const drawer = within(await screen.findByRole('dialog'));
  await drawer.findAllByText('Operator');
  await userEvent.click(drawer.getByRole('combobox', { name: 'Roles' }));
  await userEvent.click(await screen.findByTitle('Repairer'));
  await userEvent.click(drawer.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(log.find((asked) => asked.path === '/blade-user/grant')?.body).toEqual({
      userIds: '41',
      roleIds: '9,8',
    }),
  );
});

test('an administrator of the platform chooses whose people are shown', async () => {
  keepSession({ ...TOKEN, tenant_id: '000000', role_name: 'administrator' });
  const log = plant(ALL);
  const { router } = draw(<Users />);
  await screen.findByText('qin.y');
  await userEvent.click(screen.getByRole('combobox', { name: 'Tenant shown' }));
  await userEvent.click(await screen.findByTitle('Plant'));
  await waitFor(() => expect(router.state.location.search).toBe('?tenant=100001'));
  await waitFor(() => {
    const last = log.filter((asked) => asked.path === '/blade-user/list').at(-1);
    expect(last?.params.tenantId).toBe('100001');
  });
  expect(log.filter((asked) => asked.path === '/blade-system/dept/tree').at(-1)?.params.tenantId).toBe(
    '100001',
  );
});

test('others see no choice of companies', async () => {
  const log = plant(ALL);
  draw(<Users />);
  await screen.findByText('qin.y');
  expect(screen.queryByRole('combobox', { name: 'Tenant shown' })).toBeNull();
  expect(log.some((asked) => asked.path === '/blade-system/tenant/select')).toBe(false);
});
