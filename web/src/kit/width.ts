/** What the system says of its screen, as hooks: the specification's classes of 768, 992 and 1200 pixels, and motion. */
import { type RefObject, useLayoutEffect, useState, useSyncExternalStore } from 'react';

function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    () => window.matchMedia(query).matches,
  );
}

/** Below 768: cards in place of rows, one column, actions at the bottom. */
export function usePhone(): boolean {
  return useMedia('(width < 768px)');
}

/** From 1200: a side pane beside its list, with the menu in sight too. */
export function useBroad(): boolean {
  return useMedia('(width >= 1200px)');
}

/** From 992: forms in two columns, the menu in sight. */
export function useWide(): boolean {
  return useMedia('(width >= 992px)');
}

/** Whether somebody asked the system for less motion. */
export function useRest(): boolean {
  return useMedia('(prefers-reduced-motion: reduce)');
}

/** Pixels that an element has across, as the window and what stands beside it change; 0 until it is drawn. */
export function useRoom(area: RefObject<HTMLElement | null>): number {
  const [room, setRoom] = useState(0);
  useLayoutEffect(() => {
    const element = area.current;
    if (!element) return;
    const measure = () => setRoom(element.clientWidth);
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    return () => watch.disconnect();
  }, [area]);
  return room;
}

/** Pixels that the head of the shell covers at the top of the window. */
export function headHeight(): number {
  return Number.parseInt(getComputedStyle(document.documentElement).getPropertyValue('--x-top'), 10) || 0;
}
