/** Rows that others have finished or taken meanwhile leave the list by themselves: while the page is in sight it asks
 * every second which of the shown tasks do not wait for the person any more. See docs/adr/0029. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { api } from '@/api/client';
import type { Page } from '@/api/wire';
import type { QueueRow } from '../queries';

const EVERY = 1_000;
/** After failures it asks twice as rarely each time, up to about a minute. */
const MOST_DOUBLED = 6;
/** So long a row says why it leaves; together with `EVERY` it is gone within two seconds. */
const MARKED = 500;
const MOST_KEPT = 20;

const NONE: ReadonlyMap<string, string> = new Map();

/** A task that somebody else has finished or taken. */
export interface GoneTask {
  id: string;
  /** What it is called, and its number. */
  title: string;
  /** Who has it. */
  message: string;
}

interface Leaving {
  /** By task the sentence that says who has it, while its row is still there. */
  left: ReadonlyMap<string, string>;
  /** What others took away and is not there any more, the last one first. */
  gone: readonly GoneTask[];
  forget: () => void;
}

/** The queries `touches` are asked again once the rows have left; the first of them holds the rows. */
export function useLeft(
  rows: readonly QueueRow[],
  touches: readonly (readonly unknown[])[],
  list: string,
): Leaving {
  const client = useQueryClient();
  const [left, setLeft] = useState(NONE);
  const [gone, setGone] = useState<readonly GoneTask[]>([]);
  const shown = rows.map(({ id }) => id).join(',');
  const keep = useEffectEvent((found: readonly { taskId: string; message: string; isOwn: boolean }[]) => {
    const others = found
      .filter(({ isOwn }) => !isOwn)
      .map(({ taskId, message }) => {
        const row = rows.find(({ id }) => id === taskId);
        return { id: taskId, message, title: [row?.title, row?.businessNo].filter(Boolean).join(' ') };
      });
    if (others.length > 0) setGone((before) => [...others, ...before].slice(0, MOST_KEPT));
  });

  useEffect(() => {
    setLeft(NONE);
    if (shown === '') return;
    let failures = 0;
    let asking = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const later = () => {
      timer = setTimeout(look, EVERY * 2 ** Math.min(failures, MOST_DOUBLED));
    };
    const takeOut = (ids: ReadonlySet<string>) => {
      // At once; what the server says follows.
      client.setQueriesData<Page<QueueRow>>({ queryKey: [list, 'list'] }, (page) => {
        const records = page?.records.filter(({ id }) => !ids.has(id));
        if (!page || !records || records.length === page.records.length) return page;
        return { ...page, records, total: page.total - (page.records.length - records.length) };
      });
      for (const queryKey of touches) client.invalidateQueries({ queryKey });
    };
    const look = async () => {
      // Nobody sees it; the list itself is asked again when the page is back.
      if (document.visibilityState === 'hidden') return later();
      asking = new AbortController();
      const { signal } = asking;
      try {
        const found = await api.get('/blade-flow/work/still-open', { ids: shown }, signal);
        if (signal.aborted) return;
        failures = 0;
        if (found.length === 0) return later();
        setLeft(new Map(found.map(({ taskId, message }) => [taskId, message])));
        keep(found);
        timer = setTimeout(() => {
          takeOut(new Set(found.map(({ taskId }) => taskId)));
          later();
        }, MARKED);
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
  }, [shown, touches, list, client]);
  return { left, gone: gone.filter(({ id }) => !left.has(id)), forget: () => setGone([]) };
}
