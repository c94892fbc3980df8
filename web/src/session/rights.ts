/** What the signed-in person may open and do: the menu and the codes of its buttons. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';

type MenuNode = Wire<'MenuNode'>;

import { useSession } from './session';

function useForest(call: 'routes' | 'buttons') {
  const session = useSession();
  return useQuery({
    queryKey: ['menu', call, session?.userId],
    queryFn: ({ signal }) => api.get<MenuNode[]>(`/blade-system/menu/${call}`, undefined, signal),
    enabled: session !== undefined,
    staleTime: 5 * 60_000,
  });
}

function leaves(nodes: readonly MenuNode[]): string[] {
  return nodes.flatMap((node) => (node.children?.length ? leaves(node.children) : [node.code]));
}

function paths(nodes: readonly MenuNode[]): string[] {
  return nodes.flatMap((node) => [node.path, ...paths(node.children ?? [])]);
}

/** The menu as a forest, names in the person's language. */
export function useMenu() {
  return useForest('routes');
}

/** Whether the menu has an entry of this path; false until it is known. */
export function useCanOpen(path: string): boolean {
  const { data } = useMenu();
  return useMemo(() => data !== undefined && paths(data).includes(path), [data, path]);
}

/** A test for permission codes; refuses until they are known. */
export function useRights(): (code: string) => boolean {
  const { data } = useForest('buttons');
  return useMemo(() => {
    const codes = new Set(leaves(data ?? []));
    return (code) => codes.has(code);
  }, [data]);
}

export function useCan(code: string): boolean {
  return useRights()(code);
}
