/** What the pages of models ask, and where they lead. */
import { useQuery } from '@tanstack/react-query';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useIsPlatform } from '@/session/rights';

export type Version = Wire<'VersionRow'>;
export type Definition = Wire<'DefinitionRow'>;
export type Deployment = Wire<'DeploymentRow'>;
/** Named by its key. */
export type Model = Wire<'OverviewRow'> & { id: string };

/** So many of a model's versions are shown at once; nobody looks for older ones by hand. */
const MOST = 200;

export function useVersions(key: string) {
  return useQuery({
    queryKey: ['flow', 'versions', key],
    queryFn: ({ signal }) => api.get('/blade-flow/manager/versions', { key, current: 1, size: MOST }, signal),
    select: (page) => page.records,
    enabled: key !== '',
  });
}

export function useDraft(id: string) {
  return useQuery({
    queryKey: ['flow', 'draft', id],
    queryFn: ({ signal }) => api.get('/blade-flow/model/detail', { id }, signal),
    enabled: id !== '',
  });
}

/** One drawing of a model: its draft, the draft as it was, or a deployed version. */
export type Reference = { kind: 'draft'; id: string; version?: number } | { kind: 'deployed'; id: string };

/** As it stands in an address: `draft`, `draft:7`, `deployed:12`. */
export function referenceText(reference: Reference): string {
  if (reference.kind === 'deployed') return `deployed:${reference.id}`;
  return reference.version === undefined ? 'draft' : `draft:${reference.version}`;
}

/** `draftId` is the one that the address means; undefined for what says nothing. */
export function parseReference(said: string | null, draftId: string): Reference | undefined {
  const [kind, which = ''] = (said ?? '').split(':');
  if (kind === 'deployed' && /^\d+$/.test(which)) return { kind, id: which };
  if (kind !== 'draft' || draftId === '') return undefined;
  if (which === '') return { kind, id: draftId };
  return /^\d+$/.test(which) ? { kind, id: draftId, version: Number(which) } : undefined;
}

/** What is newest of a model: what is drawn, else what is deployed. */
export function newest({ draft, deployed }: Wire<'OverviewRow'>): Reference | undefined {
  if (draft) return { kind: 'draft', id: draft.id };
  return deployed ? { kind: 'deployed', id: deployed.id } : undefined;
}

export async function loadDrawing(reference: Reference, signal?: AbortSignal): Promise<string> {
  if (reference.kind === 'deployed') {
    const params = { processId: reference.id };
    return (await api.get('/blade-flow/manager/detail', params, signal)).xml;
  }
  const { id, version } = reference;
  return (await api.get('/blade-flow/model/detail', { id, version }, signal)).xml;
}

/** A deployed drawing never changes, nor does a saved one; the newest draft does. */
export function useDrawing(reference: Reference | undefined) {
  return useQuery({
    queryKey: ['flow', 'xml', reference],
    queryFn: ({ signal }) => loadDrawing(reference as Reference, signal),
    enabled: reference !== undefined,
  });
}

export function comparePath(
  key: string,
  draftId: string | undefined,
  from: Reference,
  to: Reference,
): string {
  const query = new URLSearchParams({ key, from: referenceText(from), to: referenceText(to) });
  if (draftId) query.set('draft', draftId);
  return `/flow/model/compare?${query}`;
}

export function timesPath(key: string, processId?: string): string {
  return `/flow/model/times?${new URLSearchParams(processId ? { key, processId } : { key })}`;
}

/** What runs of a model, of one version where it is named. */
export function followPath(
  { key, processId }: { key: string; processId?: string },
  only?: 'overdue' | 'parked',
): string {
  const query = new URLSearchParams({ processDefinitionKey: key });
  if (processId) query.set('processDefinitionId', processId);
  if (only === 'overdue') query.set('overdue', '1');
  if (only === 'parked') query.set('state', 'parked');
  return `/flow/follow?${query}`;
}

/** Where a model without a draft is drawn on from what is deployed. */
export const newDesignPath = (key: string) => `/flow/model/design/new?key=${encodeURIComponent(key)}`;
export const designPath = (draftId: string) => `/flow/model/design/${draftId}`;

/** Whether a version is the person's to suspend and delete: their company's own, or a general one for the platform. */
export function useOwns(): (version: Pick<Definition, 'tenantId'>) => boolean {
  const isPlatform = useIsPlatform();
  return ({ tenantId }) => isPlatform || tenantId !== '';
}
