import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { setLanguage } from '@/i18n';
import '@/session/sign';
import { hasLockPassword, lock, lockNow, setLockPassword } from '@/session/lock';
import { currentSession, keepSession } from '@/session/session';
import { beSignedIn, TOKEN } from '@/testing/render';
import { openAt } from './testShell';

beforeEach(async () => {
  sessionStorage.clear();
  await setLanguage('zh-CN');
  beSignedIn();
});

function beLocked() {
  setLockPassword('pass 1');
  lockNow();
}

const field = () => screen.findByLabelText('锁屏密码');

async function answer(password: string) {
  const input = await field();
  await userEvent.clear(input);
  if (password) await userEvent.type(input, password);
  await userEvent.click(screen.getByRole('button', { name: '解锁' }));
}

test.each([
  '/',
  '/wel/index',
  '/info/index?tab=2',
  '/system/post',
  '/repair/order/5',
  '/equip',
  '/myiframe/board',
  '/login',
  '/editPassword',
  '/404',
  '/403',
  '/500',
  '/nowhere',
])('while it is locked %s leads to the lock, and the server is asked for nothing', async (address) => {
  beLocked();
  const { at, log } = openAt(address);
  await waitFor(() => expect(at()).toBe('/lock'));
  await field();
  expect(document.querySelector('.x-shell')).toBeNull();
  expect(log).toEqual([]);
});

test('the page says who locked it, and offers no other way in', async () => {
  beLocked();
  openAt('/wel/index');
  await field();
  expect(screen.getByRole('heading').textContent).toBe('Qian Wei');
  expect(document.title).toBe('锁屏 - 巡维');
  expect(screen.queryAllByRole('link')).toEqual([]);
  expect(screen.getAllByRole('button').map((button) => button.textContent)).toContain('退出登录');
});

test('a wrong password keeps it locked and says so until the next letter', async () => {
  beLocked();
  const { at } = openAt('/wel/index');
  await answer('pass 2');
  expect(await screen.findByText('锁屏密码错误')).toBeTruthy();
  expect(lock.get().locked).toBe(true);
  expect(at()).toBe('/lock');
  await userEvent.type(await field(), 'x');
  await waitFor(() => expect(screen.queryByText('锁屏密码错误')).toBeNull());
});

test.each(['', '   '])('"%s" is no password', async (password) => {
  beLocked();
  openAt('/wel/index');
  await answer(password);
  expect(await screen.findByText('锁屏密码不能为空')).toBeTruthy();
  expect(lock.get().locked).toBe(true);
});

test('in English it says the same', async () => {
  await setLanguage('en-US');
  beLocked();
  openAt('/wel/index');
  await userEvent.type(await screen.findByLabelText('Lock password'), 'x{Enter}');
  expect(await screen.findByText('Wrong lock password')).toBeTruthy();
  await userEvent.clear(screen.getByLabelText('Lock password'));
  await userEvent.click(screen.getByRole('button', { name: 'Unlock' }));
  expect(await screen.findByText('The lock password must not be empty')).toBeTruthy();
});

test('the right one opens it where the address had pointed', async () => {
  beLocked();
  const { at } = openAt('/info/index?tab=2');
  await answer('pass 1');
  await waitFor(() => expect(at()).toBe('/info/index?tab=2'));
  expect(lock.get().locked).toBe(false);
  expect(hasLockPassword()).toBe(true);
});

test('after a reload it is as locked as before, whatever the address', async () => {
  beLocked();
  const before = openAt('/wel/index');
  await answer('pass 2');
  before.unmount();
  const { at } = openAt('/system/post');
  await waitFor(() => expect(at()).toBe('/lock'));
  await answer('pass 2');
  expect(await screen.findByText('锁屏密码错误')).toBeTruthy();
  expect(at()).toBe('/lock');
});

test('going on to another address while it is locked leads back to the lock', async () => {
  beLocked();
  const { at, router } = openAt('/wel/index');
  await field();
  await router.navigate('/repair/order/5');
  await waitFor(() => expect(at()).toBe('/lock'));
  expect(await field()).toBeTruthy();
});

