/** Renewing the access token: at a given age, by one tab at a time, the others taking over what it stored. */
import { ApiError, api } from '@/api/client';
import { alone } from '@/lib/alone';
import { site } from '@/site';
import { clearSession, currentSession, keepSession, type Session } from './session';

const LOCK = 'xunwei.refresh';
/** A lease outlives the call it guards, however slow that is. After a tab was closed on it the others go on with the
 * old token meanwhile, which is good for some minutes more. */
const LEASE = site.requestTimeout + 5_000;

function isOld(session: Session): boolean {
  return Date.now() - session.at >= site.tokenTime * 1000;
}

async function renew(): Promise<void> {
  const session = currentSession();
  if (!session || !isOld(session)) return;
  try {
    const token = await api.token('/blade-auth/oauth/token', {
      grant_type: 'refresh_token',
      refresh_token: session.refresh,
      tenantId: session.tenantId,
      scope: 'all',
    });
    // Signed out, or signed in as somebody else, while the call was on its way.
    if (currentSession()?.refresh === session.refresh) keepSession(token);
  } catch (error) {
    // Without an answer, or with a server in trouble, the token may still be good; a refusal is final.
    const refused = error instanceof ApiError && error.code !== 0 && !(error.code >= 500 && error.code < 600);
    if (refused && currentSession()?.refresh === session.refresh) clearSession(true);
  }
}

let running: Promise<void> | undefined;

/** Resolves at once while the token is young. */
export function ensureFresh(): Promise<void> {
  const session = currentSession();
  if (!session || !isOld(session)) return Promise.resolve();
  running ??= alone(LOCK, LEASE, renew).finally(() => {
    running = undefined;
  });
  return running;
}

/** Looks at the token's age every few seconds, and when the page comes back to the front. Returns the way to stop. */
export function watchToken(): () => void {
  const timer = setInterval(ensureFresh, site.tokenCheck * 1000);
  document.addEventListener('visibilitychange', ensureFresh);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', ensureFresh);
  };
}
