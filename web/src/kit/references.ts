/** Where the rows that a field refers to are chosen from: a `select` of the noun, a tree, or the rows of a call. */
import { keepPreviousData, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import type { Params } from '@/api/calls';
import type { FieldKey, FilterKey, Noun, NounField, WritableKey } from '@/api/noun';
import { optionRows, selectRows, type TreeAnswer, treeNodes } from '@/api/nounCalls';
import type { Wire } from '@/api/wire';
import type { Option } from './dictionary';
import type { TreeNode } from './tree';

/** Where the rows are found that a field refers to: the addresses that the document gives with the field. */
export interface Source {
  /** A `select` call: pages of rows by keyword, and any rows by their ids. */
  ref: string;
  /** A `tree` call, where the rows are a tree. */
  tree?: string;
  /** Sent with both, such as the tenant looked at. */
  params?: Params;
  /** Whether what may no longer be chosen is offered too: a filter finds the old rows that refer to it. */
  closed?: boolean;
}

/** The source of a field that refers to rows; undefined for any other field. */
export function sourceOf(noun: Pick<Noun, 'fields'>, name: string, params?: Params): Source | undefined {
  const field = noun.fields[name];
  return field?.ref === undefined ? undefined : { ref: field.ref, tree: field.tree, params };
}

/** Kinds that no control can be guessed for. */
type Opaque = 'json' | 'list';

type Plain<F extends NounField, K> = F extends { readonly ref: string }
  ? K
  : F['kind'] extends Opaque | 'id' | 'ids'
    ? never
    : K;

/** Fields whose control follows from the document. */
export type PlainKey<N extends Noun> = { [K in WritableKey<N>]: Plain<N['fields'][K], K> }[WritableKey<N>];

/** Filters whose control follows from the document. */
export type PlainFilter<N extends Noun> = {
  [K in FilterKey<N>]: N['filters'][K] extends 'id'
    ? K extends FieldKey<N>
      ? Plain<N['fields'][K], K>
      : never
    : K;
}[FilterKey<N>];

export type Call = {
  /** A call that answers rows to choose from. */
  path: string;
  params?: Params;
};

/** A row to choose, as every `select` answers it. */
export interface Choice extends Option {
  /** Its code, and the names above it in its tree. */
  hint: string;
  disabled: boolean;
}

const SHOWN = 50;

/** The rows of a `select` call that fit the keyword, after those named by id, whose names a form must show. */
export function useChoices(source: Source, keyword: string, ids: readonly string[]) {
  const ask = (more: Params) => ({ ...asked(source, more), placeholderData: keepPreviousData }) as const;
  const page = useQuery(ask({ keyword, size: SHOWN }));
  const found = page.data ?? [];
  const missing = ids.filter((id) => page.data && !found.some((row) => row.id === id));
  const named = useQuery({ ...ask({ ids: missing }), enabled: missing.length > 0 });
  const rows = missing.length > 0 ? [...(named.data ?? []), ...found] : found;
  const choices = rows.map((row) => choiceOf(row, source.closed));
  return { choices, isPending: page.isPending || named.isFetching };
}

/** Finds rows of a `select` or `tree` call by their ids, each with its name; also those that are not on a page. */
export function useNames(): (source: Source, ids: readonly string[]) => Promise<TreeNode[]> {
  const client = useQueryClient();
  return async (source, ids) => {
    if (source.tree) return nested(await client.fetchQuery(treeQuery(source.tree, source.params)));
    const rows = await client.fetchQuery(asked({ ...source, closed: true }, { ids: [...ids] }));
    return rows.map(({ id, name }) => ({ key: id, label: name }));
  };
}

function asked({ ref, params, closed }: Source, more: Params) {
  const [path, narrowed] = splitAddress(ref, closed ? { ...params, closed: 1 } : params);
  return {
    queryKey: ['options', path, { ...narrowed, ...more }],
    queryFn: ({ signal }: { signal: AbortSignal }) => selectRows(path, { ...narrowed, ...more }, signal),
    staleTime: 30_000,
  } as const;
}

/** Whether the first rows of all these sources have come, or cannot. */
export function useArrived(sources: readonly Source[]): boolean {
  const pages = useQueries({ queries: sources.map((source) => asked(source, { keyword: '', size: SHOWN })) });
  // What could not be had is asked for again by the fields: the form stays meanwhile.
  const hasArrived = useRef(false);
  hasArrived.current ||= !pages.some(({ isPending }) => isPending);
  return hasArrived.current;
}

/** An address with its own query, as a path and parameters. */
function splitAddress(address: string, params?: Params): [path: string, params: Params] {
  const [path = '', query = ''] = address.split('?');
  return [path, { ...Object.fromEntries(new URLSearchParams(query)), ...params }];
}

function choiceOf({ id, code, name, path, enabled, closed }: Wire<'Option'>, offersAll = false): Choice {
  const hint = [code !== name && code, path, closed].filter(Boolean).join(' \u00b7 ');
  return { value: id, label: name, hint, disabled: enabled === 0 && !offersAll };
}

/** The options of a call: rows as `{[value], [label]}`. Without a path nothing is asked. */
export function useOptions(source: Call & { value?: string; label: string }) {
  const { path, params, value = 'id', label } = source;
  return useQuery({
    queryKey: ['options', path, params],
    enabled: path !== '',
    queryFn: ({ signal }) => optionRows(path, params, signal),
    staleTime: 30_000,
    select: (rows): Option[] => rows.map((row) => ({ value: String(row[value]), label: String(row[label]) })),
  });
}

function nested(nodes: readonly TreeAnswer[]): TreeNode[] {
  return nodes.map(({ id, title, children }) => ({
    key: id,
    label: title,
    children: children?.length ? nested(children) : undefined,
  }));
}

function treeQuery(path: string, params?: Params) {
  return {
    queryKey: ['tree', path, params],
    queryFn: ({ signal }: { signal: AbortSignal }) => treeNodes(path, params, signal),
    staleTime: 30_000,
  } as const;
}

/** The nodes of a `tree` call. Without a path nothing is asked. */
export function useTree(path: string, params?: Params) {
  return useQuery({ ...treeQuery(path, params), enabled: path !== '', select: nested });
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
    queryFn: ({ signal }: { signal: AbortSignal }) => treeNodes(path, { [parent]: key }, signal),
    staleTime: 30_000,
  });
  const top = useQuery(level(root));
  const below = useQueries({ queries: asked.map(level) });
  const nodes = useMemo(() => {
    const levels = new Map(asked.map((key, index) => [key, below[index]?.data]));
    const hang = (rows: readonly TreeAnswer[]): TreeNode[] =>
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
