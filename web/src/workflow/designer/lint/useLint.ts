/** What the gate says of the drawing as it stands: asked when the hand has rested for a moment, late answers dropped. */
import { useEffect, useRef, useState } from 'react';
import { ApiError, api } from '@/api/client';
import { type Drawing, xmlOf } from '../canvas/drawing';
import type { Problem } from '../context';

const QUIET = 300;

/** `changes` counts the drawing's changes, of which a drag makes one, at its end; `onRead` is given every text read. */
export function useLint(
  drawing: Drawing | undefined,
  changes: number,
  onRead?: (xml: string) => void,
): readonly Problem[] | undefined {
  const [problems, setProblems] = useState<readonly Problem[]>();
  const told = useRef(onRead);
  told.current = onRead;

  // biome-ignore lint/correctness/useExhaustiveDependencies: every change is a reason to ask
  useEffect(() => {
    if (!drawing) return;
    let late = false;
    const look = async () => {
      const xml = await xmlOf(drawing);
      if (late) return;
      told.current?.(xml);
      try {
        const report = await api.post('/blade-flow/model/validate', { xml });
        if (!late) setProblems(report.problems);
      } catch (error) {
        // The state of saving says that the server cannot be reached; what was said last stands until it can.
        if (!(error instanceof ApiError)) throw error;
      }
    };
    const timer = setTimeout(look, QUIET);
    return () => {
      late = true;
      clearTimeout(timer);
    };
  }, [drawing, changes]);

  return problems;
}
