/** Machine classes to choose from, and to look for. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from '@/api/client';
import { inspecttype } from '@/api/nouns/inspecttype';
import type { Wire } from '@/api/wire';
import type { TreeNode } from '@/kit/tree';

type ClassNode = Wire<'ClassNode'>;

const TREE = `${inspecttype.path}/tree` as const;

/** Classes as the server nests them. */
export function useClasses(): readonly ClassNode[] | undefined {
  const { data } = useQuery({
    queryKey: ['tree', TREE],
    queryFn: ({ signal }) => api.get(TREE, undefined, signal),
    staleTime: 30_000,
  });
  return data;
}

function nodesOf(classes: readonly ClassNode[], choosable: boolean): TreeNode[] {
  return classes.map(({ id, title, disabled, children }) => ({
    key: id,
    label: title,
    disabled: choosable && disabled,
    children: children?.length ? nodesOf(children, choosable) : undefined,
  }));
}

/** The tree of classes: in a form sealed ones cannot be chosen, in a filter they can, with all below them. */
export function useClassNodes(choosable: boolean): TreeNode[] | undefined {
  const classes = useClasses();
  return useMemo(() => classes && nodesOf(classes, choosable), [classes, choosable]);
}

/** What a new machine of the class is by default. */
export function importanceOf(classes: readonly ClassNode[], id: string | undefined): number | undefined {
  for (const one of classes) {
    const found = one.id === id ? one.defaultImportance : importanceOf(one.children ?? [], id);
    if (found !== undefined) return found;
  }
  return undefined;
}
