/** The calls of a noun that the kit knows only as a type. Their paths and shapes are those of the noun's description,
 * which `make api` writes from the same document as `schema.d.ts`. */
import type { Params } from './calls';
import { type Upload, untyped } from './client';
import { hasCall, type Noun, type RowOf } from './noun';
import type { Page, Wire } from './wire';

/** A row of a tree, with the rows below it where the call answers them. */
export type Nested<N extends Noun> = RowOf<N> & { children?: Nested<N>[]; hasChildren?: boolean };

/** What an import has done. */
export interface Imported {
  created: number;
  updated: number;
}

/** Returns one page of the noun's rows. */
export async function listRows<N extends Noun>(noun: N, params: Params, signal?: AbortSignal) {
  return (await untyped.get(`${noun.path}/list`, params, signal)) as Page<RowOf<N>>;
}

/** Returns rows of a noun that is a tree: whole, or one level of it. */
export async function treeRows<N extends Noun>(noun: N, call: string, params?: Params, signal?: AbortSignal) {
  return (await untyped.get(`${noun.path}/${call}`, params, signal)) as Nested<N>[];
}

/** A node of a `tree` or `lazy-tree` call. */
export interface TreeAnswer {
  id: string;
  title: string;
  children?: TreeAnswer[];
  hasChildren?: boolean;
}

/** Returns the nodes of a tree to choose from. */
export async function treeNodes(path: string, params?: Params, signal?: AbortSignal) {
  return (await untyped.get(path, params, signal)) as TreeAnswer[];
}

/** Returns the rows that a `select` call offers. */
export async function selectRows(path: string, params: Params, signal?: AbortSignal) {
  return ((await untyped.get(path, params, signal)) as Page<Wire<'Option'>>).records;
}

/** Returns the extra fields that are declared at an address. */
export async function declaredParts(address: string, signal?: AbortSignal) {
  const [path = '', query] = address.split('?');
  const params = Object.fromEntries(new URLSearchParams(query));
  return (await untyped.get(path, params, signal)) as Wire<'DeclaredField'>[];
}

/** Returns rows to choose from. */
export async function optionRows(path: string, params?: Params, signal?: AbortSignal) {
  return (await untyped.get(path, params, signal)) as Readonly<Record<string, unknown>>[];
}

/** Returns one row, with the fields that only `detail` answers. */
export async function readRow<N extends Noun>(
  noun: N,
  params: Params & { id?: string },
  signal?: AbortSignal,
) {
  return (await untyped.get(`${noun.path}/detail`, params, signal)) as RowOf<N>;
}

/** Adds a row, or changes the one whose id is given; to a ledger rows are only added. The key makes a second try of the same input harmless. */
export async function submitRow(noun: Noun, row: object, idempotencyKey?: string): Promise<unknown> {
  const headers = idempotencyKey ? { 'Idempotency-Key': idempotencyKey } : undefined;
  const call = hasCall(noun, 'submit') ? 'submit' : 'save';
  return untyped.post(`${noun.path}/${call}`, row, undefined, headers);
}

export async function removeRows(noun: Noun, ids: readonly string[], params?: Params): Promise<void> {
  await untyped.post(`${noun.path}/remove`, undefined, { ...params, ids });
}

export function exportRows(noun: Noun, params: Params) {
  return untyped.download(`${noun.path}/export`, params);
}

export function importTemplate(noun: Noun) {
  return untyped.download(`${noun.path}/export-template`);
}

export async function importRows(noun: Noun, file: File, options: Upload) {
  return (await untyped.upload(`${noun.path}/import`, file, options)) as Imported;
}
