import { beforeEach, expect, test, vi } from 'vitest';
import { md5 } from '@/lib/md5';
import { TOKEN } from '@/testing/render';
import { clearLock, hasLockPassword, lock, lockNow, setLockPassword, unlock } from './lock';
import { clearSession, keepSession } from './session';

beforeEach(() => {
  sessionStorage.clear();
  keepSession(TOKEN);
});

function lockWith(password: string) {
  setLockPassword(password);
  lockNow();
}

const kept = () => JSON.parse(sessionStorage.getItem('xunwei.lock') ?? 'null');

/** The module anew, as after a reload: only storage is left. */
async function reloaded() {
  vi.resetModules();
  return import('./lock');
}

test('at first there is no password and nothing is locked', () => {
  expect(hasLockPassword()).toBe(false);
  expect(lock.get().locked).toBe(false);
});

test('without a password it cannot be locked', () => {
  lockNow();
  expect(lock.get().locked).toBe(false);
});

test('setting the password locks nothing yet', () => {
  setLockPassword('pass 1');
  expect(hasLockPassword()).toBe(true);
  expect(lock.get().locked).toBe(false);
});

test('the password is kept as a salted digest only, in this tab', () => {
  lockWith('pass 1');
  expect(lock.get().locked).toBe(true);
  const { salt, digest } = kept().value;
  expect(salt).toMatch(/^[0-9a-f]{32}$/);
  expect(digest).toBe(md5(`${salt}pass 1`));
  expect(sessionStorage.getItem('xunwei.lock')).not.toContain('pass 1');
  expect(localStorage.getItem('xunwei.lock')).toBeNull();
  lockWith('pass 1');
  expect(kept().value.salt).not.toBe(salt);
});

test.each(['', 'pass', 'pass 2', 'PASS 1', ' pass 1'])('"%s" is wrong and keeps it locked', (word) => {
  lockWith('pass 1');
  expect(unlock(word)).toBe(false);
  expect(lock.get().locked).toBe(true);
});

test('the right one opens, and stays set for the next time', () => {
  lockWith('pass 1');
  expect(unlock('pass 1')).toBe(true);
  expect(lock.get().locked).toBe(false);
  expect(hasLockPassword()).toBe(true);
  lockNow();
  expect(lock.get().locked).toBe(true);
  expect(unlock('pass 1')).toBe(true);
});

test('it is locked after a reload too, by the same password', async () => {
  lockWith('pass 1');
  const anew = await reloaded();
  expect(anew.lock.get().locked).toBe(true);
  expect(anew.unlock('pass 2')).toBe(false);
  expect(anew.lock.get().locked).toBe(true);
  expect(anew.unlock('pass 1')).toBe(true);
  expect(anew.lock.get().locked).toBe(false);
});

test('a renewed token of the same person leaves it locked', () => {
  lockWith('pass 1');
  keepSession({ ...TOKEN, access_token: 'access-2' });
  expect(lock.get().locked).toBe(true);
});

test.each([
  ['another person', { user_id: '8' }],
  ['the same number in another company', { tenant_id: '100002' }],
])('%s is not locked out by somebody else’s password', (_, part) => {
  lockWith('pass 1');
  keepSession({ ...TOKEN, ...part });
  expect(lock.get().locked).toBe(false);
  expect(hasLockPassword()).toBe(false);
  expect(unlock('')).toBe(false);
});

test('signing out opens it for nobody: who comes back finds it as it was left, unless it is cleared', () => {
  lockWith('pass 1');
  clearSession();
  expect(lock.get().locked).toBe(false);
  keepSession(TOKEN);
  expect(lock.get().locked).toBe(true);
  clearLock();
  expect(lock.get().locked).toBe(false);
  expect(hasLockPassword()).toBe(false);
});

test.each(['{broken', 'null', '[]', '{"salt":"s","digest":"d","locked":true}', '{"owner":"100001/7"}'])(
  '%s in storage is no lock',
  (text) => {
    sessionStorage.setItem('xunwei.lock', text);
    expect(lock.get()).toEqual({ salt: '', digest: '', locked: false });
  },
);

test('who listens hears of the lock and of the person', () => {
  const heard = vi.fn();
  const stop = lock.listen(heard);
  setLockPassword('a');
  expect(heard).toHaveBeenCalledTimes(1);
  keepSession({ ...TOKEN, user_id: '8' });
  expect(heard).toHaveBeenCalledTimes(2);
  stop();
  clearLock();
  keepSession(TOKEN);
  expect(heard).toHaveBeenCalledTimes(2);
});
