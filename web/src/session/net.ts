/** What the frame shows of the network: whether the server is out of reach, and how much waits here to be sent. */
import { type Stored, stored } from '@/lib/stored';
import { owner } from './own';
import { onSession } from './session';

let down = false;
const listeners = new Set<() => void>();

/** Whether the last call found no server. */
export const net = {
  isDown: () => down,
  listen: (listener: () => void) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
};

export function reached(is: boolean): void {
  if (down !== is) return;
  down = !is;
  for (const listener of listeners) listener();
}

/** How much of whom waits to be sent, or was refused. */
const counts = stored<Readonly<Record<string, number>>>('xunwei.unsent', {});

/** The same of whoever is signed in. */
export const unsentCount: Stored<number> = {
  get: () => counts.get()[owner()] ?? 0,
  set: (count) => {
    const { [owner()]: before = 0, ...others } = counts.get();
    if (before === count) return;
    counts.set(count > 0 ? { ...others, [owner()]: count } : others);
  },
  listen: (listener) => {
    const stops = [counts.listen(listener), onSession(listener)];
    return () => {
      for (const stop of stops) stop();
    };
  },
};
