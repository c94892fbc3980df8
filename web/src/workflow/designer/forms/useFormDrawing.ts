/** The form that is drawn, with what is chosen in it, and every step back and forth. */
import { useReducer } from 'react';
import type { Component, Schema } from '../../forms/schema';
import { identified } from './tree';

interface State {
  past: readonly Schema[];
  now: Schema;
  future: readonly Schema[];
  chosen: string | undefined;
}

type Act =
  | { kind: 'change'; components: readonly Component[]; chosen?: string }
  | { kind: 'choose'; id: string | undefined }
  | { kind: 'undo' }
  | { kind: 'redo' };

const MOST_STEPS = 100;

function next(state: State, act: Act): State {
  const { past, now, future } = state;
  switch (act.kind) {
    case 'choose':
      return { ...state, chosen: act.id };
    case 'change':
      return {
        past: [...past.slice(1 - MOST_STEPS), now],
        now: { ...now, components: [...act.components] },
        future: [],
        chosen: act.chosen ?? state.chosen,
      };
    case 'undo': {
      const before = past.at(-1);
      return before ? { ...state, past: past.slice(0, -1), now: before, future: [now, ...future] } : state;
    }
    case 'redo': {
      const [after, ...later] = future;
      return after ? { ...state, past: [...past, now], now: after, future: later } : state;
    }
  }
}

export interface FormDrawing {
  schema: Schema;
  chosen: string | undefined;
  choose: (id: string | undefined) => void;
  /** One step; chooses what it names. */
  change: (components: readonly Component[], chosen?: string) => void;
  undo: (() => void) | undefined;
  redo: (() => void) | undefined;
  changed: boolean;
}

export function useFormDrawing(schema: Schema): FormDrawing {
  const [state, act] = useReducer(next, schema, (first) => ({
    past: [],
    now: identified(first),
    future: [],
    chosen: undefined,
  }));
  return {
    schema: state.now,
    chosen: state.chosen,
    choose: (id) => act({ kind: 'choose', id }),
    change: (components, chosen) => act({ kind: 'change', components, chosen }),
    undo: state.past.length > 0 ? () => act({ kind: 'undo' }) : undefined,
    redo: state.future.length > 0 ? () => act({ kind: 'redo' }) : undefined,
    changed: state.past.length > 0,
  };
}
