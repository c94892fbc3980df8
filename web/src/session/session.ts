/** Who is signed in: one record in local storage, shared by all tabs of this browser. */
import { useSyncExternalStore } from 'react';
import type { Token } from '@/api/wire';
import { md5 } from '@/lib/md5';

const STORED = 'xunwei.session';

export interface Session {
  access: string;
  refresh: string;
  tenantId: string;
  tenantName: string;
  userId: string;
  account: string;
  realName: string;
  avatar: string;
  /** Aliases. */
  roles: readonly string[];
  /** The password was made up by somebody else: nothing is done before it is changed. */
  mustChange: boolean;
  /** When the token was handed out, in milliseconds of this device's clock. */
  at: number;
}

let text: string | null | undefined;
let session: Session | undefined;
const listeners = new Set<() => void>();

/** Reads storage anew: another tab may have renewed the token or signed out. The same text gives the same object. */
export function currentSession(): Session | undefined {
  const stored = localStorage.getItem(STORED);
  if (stored !== text) {
    text = stored;
    try {
      session = stored ? (JSON.parse(stored) as Session) : undefined;
    } catch {
      session = undefined;
    }
  }
  return session;
}

function tell() {
  for (const listener of listeners) listener();
}

export function keepSession(token: Token): void {
  const record: Session = {
    access: token.access_token,
    refresh: token.refresh_token,
    tenantId: token.tenant_id,
    tenantName: token.tenant_name,
    userId: token.user_id,
    account: token.account,
    realName: token.real_name,
    avatar: token.avatar,
    roles: (token.role_name ?? '').split(',').filter(Boolean),
    mustChange: Number(token.must_change_password ?? 0) === 1,
    at: Date.now(),
  };
  localStorage.setItem(STORED, JSON.stringify(record));
  setCookie('access', md5(token.access_token));
  setCookie('refresh', md5(token.refresh_token));
  ended = false;
  tell();
}

/**
 * Tells other pages of the family on this host that somebody is signed in, and whether it is still the same session. A
 * cookie goes to every port of the host and every script there reads it, so it holds a digest, never a token.
 */
function setCookie(name: string, value: string): void {
  const secure = window.location.protocol === 'https:' ? '; Secure' : '';
  const age = value === '' ? '; Max-Age=0' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API exists on secure origins only
  document.cookie = `${name}=${encodeURIComponent(value)}; Path=/; SameSite=Strict${secure}${age}`;
}

/** The forced change is done. */
export function passwordChanged(): void {
  change({ mustChange: false });
}

/** What the person has changed about themselves. */
export function change(part: Partial<Session>): void {
  const now = currentSession();
  if (!now) return;
  localStorage.setItem(STORED, JSON.stringify({ ...now, ...part }));
  tell();
}

let ended = false;

/** `refused`: the server ended it, so that the sign-in page can say why it appeared. */
export function clearSession(refused = false): void {
  localStorage.removeItem(STORED);
  setCookie('access', '');
  setCookie('refresh', '');
  ended = refused;
  tell();
}

/** Whether the last session of this page was ended by the server. */
export function wasEnded(): boolean {
  return ended;
}

window.addEventListener('storage', (event) => {
  if (event.key === STORED || event.key === null) tell();
});

/** Called at every change, in this tab or another one. Returns the way to stop. */
export function onSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useSession(): Session | undefined {
  return useSyncExternalStore(onSession, currentSession);
}
