/** Putting the rows of a list into another order: by dragging a row's handle with mouse or finger, or by its arrow keys. */
import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

interface SortingOptions {
  /** Moves the row at one place to another one. */
  onMove: (from: number, to: number) => void;
  /** The rows are where they were let go. */
  onDrop?: () => void;
}

export interface Sorting {
  /** The list whose children are the rows. */
  list: RefObject<HTMLOListElement | null>;
  /** The place of the row that is being dragged. */
  dragged: number | undefined;
  /** What the handle of the row at a place needs; it is a button. */
  handle: (place: number) => {
    'data-handle': number;
    onPointerDown: (event: PointerEvent<HTMLElement>) => void;
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
  };
}

/** Returns the same values with one of them at another place. */
export function moved<T>(values: readonly T[], from: number, to: number): T[] {
  const rest = values.filter((_, place) => place !== from);
  return [...rest.slice(0, to), values[from] as T, ...rest.slice(to)];
}

/** Returns where the dragged row belongs: after all others whose middle lies above the pointer. */
function placeAt(list: HTMLElement, dragged: number, y: number): number {
  return [...list.children].filter((row, place) => {
    const { top, height } = row.getBoundingClientRect();
    return place !== dragged && top + height / 2 < y;
  }).length;
}

export function useSorting({ onMove, onDrop }: SortingOptions): Sorting {
  const list = useRef<HTMLOListElement>(null);
  const [dragged, setDragged] = useState<number>();
  const now = useRef({ onMove, onDrop, dragged });
  now.current = { onMove, onDrop, dragged };
  /** Whose handle keeps the focus, once the rows have moved. */
  const focus = useRef<number>(undefined);
  const isDragging = dragged !== undefined;

  useLayoutEffect(() => {
    if (focus.current === undefined) return;
    list.current?.querySelector<HTMLElement>(`[data-handle="${focus.current}"]`)?.focus();
    focus.current = undefined;
  });

  // At the window: the handle itself moves in the page while it is dragged.
  useEffect(() => {
    if (!isDragging) return;
    const onPointerMove = (event: globalThis.PointerEvent) => {
      const { dragged: from, onMove: move } = now.current;
      if (!list.current || from === undefined) return;
      const to = placeAt(list.current, from, event.clientY);
      if (to === from) return;
      setDragged(to);
      move(from, to);
    };
    const onPointerUp = () => {
      setDragged(undefined);
      now.current.onDrop?.();
    };
    window.addEventListener('pointermove', onPointerMove);
    window.addEventListener('pointerup', onPointerUp);
    window.addEventListener('pointercancel', onPointerUp);
    return () => {
      window.removeEventListener('pointermove', onPointerMove);
      window.removeEventListener('pointerup', onPointerUp);
      window.removeEventListener('pointercancel', onPointerUp);
    };
  }, [isDragging]);

  const onKeyDown = (place: number) => (event: KeyboardEvent<HTMLElement>) => {
    const last = (list.current?.children.length ?? 0) - 1;
    const places: Record<string, number> = { ArrowUp: place - 1, ArrowDown: place + 1, Home: 0, End: last };
    const to = places[event.key];
    if (to === undefined) return;
    event.preventDefault();
    if (to === place || to < 0 || to > last) return;
    focus.current = to;
    onMove(place, to);
    onDrop?.();
  };

  return {
    list,
    dragged,
    handle: (place) => ({
      'data-handle': place,
      onPointerDown: (event) => {
        if (event.button !== 0) return;
        setDragged(place);
      },
      onKeyDown: onKeyDown(place),
    }),
  };
}
