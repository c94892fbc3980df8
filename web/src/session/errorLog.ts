/** Errors of the console itself, kept on this device until somebody sends them to the server or clears them. */
import { ApiError, api } from '@/api/client';
import { stored } from '@/lib/stored';

/** As the server takes it. */
export interface LoggedError {
  type: string;
  message: string;
  stack: string;
  info: string;
  url: string;
  /** `yyyy-MM-dd HH:mm:ss` */
  time: string;
}

/** As many as the server takes at once, in number and, with three bytes to a character, in size. */
const MOST = 100;
const MOST_CHARACTERS = 600_000;
const LONGEST = 8000;

export const errorLog = stored<readonly LoggedError[]>('xunwei.errors', []);

function now(): string {
  const local = new Date(Date.now() - new Date().getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19).replace('T', ' ');
}

/** The newest of them that may be kept. */
function fitting(errors: readonly LoggedError[]): readonly LoggedError[] {
  let left = MOST_CHARACTERS;
  return errors.slice(0, MOST).filter((error) => {
    left -= JSON.stringify(error).length;
    return left >= 0;
  });
}

function keep(errors: readonly LoggedError[]): void {
  try {
    errorLog.set(errors);
  } catch {
    // Storage is full or shut. An error while logging errors would only be one more.
  }
}

/** Adds an error; the same one again, right after itself, is kept once. */
export function logError(error: unknown, type: string, info = ''): void {
  const message = (error instanceof Error ? error.message : String(error)).slice(0, LONGEST);
  const stack = error instanceof Error ? (error.stack ?? '').slice(0, LONGEST) : '';
  const { pathname } = window.location;
  const entry = { type, message, stack, info: info.slice(0, LONGEST), url: pathname, time: now() };
  const before = errorLog.get();
  if (before[0]?.message === message && before[0]?.stack === stack) return;
  keep(fitting([entry, ...before]));
}

export function clearErrors(): void {
  errorLog.set([]);
}

/** Sends all of them, and forgets them when the server has them; what came up meanwhile stays. */
export async function sendErrors(): Promise<void> {
  const sent = errorLog.get();
  await api.post('/blade-auth/oauth/logout', { logs: [...sent] });
  const last = JSON.stringify(sent[0]);
  const now = errorLog.get();
  const at = now.findIndex((error) => JSON.stringify(error) === last);
  if (at >= 0) keep(now.slice(0, at));
}

/** Catches what nothing else has caught. */
export function watchErrors(): void {
  window.addEventListener('error', (event) => {
    if (event.error) logError(event.error, 'error', `${event.filename}:${event.lineno}:${event.colno}`);
  });
  window.addEventListener('unhandledrejection', ({ reason }) =>
    logError(reason, 'promise', reason instanceof ApiError ? reason.requestId : ''),
  );
}
