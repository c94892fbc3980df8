/** The address of a draft: fetches it while the designer's code is on its way. */
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useParams } from 'react-router';
import { api } from '@/api/client';
import { ErrorState, PageSkeleton } from '@/kit/states';
import { useRightsKnown } from '@/session/rights';

const Designer = lazy(() => import('./Designer'));

/** Asked once: what somebody draws must not be replaced under the pen. */
function useDraft(id: string) {
  return useQuery({
    // Apart from the lists of models, which are asked again after a deployment.
    queryKey: ['design', id],
    queryFn: ({ signal }) => api.get('/blade-flow/model/detail', { id }, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

export default function DesignPage() {
  const { id = '' } = useParams();
  const { data, error, refetch } = useDraft(id);
  // Without them the drawing would be opened for looking first, and then again.
  const known = useRightsKnown();
  if (error && !data) return <ErrorState error={error} retry={refetch} />;
  if (!data || !known) return <PageSkeleton rows={8} />;
  return (
    <Suspense fallback={<PageSkeleton rows={8} />}>
      <Designer key={data.id} draft={data} />
    </Suspense>
  );
}
