/** Machines in their tree, to choose from and to look for. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import type { TreeNode } from '@/kit/tree';

const [MACHINE, SCRAPPED] = [4, 7];

const isScrapped = ({ runState, nodeType }: Wire<'MachineNode'>) =>
  runState === SCRAPPED && nodeType >= MACHINE;

/**
 * With `kinds` nodes of these kinds can be chosen, unless they are scrapped; what stands above only leads to them.
 * Without, any of them, and the scrapped ones are marked by the word.
 */
function nodesOf(
  nodes: readonly Wire<'MachineNode'>[],
  scrapped: string,
  kinds?: readonly number[],
): TreeNode[] {
  return nodes.map((node) => ({
    key: node.id,
    // The code is part of the label, so that the search finds it.
    label: [
      node.label,
      node.nodeType >= MACHINE && node.machineCode,
      kinds === undefined && isScrapped(node) && `(${scrapped})`,
    ]
      .filter(Boolean)
      .join(' '),
    disabled: kinds !== undefined && isScrapped(node),
    selectable: kinds === undefined || kinds.includes(node.nodeType),
    children: node.children?.length ? nodesOf(node.children, scrapped, kinds) : undefined,
  }));
}

/** The machine tree to choose from: for a form nodes of some kinds, for a filter any node with all below it, and the word
 * that marks the scrapped ones. */
export function useMachineNodes(kinds?: readonly number[], scrapped = ''): TreeNode[] | undefined {
  const { data } = useQuery({
    queryKey: ['inspectmachine', 'nodes'],
    queryFn: ({ signal }) => api.get('/yuzhu-equip/inspectmachine/getTreeList', undefined, signal),
    staleTime: 60_000,
  });
  const key = kinds?.join();
  return useMemo(() => data && nodesOf(data, scrapped, key?.split(',').map(Number)), [data, scrapped, key]);
}
