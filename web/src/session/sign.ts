/** Signing in and out, and lending the session to the client. */
import { api, connect } from '@/api/client';
import { md5 } from '@/lib/md5';
import { forget } from './away';
import { dropAllDrafts } from './drafts';
import { unsentCount } from './net';
import { owner } from './own';
import { ensureFresh } from './refresh';
import { clearSession, currentSession, keepSession } from './session';

const DEVICE = 'xunwei.device';

connect({
  current: currentSession,
  ready: ensureFresh,
  over: (access) => {
    // A late answer to an old token must not end a session that was renewed meanwhile.
    if (currentSession()?.access === access) clearSession(true);
  },
});

export interface Credentials {
  tenantId: string;
  account: string;
  password: string;
  captcha?: { kind: 'captcha' | 'slider_captcha'; key: string; code: string };
}

/**
 * What this browser calls itself when somebody signs in. It opens nothing: where an account has signed in before, wrong
 * guesses of others do not lock it out. It stays when people sign out.
 */
function deviceMark(): string {
  const known = localStorage.getItem(DEVICE);
  if (known) return known;
  const bytes = [...crypto.getRandomValues(new Uint8Array(16))];
  const made = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
  localStorage.setItem(DEVICE, made);
  return made;
}

/** Throws ApiError with the server's sentence; nothing is stored then. */
export async function signIn({ tenantId, account, password, captcha }: Credentials): Promise<void> {
  const token = await api.token(
    '/equip-auth/oauth/token',
    {
      tenantId,
      username: account,
      password: md5(password.trim()),
      grant_type: captcha?.kind ?? 'password',
      scope: 'all',
      type: 'account',
    },
    {
      'Tenant-Id': tenantId,
      'Device-Mark': deviceMark(),
      ...(captcha && { 'Captcha-Key': captcha.key, 'Captcha-Code': captcha.code }),
    },
  );
  keepSession(token);
}

/** Ends the session here even when the server cannot be told. On a machine that others use too, nothing of the person stays. */
export async function signOut(): Promise<void> {
  dropAllDrafts();
  unsentCount.set(0);
  const person = owner();
  try {
    await api.get('/blade-auth/oauth/logout');
  } catch {
    // The token expires on its own.
  } finally {
    clearSession();
    await forget(person);
  }
}
