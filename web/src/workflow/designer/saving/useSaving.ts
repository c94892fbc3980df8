/** Saving in a component: follows the drawing, and sends what is left when one leaves. */
import type EventBus from 'diagram-js/lib/core/EventBus';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import type { Wire } from '@/api/wire';
import type { Drawing } from '../canvas/drawing';
import { contentOf } from './content';
import { Saver, type State } from './Saver';

/** A draft, or what is deployed while there is none: then without an id, and with the note of the draft to be. */
export type Opened = Wire<'ModelDetail'> & { note?: string };

const NOT_YET: State = { kind: 'saved' };
const never = () => () => undefined;

/** `drawing` is undefined as long as there is nothing to save. */
export function useSaving(
  drawing: Drawing | undefined,
  draft: Opened,
): { saver: Saver | undefined; state: State } {
  const saver = useMemo(
    () =>
      drawing &&
      new Saver({ id: draft.id, version: draft.version, category: draft.category, note: draft.note }, () =>
        contentOf(drawing, draft.name),
      ),
    [drawing, draft],
  );
  const state = useSyncExternalStore(saver?.listen ?? never, saver?.get ?? (() => NOT_YET));

  useEffect(() => {
    if (!drawing || !saver) return;
    const events = drawing.get<EventBus>('eventBus');
    // An import empties the stack: that is no change of somebody's.
    const follow = (event: object) => {
      if (!('trigger' in event && event.trigger === 'clear')) saver.changed();
    };
    const save = () => saver.save();
    const ask = (event: BeforeUnloadEvent) => {
      if (!saver.isDirty) return;
      event.preventDefault();
      saver.save();
    };
    events.on('commandStack.changed', follow);
    window.addEventListener('online', save);
    window.addEventListener('beforeunload', ask);
    return () => {
      events.off('commandStack.changed', follow);
      window.removeEventListener('online', save);
      window.removeEventListener('beforeunload', ask);
      saver.save().finally(() => saver.stop());
    };
  }, [drawing, saver]);

  return { saver, state };
}
