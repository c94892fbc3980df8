/** The address of a draft, or of a model without one: fetches it while the designer's code is on its way. */
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Navigate, useParams, useSearchParams } from 'react-router';
import { ApiError, api } from '@/api/client';
import { useTranslation } from '@/i18n';
import { ErrorState, PageSkeleton } from '@/kit/states';
import { useRightsKnown } from '@/session/rights';
import type { Opened } from './saving/useSaving';

const Designer = lazy(() => import('./Designer'));

/** In place of a draft's id: the model of the key that is asked for is drawn on from what is deployed. */
const NEW = 'new';

/** What is deployed of a model, to be drawn on; or its draft, where somebody has begun one. */
async function deployed(key: string, noteOf: (n: number) => string, signal: AbortSignal): Promise<Opened> {
  const { records } = await api.get('/blade-flow/model/overview', { key, current: 1, size: 50 }, signal);
  const model = records.find((row) => row.key === key);
  if (model?.draft) return api.get('/blade-flow/model/detail', { id: model.draft.id }, signal);
  if (!model?.deployed) throw new ApiError(404, 'data.missing', '');
  const { xml } = await api.get('/blade-flow/manager/detail', { processId: model.deployed.id }, signal);
  const { name, category } = model;
  const nothing = { description: '', categoryName: '', created: '', lastUpdated: '', history: [] };
  return {
    ...nothing,
    id: '',
    modelKey: key,
    name,
    category,
    version: 0,
    xml,
    note: noteOf(model.deployed.version),
  };
}

/** Asked once: what somebody draws must not be replaced under the pen. */
function useDraft(id: string, key: string) {
  const { t } = useTranslation();
  return useQuery({
    // Apart from the lists of models, which are asked again after a deployment.
    queryKey: ['design', id, key],
    queryFn: ({ signal }): Promise<Opened> =>
      id === NEW
        ? deployed(key, (n) => t('flow.create.from', { n }), signal)
        : api.get('/blade-flow/model/detail', { id }, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

export default function DesignPage() {
  const { id = '' } = useParams();
  const [params] = useSearchParams();
  const { data, error, refetch } = useDraft(id, params.get('key') ?? '');
  // Without them the drawing would be opened for looking first, and then again.
  const known = useRightsKnown();
  if (error && !data) return <ErrorState error={error} retry={refetch} />;
  if (!data || !known) return <PageSkeleton rows={8} />;
  if (id === NEW && data.id !== '') return <Navigate replace to={`/flow/model/design/${data.id}`} />;
  return (
    <Suspense fallback={<PageSkeleton rows={8} />}>
      <Designer key={data.id} draft={data} />
    </Suspense>
  );
}
