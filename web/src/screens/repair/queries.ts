/** What the repair screens ask the server beside the case, and what an act on an order makes out of date. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import type { TreeNode } from '@/kit/tree';
import { TOUCHED } from '@/workflow/queries';

export const LINES = '/yuzhu-equip/repairorderdetail';

/** A stop changes machines too. */
export const TOUCHES = [['orders'], ['inspectmachine'], ['people']] as const;
export const ORDER_TOUCHED = [['case', 'repairorder'], ...TOUCHES, ...TOUCHED] as const;

/** Machines and components can be reported, unless they are scrapped; what stands above only leads to them. */
const [MACHINE, SCRAPPED] = [4, 7];

function nodesOf(nodes: readonly Wire<'MachineNode'>[], choosable: boolean): TreeNode[] {
  return nodes.map((node) => ({
    key: node.id,
    // The code is part of the label, so that the search finds it.
    label: node.nodeType < MACHINE ? node.label : `${node.label} ${node.machineCode}`,
    disabled: choosable && node.runState === SCRAPPED && node.nodeType >= MACHINE,
    selectable: !choosable || node.nodeType >= MACHINE,
    children: node.children?.length ? nodesOf(node.children, choosable) : undefined,
  }));
}

/** The machine tree to choose from: for a report machines only, for a filter any node with all below it. */
export function useMachineNodes(choosable: boolean): TreeNode[] | undefined {
  const { data } = useQuery({
    queryKey: ['inspectmachine', 'nodes'],
    queryFn: ({ signal }) => api.get('/yuzhu-equip/inspectmachine/getTreeList', undefined, signal),
    staleTime: 60_000,
  });
  return useMemo(() => data && nodesOf(data, choosable), [data, choosable]);
}
