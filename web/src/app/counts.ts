/** How many tasks wait for the person: looked at every half minute, and after every act that touches `['work']`. */
import { useQuery } from '@tanstack/react-query';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { site } from '@/site';

export function useCounts() {
  return useQuery({
    queryKey: ['work', 'counts'],
    queryFn: ({ signal }) => api.get<Wire<'Counts'>>('/blade-flow/work/counts', undefined, signal),
    refetchInterval: site.countsPoll * 1000,
  });
}
