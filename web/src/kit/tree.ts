/** Trees as the kit takes them, and the way through them. */
import type { ReactNode } from 'react';

export interface TreeNode {
  key: string;
  label: string;
  /** Said beside the label where one rests on the node. */
  hint?: string;
  /** Counts and marks after the label. */
  extra?: ReactNode;
  children?: TreeNode[];
  /** Only leads to others: cannot be chosen itself, but unfolds when it is pressed. */
  selectable?: boolean;
  /** In sight, but no longer offered. */
  disabled?: boolean;
  /** Says that there is nothing below, where the level below is fetched only when it is asked for. */
  isLeaf?: boolean;
}

/** The nodes from a root down to `key`; empty when there is none. */
export function pathTo(nodes: readonly TreeNode[], key: string | undefined): TreeNode[] {
  for (const node of nodes) {
    if (node.key === key) return [node];
    const below = pathTo(node.children ?? [], key);
    if (below.length > 0) return [node, ...below];
  }
  return [];
}

/** What is left when only nodes whose label holds `text`, and the ways to them, are kept. */
export function matching(nodes: readonly TreeNode[], text: string): TreeNode[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return [...nodes];
  return nodes.flatMap((node) => {
    // A hit brings its whole subtree along: whoever looks for a workshop wants what is in it.
    if (node.label.toLowerCase().includes(wanted)) return [node];
    const children = matching(node.children ?? [], wanted);
    return children.length > 0 ? [{ ...node, children }] : [];
  });
}

export function keysOf(nodes: readonly TreeNode[], depth = Number.POSITIVE_INFINITY): string[] {
  if (depth <= 0) return [];
  return nodes.flatMap((node) => [node.key, ...keysOf(node.children ?? [], depth - 1)]);
}
