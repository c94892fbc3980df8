/** What the repair screens ask the server, and what an act on an order makes out of date. */
import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from '@/api/client';
import type { Page, Wire } from '@/api/wire';
import type { TreeNode } from '@/kit/tree';
import { TOUCHED } from '@/workflow/queries';

export const CALL = '/yuzhu-equip/repairorder';
export const LINES = '/yuzhu-equip/repairorderdetail';
export const LIST = '/repair/order';
export const REPORT = '/repair/report';
export const MACHINES = '/equip/machine';

/** A stop changes machines too. */
export const ORDER_TOUCHED = [['orders'], ['inspectmachine'], ['people'], ...TOUCHED] as const;

export function useOrder(id: string) {
  return useQuery({
    queryKey: ['orders', 'detail', id],
    queryFn: ({ signal }) => api.get<Wire<'RepairOrderDetail'>>(`${CALL}/detail`, { id }, signal),
    refetchInterval: 60_000,
  });
}

/** Machines and components can be reported, unless they are scrapped; what stands above only leads to them. */
const [MACHINE, COMPONENT, SCRAPPED] = [4, 5, 7];

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
    queryFn: ({ signal }) =>
      api.get<Wire<'MachineNode'>[]>('/yuzhu-equip/inspectmachine/getTreeList', undefined, signal),
    staleTime: 60_000,
  });
  return useMemo(() => data && nodesOf(data, choosable), [data, choosable]);
}

const partsOf = (machineId: string) =>
  queryOptions({
    queryKey: ['inspectmachine', 'parts', machineId],
    queryFn: ({ signal }) =>
      api.get<Page<Wire<'Machine'>>>(
        '/yuzhu-equip/inspectmachine/list',
        { parentId: machineId, nodeType: COMPONENT, size: 200 },
        signal,
      ),
    staleTime: 60_000,
  });

/** The components of a machine, as options. */
export function useParts(machineId: string): { value: string; label: string }[] {
  const { data } = useQuery(partsOf(machineId));
  return useMemo(
    () => (data?.records ?? []).map(({ id, machineName }) => ({ value: id, label: machineName })),
    [data],
  );
}

export const SYMPTOM = 4;
export const CAUSE = 5;
export const ACTION = 6;

const tagsOf = (type: number) =>
  queryOptions({
    queryKey: ['tags', type],
    queryFn: ({ signal }) => api.get<Wire<'Tag'>[]>('/yuzhu-equip/equiptags/getTagList', { type }, signal),
    staleTime: 5 * 60_000,
  });

/** Fault words of a kind, as options. */
export function useTags(type: number): { value: string; label: string }[] {
  const { data } = useQuery(tagsOf(type));
  return useMemo(() => (data ?? []).map(({ id, tagName }) => ({ value: id, label: tagName })), [data]);
}

/** Whether all that the form of a finish offers has come: a field that came later would push the next from under the finger. */
export function useFinishOffers(machineId: string, asked: boolean): boolean {
  const [causes, actions, parts] = useQueries({
    queries: [
      { ...tagsOf(CAUSE), enabled: asked },
      { ...tagsOf(ACTION), enabled: asked },
      { ...partsOf(machineId), enabled: asked },
    ],
  });
  return !asked || ![causes, actions, parts].some(({ isPending }) => isPending);
}

/** Repairers of the machine's own team, as options: they see its orders, so they can help. */
export function useHelpers(machineId: string): { value: string; label: string }[] {
  const { data } = useQuery({
    queryKey: ['people', machineId, 'team'],
    queryFn: ({ signal }) =>
      api.get<Wire<'MachineUser'>[]>('/yuzhu-equip/user/machineUsers', { machineId }, signal),
  });
  return useMemo(
    () =>
      (data ?? [])
        .filter(({ isOfTeam }) => isOfTeam === 1)
        .map(({ userId, userName }) => ({ value: userId, label: userName })),
    [data],
  );
}

export function useTeams(): { value: string; label: string }[] {
  const { data } = useQuery({
    queryKey: ['teams'],
    queryFn: ({ signal }) => api.get<Wire<'Team'>[]>('/yuzhu-equip/repairteam/getList', undefined, signal),
    staleTime: 60_000,
  });
  return useMemo(() => (data ?? []).map(({ id, teamName }) => ({ value: id, label: teamName })), [data]);
}
