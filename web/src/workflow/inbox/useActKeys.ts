/** The keys of a task: A agrees, R refuses, T transfers. */
import { useContext, useEffect, useEffectEvent } from 'react';
import { TYPING } from '@/kit/rowKeys';
import { TaskPane } from './place';

export type ActKey = 'a' | 'r' | 't';

/** `act` says whether the key meant something. Nothing is heard while somebody types, or where something lies over the
 * page; beside its list a task leaves the keys to the list. */
export function useActKeys(act: (key: ActKey) => boolean): void {
  const inPane = useContext(TaskPane) !== undefined;
  const actNow = useEffectEvent(act);
  useEffect(() => {
    if (inPane) return undefined;
    const onKey = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase();
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      if (key !== 'a' && key !== 'r' && key !== 't') return;
      if ((event.target as HTMLElement).closest(TYPING) || document.querySelector('.ant-drawer-open')) return;
      if (actNow(key)) event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [inPane]);
}
