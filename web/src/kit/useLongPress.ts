/** A finger that rests on something for half a second. Lifting it afterwards is no tap. */
import { type DOMAttributes, useEffect, useRef } from 'react';

const HELD = 500;

/** The handlers for each thing that can be held; none where nothing is to happen. */
export function useLongPress<What>(onHold: ((what: What) => void) | undefined) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const held = useRef(false);
  const end = () => clearTimeout(timer.current);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (what: What): DOMAttributes<HTMLElement> =>
    onHold
      ? {
          onPointerDown: ({ pointerType }) => {
            held.current = false;
            if (pointerType !== 'touch') return;
            timer.current = setTimeout(() => {
              held.current = true;
              onHold(what);
            }, HELD);
          },
          onPointerUp: end,
          // The list is pushed.
          onPointerCancel: end,
          onContextMenu: (event) => {
            if (held.current) event.preventDefault();
          },
          onClickCapture: (event) => {
            if (!held.current) return;
            held.current = false;
            event.preventDefault();
            event.stopPropagation();
          },
        }
      : {};
}
