/** The same act on many rows, one after the other; what came of each, and trying the refused ones again. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError } from '@/api/client';

export type Result = 'waiting' | 'busy' | 'done' | { refused: string };

export interface Series {
  results: Readonly<Record<string, Result>>;
  busy: boolean;
  /** Carries it out on these rows. */
  start: (ids: readonly string[]) => Promise<void>;
  /** Ends after the row that is under way. */
  stop: () => void;
}

function reason(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error);
  const fields = Object.values(error.fields);
  return fields.length > 0 ? fields.join(' ') : error.msg;
}

export function useSeries(run: (id: string) => Promise<unknown>): Series {
  const [results, setResults] = useState<Readonly<Record<string, Result>>>({});
  const [busy, setBusy] = useState(false);
  const stopped = useRef(false);
  const latest = useRef(run);
  latest.current = run;
  const stop = useCallback(() => {
    stopped.current = true;
  }, []);
  useEffect(() => {
    stopped.current = false;
    return stop;
  }, [stop]);
  const start = useCallback(async (ids: readonly string[]) => {
    const say = (id: string, result: Result) => setResults((before) => ({ ...before, [id]: result }));
    stopped.current = false;
    setBusy(true);
    setResults((before) => ({ ...before, ...Object.fromEntries(ids.map((id) => [id, 'waiting' as const])) }));
    for (const id of ids) {
      if (stopped.current) break;
      say(id, 'busy');
      try {
        await latest.current(id);
        say(id, 'done');
      } catch (error) {
        say(id, { refused: reason(error) });
      }
    }
    setBusy(false);
  }, []);
  return { results, busy, start, stop };
}
