/** What waits for the person, for the header: numbers alone. */
import { useQuery } from '@tanstack/react-query';
import { api } from '@/api/client';
import { site } from '@/site';

/** Tasks: looked at every half minute, and after every act that touches `['work']`. */
export function useCounts() {
  return useQuery({
    queryKey: ['work', 'counts'],
    queryFn: ({ signal }) => api.get('/blade-flow/work/counts', undefined, signal),
    refetchInterval: site.countsPoll * 1000,
  });
}

/** Unread messages, for the bell. */
export function useUnread() {
  return useQuery({
    queryKey: ['messages', 'unread'],
    queryFn: ({ signal }) => api.get('/blade-desk/message/list', { unread: 1, size: 1 }, signal),
    refetchInterval: 60_000,
    select: (page) => page.total,
  });
}
