/** The lock of this browser tab's session: a password of its own, kept only as a salted digest. */
import { md5 } from '@/lib/md5';
import { randomKey } from '@/lib/random';
import { own } from './own';

interface Lock {
  salt: string;
  digest: string;
  locked: boolean;
}

const NONE: Lock = { salt: '', digest: '', locked: false };

/** In the session's storage: closing the tab forgets it, together with the way back in. */
export const lock = own<Lock>(
  'xunwei.lock',
  NONE,
  (value) => typeof (value as Lock | undefined)?.digest === 'string',
);

export function hasLockPassword(): boolean {
  return lock.get().digest !== '';
}

export function setLockPassword(password: string): void {
  const salt = randomKey();
  lock.set({ salt, digest: md5(salt + password), locked: false });
}

/** Locks with the password that is set; without one nobody could unlock. */
export function lockNow(): void {
  if (hasLockPassword()) lock.set({ ...lock.get(), locked: true });
}

/** Whether the password was right; then the lock is open and the password stays set. */
export function unlock(password: string): boolean {
  const state = lock.get();
  if (md5(state.salt + password) !== state.digest) return false;
  lock.set({ ...state, locked: false });
  return true;
}

export function clearLock(): void {
  lock.set(NONE);
}
