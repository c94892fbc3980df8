/** Which entries of the menu this console has a page for. */
import { isFramed } from './frames';
import { entryAt, isShown, type MenuNode, targetOf } from './menu';
import { routes } from './routes';

const pages = new Set(routes.map((route) => route.path));

/** Whether this console has what the entry names. */
export function isOpenable(node: MenuNode): boolean {
  const { kind } = targetOf(node);
  return kind === 'window' || (kind === 'page' && (pages.has(node.path) || isFramed(node.path)));
}

/** All entries that lead somewhere, in order, with the names of the groups above them. */
export function leavesOf(
  nodes: readonly MenuNode[],
  above: string[] = [],
): { node: MenuNode; above: string[] }[] {
  return nodes.filter(isShown).flatMap((node) => {
    if (node.children?.length) return leavesOf(node.children, [...above, node.name]);
    return isOpenable(node) ? [{ node, above }] : [];
  });
}

/** The first page below a path, for entries that are only groups. */
export function firstBelow(nodes: readonly MenuNode[], path: string): string | undefined {
  const group = entryAt(nodes, path);
  const targets = leavesOf(group?.children ?? []).map(({ node }) => targetOf(node));
  return targets.find((target) => target.kind === 'page')?.to;
}
