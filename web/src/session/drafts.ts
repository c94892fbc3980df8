/** What somebody has begun to fill in, kept in this browser until it is sent: through a reload, a closed tab and an ended session. Each person of each tenant has drafts of their own; who signs out takes them along. */
import { currentSession } from './session';

export interface Draft {
  /** When it was written, in milliseconds of this device's clock: tells one draft from the next under the same name. */
  at: number;
  /** The version of the record that it changes. */
  version?: number;
  /** What differs from the beginning. */
  values: Readonly<Record<string, unknown>>;
}

const PREFIX = 'xunwei.draft.';
/** Nobody goes on with what is older. */
const DAYS = 30;
const DAY = 86_400_000;

/** Where the drafts of whoever is signed in begin. */
function own(): string | undefined {
  const session = currentSession();
  return session && `${PREFIX}${session.tenantId}.${session.userId}.`;
}

function read(place: string): Draft | undefined {
  try {
    const found = JSON.parse(localStorage.getItem(place) ?? 'null') as Partial<Draft> | null;
    const fits = typeof found?.at === 'number' && typeof found.values === 'object' && found.values !== null;
    return fits && Date.now() - Number(found.at) < DAYS * DAY ? (found as Draft) : undefined;
  } catch {
    return undefined;
  }
}

export function draftOf(name: string): Draft | undefined {
  const before = own();
  return before === undefined ? undefined : read(before + name);
}

/** Whether it could be kept: a browser's storage may be full or closed. */
export function keepDraft(name: string, draft: Draft): boolean {
  const before = own();
  if (!before) return false;
  try {
    localStorage.setItem(before + name, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

/** Removes it; where `at` is given only the one of that moment: another tab may have written its own meanwhile. */
export function dropDraft(name: string, at?: number): void {
  const before = own();
  if (!before || (at !== undefined && read(before + name)?.at !== at)) return;
  localStorage.removeItem(before + name);
}

function ownNames(): string[] {
  const before = own();
  return before ? Object.keys({ ...localStorage }).filter((name) => name.startsWith(before)) : [];
}

/** Whether whoever is signed in would lose something by signing out. */
export function hasDrafts(): boolean {
  return ownNames().some((name) => read(name) !== undefined);
}

/** All of them as one text, to look for what they name. */
export function draftsText(): string {
  return ownNames()
    .map((name) => localStorage.getItem(name))
    .join(' ');
}

export function dropAllDrafts(): void {
  for (const name of ownNames()) localStorage.removeItem(name);
}

/** Clears away what is too old, of anybody. */
for (const name of Object.keys({ ...localStorage }))
  if (name.startsWith(PREFIX) && read(name) === undefined) localStorage.removeItem(name);
