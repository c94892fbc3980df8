/** A stored value in a component. */
import { useSyncExternalStore } from 'react';
import type { Stored } from '@/lib/stored';

export function useStored<T>(store: Stored<T>): T {
  return useSyncExternalStore(store.listen, store.get);
}
