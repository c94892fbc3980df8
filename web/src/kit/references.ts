/** Where the rows that a field refers to are chosen from; those that many nouns refer to are known by the field's name. */
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { api, type Params } from '@/api/client';
import type { FieldKey, FilterKey, Noun, WritableKey } from '@/api/noun';
import type { Option } from './dictionary';
import type { TreeNode } from './tree';

/** Rows to choose from, by a call that answers a list of them, or nodes, by one that answers a tree. */
export type Source =
  | {
      path: string;
      params?: Params;
      /** The property that is stored; the id by default. */
      value?: string;
      /** The property that is shown. */
      shown: string;
    }
  | { tree: string; params?: Params };

const KNOWN = {
  deptId: { tree: '/blade-system/dept/tree' },
  teamId: { path: '/yuzhu-equip/repairteam/getList', shown: 'teamName' },
} as const satisfies Record<string, Source>;

type Known = keyof typeof KNOWN | 'parentId';

/** The source of a field by its name; `parentId` is a row of the noun itself. */
export function sourceOf(noun: Noun, name: string, params?: Params): Source | undefined {
  if (name === 'parentId' && noun.calls.includes('tree')) return { tree: `${noun.path}/tree`, params };
  const known = (KNOWN as Record<string, Source>)[name];
  return known && { ...known, params };
}

/** Kinds that no control can be guessed for. */
type Opaque = 'id' | 'ids' | 'json' | 'list';

type Plain<N extends Noun, K extends FieldKey<N>> = N['fields'][K]['kind'] extends Opaque
  ? Extract<K, Known>
  : K;

/** Fields whose name alone says which control they need. */
export type PlainKey<N extends Noun> = { [K in WritableKey<N>]: Plain<N, K> }[WritableKey<N>];

/** Filters whose name alone says which control they need. */
export type PlainFilter<N extends Noun> = {
  [K in FilterKey<N>]: N['filters'][K] extends 'id' ? Extract<K, Known> : K;
}[FilterKey<N>];

export type Call = {
  /** A call that answers rows to choose from. */
  path: string;
  params?: Params;
};

/** The options of a call: rows as `{[value], [label]}`. Without a path nothing is asked. */
export function useOptions(source: Call & { value?: string; label: string }) {
  const { path, params, value = 'id', label } = source;
  return useQuery({
    queryKey: ['options', path, params],
    enabled: path !== '',
    queryFn: ({ signal }) => api.get<Record<string, unknown>[]>(path, params, signal),
    staleTime: 30_000,
    select: (rows): Option[] => rows.map((row) => ({ value: String(row[value]), label: String(row[label]) })),
  });
}

interface Node {
  id: string;
  title: string;
  children?: Node[];
}

function treeNodes(nodes: readonly Node[]): TreeNode[] {
  return nodes.map(({ id, title, children }) => ({
    key: id,
    label: title,
    children: children?.length ? treeNodes(children) : undefined,
  }));
}

/** The nodes of a `tree` call. Without a path nothing is asked. */
export function useTree(path: string, params?: Params) {
  return useQuery({
    queryKey: ['tree', path, params],
    enabled: path !== '',
    queryFn: ({ signal }) => api.get<Node[]>(path, params, signal),
    staleTime: 30_000,
    select: treeNodes,
  });
}

interface LazyNode {
  id: string;
  title: string;
  hasChildren?: boolean;
}

interface LazyTree {
  nodes: TreeNode[] | undefined;
  load: (key: string) => Promise<unknown>;
}

/** The nodes of a `lazy-tree` call, one level at a time. `parent` is the parameter that names the node above. */
export function useLazyTree(path: string, parent = 'parentId', root = '0'): LazyTree {
  const client = useQueryClient();
  const [asked, setAsked] = useState<readonly string[]>([]);
  const level = (key: string) => ({
    queryKey: ['tree', path, parent, key],
    queryFn: ({ signal }: { signal: AbortSignal }) => api.get<LazyNode[]>(path, { [parent]: key }, signal),
    staleTime: 30_000,
  });
  const top = useQuery(level(root));
  const below = useQueries({ queries: asked.map(level) });
  const nodes = useMemo(() => {
    const levels = new Map(asked.map((key, index) => [key, below[index]?.data]));
    const hang = (rows: readonly LazyNode[]): TreeNode[] =>
      rows.map(({ id, title, hasChildren }) => {
        const rowsBelow = levels.get(id);
        return { key: id, label: title, isLeaf: !hasChildren, children: rowsBelow && hang(rowsBelow) };
      });
    return top.data && hang(top.data);
  }, [top.data, asked, below]);
  return {
    nodes,
    load: async (key) => {
      await client.fetchQuery(level(key));
      setAsked((known) => (known.includes(key) ? known : [...known, key]));
    },
  };
}
