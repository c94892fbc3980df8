/** The newest release of the product. */
import { useQuery } from '@tanstack/react-query';
import { api } from '@/api/client';

export const RELEASE = ['release'] as const;

/** The newest release of the product, and whether the person has still to read about it; asked for once a visit. */
export function useRelease() {
  return useQuery({
    queryKey: RELEASE,
    queryFn: ({ signal }) => api.get('/yuzhu-equip/homeMetric/getVersion', undefined, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
