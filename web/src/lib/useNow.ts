/** The time, half a minute exact, for what counts down: all who ask share one timer. */
import { useSyncExternalStore } from 'react';

const STEP = 30_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const one of listeners) one();
  }, STEP);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

/** Milliseconds since 1970, the same value within a step. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => Math.floor(Date.now() / STEP) * STEP);
}
