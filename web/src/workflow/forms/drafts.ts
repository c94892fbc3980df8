/** What somebody has begun to fill in, kept in this browser until it is sent; each person has drafts of their own. */
import { currentSession } from '@/session/session';
import type { Values } from './schema';

const place = (name: string) => `xunwei.draft.${currentSession()?.userId ?? ''}.${name}`;

export function draftOf(name: string): Values {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(place(name)) ?? '{}');
    return typeof found === 'object' && found !== null ? (found as Values) : {};
  } catch {
    return {};
  }
}

export function keepDraft(name: string, values: Values): void {
  try {
    localStorage.setItem(place(name), JSON.stringify(values));
  } catch {
    // The storage is full: the form itself still holds everything.
  }
}

export function dropDraft(name: string): void {
  localStorage.removeItem(place(name));
}
