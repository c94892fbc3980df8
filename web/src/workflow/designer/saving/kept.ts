/** A drawing that has not reached the server yet, kept in this browser; each person has their own. */
import { currentSession } from '@/session/session';

export interface Kept {
  xml: string;
  /** The draft's version that it was drawn on from. */
  version: number;
  /** Milliseconds since 1970. */
  time: number;
}

function place(id: string): string {
  const session = currentSession();
  return `xunwei.drawing.${session?.tenantId ?? ''}.${session?.userId ?? ''}.${id}`;
}

export function keptOf(id: string): Kept | undefined {
  try {
    const found = JSON.parse(localStorage.getItem(place(id)) ?? 'null') as Partial<Kept> | null;
    return typeof found?.xml === 'string' &&
      typeof found.version === 'number' &&
      typeof found.time === 'number'
      ? (found as Kept)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Whether there was room for it. */
export function keep(id: string, kept: Kept): boolean {
  try {
    localStorage.setItem(place(id), JSON.stringify(kept));
    return true;
  } catch {
    return false;
  }
}

export function drop(id: string): void {
  localStorage.removeItem(place(id));
}
