/** Where a list stands (page, order, filters), kept in the address, so that a view can be sent and found again. */
import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { useSession } from '@/session/session';
import { personKey } from './listLook';

export const PAGE_SIZES = [10, 30, 50, 100, 200] as const;

export interface ListState {
  current: number;
  size: number;
  sort?: { key: string; descending: boolean };
  /** By the names on the wire. */
  filters: Readonly<Record<string, string>>;
}

export interface ListControl extends ListState {
  setPage: (current: number, size: number) => void;
  setSort: (key: string | undefined, descending: boolean) => void;
  /** Empty text removes a filter. The page goes back to the first. */
  setFilters: (change: Readonly<Record<string, string>>) => void;
}

/** `names` are the filters of this list; the page size is remembered on this device, for this person. */
export function useListState(list: string, names: readonly string[]): ListControl {
  const [params, setParams] = useSearchParams();
  const stored = personKey('size', list, useSession()?.userId);
  const known = names.join(' ');

  return useMemo(() => {
    const sizes: readonly number[] = PAGE_SIZES;
    const wanted = Number(params.get('size') ?? localStorage.getItem(stored));
    const descending = params.get('descs');
    const sortKey = descending ?? params.get('ascs');
    const change = (edit: (next: URLSearchParams) => void) =>
      setParams(
        (previous) => {
          const next = new URLSearchParams(previous);
          edit(next);
          return next;
        },
        { replace: true },
      );
    return {
      current: Math.max(1, Number(params.get('current')) || 1),
      size: sizes.includes(wanted) ? wanted : PAGE_SIZES[0],
      sort: sortKey ? { key: sortKey, descending: descending !== null } : undefined,
      filters: Object.fromEntries(
        known
          .split(' ')
          .map((name) => [name, params.get(name) ?? ''])
          .filter(([, value]) => value !== ''),
      ),
      setPage: (current, size) => {
        localStorage.setItem(stored, String(size));
        change((next) => {
          next.set('current', String(current));
          next.set('size', String(size));
        });
      },
      setSort: (key, down) =>
        change((next) => {
          next.delete('descs');
          next.delete('ascs');
          if (key) next.set(down ? 'descs' : 'ascs', key);
        }),
      setFilters: (edits) =>
        change((next) => {
          next.delete('current');
          for (const [name, value] of Object.entries(edits)) {
            if (value === '') next.delete(name);
            else next.set(name, value);
          }
        }),
    };
  }, [params, setParams, stored, known]);
}
