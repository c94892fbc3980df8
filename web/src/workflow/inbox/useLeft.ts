/** Rows that others have finished or taken meanwhile leave the list by themselves: while the page is in sight it asks
 * every two seconds which of the shown tasks do not wait for the person any more. See docs/adr/0029. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '@/api/client';

const EVERY = 2_000;
/** After failures it asks twice as rarely each time, up to about a minute. */
const MOST_DOUBLED = 5;
/** So long a row that has left can be read. */
const READ = 3_000;

const NONE: ReadonlyMap<string, string> = new Map();

/** By task the sentence that says who has it; the queries `touches` are asked again a moment later. */
export function useLeft(
  ids: readonly string[],
  touches: readonly (readonly unknown[])[],
): ReadonlyMap<string, string> {
  const client = useQueryClient();
  const [left, setLeft] = useState(NONE);
  const shown = ids.join(',');

  useEffect(() => {
    setLeft(NONE);
    if (shown === '') return;
    let failures = 0;
    let asking = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const later = () => {
      timer = setTimeout(look, EVERY * 2 ** Math.min(failures, MOST_DOUBLED));
    };
    const look = async () => {
      // Nobody sees it; the list itself is asked again when the page is back.
      if (document.visibilityState === 'hidden') return later();
      asking = new AbortController();
      const { signal } = asking;
      try {
        const gone = await api.get('/blade-flow/work/still-open', { ids: shown }, signal);
        if (signal.aborted) return;
        failures = 0;
        if (gone.length === 0) return later();
        setLeft(new Map(gone.map(({ taskId, message }) => [taskId, message])));
        client.invalidateQueries({ queryKey: ['work', 'counts'] });
        timer = setTimeout(() => {
          for (const queryKey of touches) client.invalidateQueries({ queryKey });
          later();
        }, READ);
      } catch {
        if (signal.aborted) return;
        failures += 1;
        later();
      }
    };
    later();
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [shown, touches, client]);
  return left;
}
