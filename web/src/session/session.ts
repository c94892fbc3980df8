/** Who is signed in: one record in local storage, shared by all tabs of this browser. */
import { useSyncExternalStore } from 'react';
import type { Token } from '@/api/wire';

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
    at: Date.now(),
  };
  localStorage.setItem(STORED, JSON.stringify(record));
  ended = false;
  tell();
}

let ended = false;

/** `refused`: the server ended it, so that the sign-in page can say why it appeared. */
export function clearSession(refused = false): void {
  localStorage.removeItem(STORED);
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
