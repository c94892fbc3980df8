/** Machines in their tree, to choose from and to look for. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import type { TreeNode } from '@/kit/tree';

const [MACHINE, SCRAPPED] = [4, 7];

/** With `kinds` nodes of these kinds can be chosen, unless they are scrapped; what stands above only leads to them. */
function nodesOf(nodes: readonly Wire<'MachineNode'>[], kinds?: readonly number[]): TreeNode[] {
  return nodes.map((node) => ({
    key: node.id,
    // The code is part of the label, so that the search finds it.
    label: node.nodeType < MACHINE ? node.label : `${node.label} ${node.machineCode}`,
    disabled: kinds !== undefined && node.runState === SCRAPPED && node.nodeType >= MACHINE,
    selectable: kinds === undefined || kinds.includes(node.nodeType),
    children: node.children?.length ? nodesOf(node.children, kinds) : undefined,
  }));
}

/** The machine tree to choose from: for a form nodes of some kinds, for a filter any node with all below it. */
export function useMachineNodes(kinds?: readonly number[]): TreeNode[] | undefined {
  const { data } = useQuery({
    queryKey: ['inspectmachine', 'nodes'],
    queryFn: ({ signal }) => api.get('/yuzhu-equip/inspectmachine/getTreeList', undefined, signal),
    staleTime: 60_000,
  });
  const key = kinds?.join();
  return useMemo(() => data && nodesOf(data, key?.split(',').map(Number)), [data, key]);
}
