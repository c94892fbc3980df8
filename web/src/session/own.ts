/** A value of this browser tab that belongs to one person: it outlives a reload, and to anybody else it is empty. */
import { type Stored, stored } from '@/lib/stored';
import { currentSession, onSession } from './session';

/** Tells whoever is signed in from everybody else; empty for nobody. */
export function owner(): string {
  const session = currentSession();
  return session ? `${session.tenantId}/${session.userId}` : '';
}

/** `fits` looks at what was found in storage: an older console may have left something else there. */
export function own<T>(name: string, empty: T, fits: (value: unknown) => boolean): Stored<T> {
  const kept = stored<{ owner?: string; value?: unknown } | null>(name, null, sessionStorage);
  return {
    get: () => {
      const found = kept.get();
      return found?.owner === owner() && fits(found.value) ? (found.value as T) : empty;
    },
    set: (value) => kept.set({ owner: owner(), value }),
    listen: (listener) => {
      const stops = [kept.listen(listener), onSession(listener)];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}
