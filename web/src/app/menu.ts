/** Questions about the menu's forest, and where its entries lead. */
import type { Wire } from '@/api/wire';
import { isHttp } from '@/lib/address';
import { currentSession } from '@/session/session';
import { isFramed, isPath } from './frames';

export type MenuNode = Wire<'MenuNode'>;

interface Meta {
  roles?: string | string[];
  isTab?: boolean;
  keepAlive?: boolean;
  menu?: boolean;
}

export function metaOf(node: MenuNode): Meta {
  return (node.meta ?? {}) as Meta;
}

/** Whether the person's roles may see the entry: no restriction, or one of them is named. */
export function isShown(node: MenuNode): boolean {
  const { roles, menu } = metaOf(node);
  if (menu === false) return false;
  if (roles === undefined || roles.length === 0) return true;
  const named = typeof roles === 'string' ? roles.split(',') : roles;
  return (currentSession()?.roles ?? []).some((role) => named.includes(role));
}

function find(nodes: readonly MenuNode[], fits: (node: MenuNode) => boolean): MenuNode | undefined {
  for (const node of nodes) {
    const found = fits(node) ? node : find(node.children ?? [], fits);
    if (found) return found;
  }
  return undefined;
}

export function entryAt(nodes: readonly MenuNode[], path: string): MenuNode | undefined {
  return find(nodes, (node) => node.path === path);
}

export function entryWithCode(nodes: readonly MenuNode[], code: string): MenuNode | undefined {
  return find(nodes, (node) => node.code === code);
}

export type Target = { kind: 'page'; to: string } | { kind: 'window'; href: string } | { kind: 'none' };

/** Where an entry leads: a page, a frame with the entry's fields in the address, or a window of its own. */
export function targetOf(node: MenuNode): Target {
  if (node.isOpen === 2 && isHttp(node.path)) return { kind: 'window', href: node.path };
  if (isFramed(node.path)) {
    const fields = new URLSearchParams({
      id: node.id,
      name: node.name,
      code: node.code,
      source: node.source,
    });
    return { kind: 'page', to: `/myiframe/${encodeURIComponent(node.code)}?${fields}` };
  }
  if (!isPath(node.path)) return { kind: 'none' };
  const query = new URLSearchParams((node.query ?? {}) as Record<string, string>).toString();
  return { kind: 'page', to: query ? `${node.path}?${query}` : node.path };
}