test('unlocked, the lock’s own address leads home; signed out, to the sign-in', async () => {
  const open = openAt('/lock');
  await waitFor(() => expect(open.at()).toBe('/wel/index'));
  open.unmount();
  localStorage.clear();
  const out = openAt('/lock', {
    'GET /xunwei/site': () => ({ captchaMode: 'off', version: '1', tenants: [] }),
  });
  await waitFor(() => expect(out.at()).toBe('/login'));
});

test('the first time the control asks for a password; it locks, and opens where the person was', async () => {
  const { at, router } = openAt('/info/index?tab=2');
  await userEvent.click(await screen.findByRole('button', { name: '锁屏' }));
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.click(dialog.getByRole('button', { name: '锁屏' }));
  expect(await dialog.findByText('锁屏密码不能为空')).toBeTruthy();
  expect(lock.get().locked).toBe(false);
  await userEvent.type(dialog.getByLabelText('锁屏密码'), 'pass 9');
  await userEvent.click(dialog.getByRole('button', { name: '锁屏' }));
  await waitFor(() => expect(at()).toBe('/lock'));
  await waitFor(() => expect(lock.get().locked).toBe(true));
  await answer('pass 9');
  await waitFor(() => expect(at()).toBe('/info/index?tab=2'));
  expect(lock.get().locked).toBe(false);
  // Back does not lead to a lock that closes by itself.
  await router.navigate(-1);
  await waitFor(() => expect(at()).not.toBe('/lock'));
  expect(lock.get().locked).toBe(false);
});

test('with a password set the control locks at once', async () => {
  setLockPassword('pass 1');
  const { at } = openAt('/info/index');
  await userEvent.click(await screen.findByRole('button', { name: '锁屏' }));
  await waitFor(() => expect(lock.get().locked).toBe(true));
  expect(at()).toBe('/lock');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(await field()).toBeTruthy();
});

test('signing out instead is asked, and leads to the sign-in', async () => {
  beLocked();
  const { at, log } = openAt('/wel/index');
  await userEvent.click(await screen.findByRole('button', { name: /退出登录/ }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getAllByText('退出系统, 是否继续?').length).toBeGreaterThan(0);
  expect(log).toEqual([]);
  await userEvent.click(dialog.getByRole('button', { name: '退出登录' }));
  await waitFor(() => expect(at()).toBe('/login'));
  expect(currentSession()).toBeUndefined();
});

test('who signs in next is not locked out', async () => {
  beLocked();
  keepSession({ ...TOKEN, user_id: '8' });
  const { at } = openAt('/info/index');
  await screen.findByRole('button', { name: '锁屏' });
  expect(at()).toBe('/info/index');
});

const ME = { id: '7', avatar: '', name: 'Wei', realName: 'Qian Wei', phone: '', email: '', lang: 'en' };

async function changedForm() {
  setLockPassword('pass 1');
  const open = openAt('/info/index', { 'GET /blade-user/info': () => ME });
  await userEvent.type(await screen.findByDisplayValue('Wei'), ' 2');
  await userEvent.click(screen.getByRole('button', { name: '锁屏' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getAllByText('放弃已修改的内容?').length).toBeGreaterThan(0);
  expect(lock.get().locked).toBe(false);
  return { ...open, dialog };
}

test('a changed form is asked before it is locked away; who stays has lost nothing', async () => {
  const { at, dialog } = await changedForm();
  await userEvent.click(dialog.getByRole('button', { name: '继续填写' }));
  expect(at()).toBe('/info/index');
  expect(lock.get().locked).toBe(false);
  expect(screen.getByDisplayValue('Wei 2')).toBeTruthy();
});

test('who gives the changes up is locked', async () => {
  const { at, dialog } = await changedForm();
  await userEvent.click(dialog.getByRole('button', { name: '放弃修改' }));
  await waitFor(() => expect(lock.get().locked).toBe(true));
  expect(at()).toBe('/lock');
  expect(await field()).toBeTruthy();
});
