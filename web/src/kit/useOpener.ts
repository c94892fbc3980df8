/** Gives the focus back to what had it before, once a drawer is gone. */
import { useEffect, useRef } from 'react';

export function useOpener(): void {
  const opener = useRef(document.activeElement);
  useEffect(() => {
    const before = opener.current;
    return () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);
}
