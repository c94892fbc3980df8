/** What the signed-in person may open and do: the menu and the codes of its buttons. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useSyncExternalStore } from 'react';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { own } from './own';
import { useSession } from './session';

type MenuNode = Wire<'MenuNode'>;

/** Id of the top menu whose part is shown; empty is the whole. */
export const topMenu = own('xunwei.top', '', (value) => typeof value === 'string');

function useForest(call: 'routes' | 'buttons', topMenuId?: string) {
  const session = useSession();
  return useQuery({
    queryKey: ['menu', call, session?.userId, topMenuId],
    queryFn: ({ signal }) => api.get(`/blade-system/menu/${call}`, { topMenuId }, signal),
    placeholderData: keepPreviousData,
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

/** The part of the menu that the chosen top menu shows. */
export function useShownMenu() {
  const chosen = useSyncExternalStore(topMenu.listen, topMenu.get);
  return useForest('routes', chosen || undefined);
}

/** A test for paths that the menu has an entry of; refuses until it is known. */
export function useOpens(): (path: string) => boolean {
  const { data } = useMenu();
  return useMemo(() => {
    const known = new Set(paths(data ?? []));
    return (path) => known.has(path);
  }, [data]);
}

/** Whether the menu has an entry of this path; false until it is known. */
export function useCanOpen(path: string): boolean {
  return useOpens()(path);
}

function entryOf(nodes: readonly MenuNode[], path: string): MenuNode | undefined {
  for (const node of nodes) {
    const found = node.path === path ? node : entryOf(node.children ?? [], path);
    if (found) return found;
  }
  return undefined;
}

/** The menu entry of a path, its name in the person's language. */
export function useEntry(path: string): MenuNode | undefined {
  const { data } = useMenu();
  return useMemo(() => entryOf(data ?? [], path), [data, path]);
}

/** Whether the codes are known yet; until then every test refuses. */
export function useRightsKnown(): boolean {
  return useForest('buttons').data !== undefined;
}

/** A test for permission codes; refuses until they are known. */
export function useRights(): (code: string) => boolean {
  const { data } = useForest('buttons');
  return useMemo(() => {
    const codes = new Set(leaves(data ?? []));
    return (code) => codes.has(code);
  }, [data]);
}

const PLATFORM = '000000';

/** Whether the person administers the platform: general things are changed by them alone. */
export function useIsPlatform(): boolean {
  const session = useSession();
  return session?.tenantId === PLATFORM && session.roles.includes('administrator');
}

export function useCan(code: string): boolean {
  return useRights()(code);
}
