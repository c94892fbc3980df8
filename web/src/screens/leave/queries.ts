/** What the leave pages ask the server, and what an act on a request makes out of date. */
import { useQuery } from '@tanstack/react-query';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { TOUCHED } from '@/workflow/queries';

export const CALL = '/blade-desk/process/leave';
export const LEAVE_TOUCHED = [['leave'], ...TOUCHED] as const;

export function useLeave(id: string) {
  return useQuery({
    queryKey: ['leave', 'detail', id],
    queryFn: ({ signal }) => api.get<Wire<'LeaveDetail'>>(`${CALL}/detail`, { businessId: id }, signal),
    refetchInterval: 60_000,
  });
}

/** What a new request begins with. Asked anew at each opening: the draft may have been changed elsewhere. */
export function useBeginning() {
  return useQuery({
    queryKey: ['leave', 'form'],
    queryFn: ({ signal }) => api.get<Wire<'LeaveForm'>>(`${CALL}/form`, undefined, signal),
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
}

/** The page of a request, for whoever knows the request alone: the page finds the process by itself. */
export const detailPath = (id: string) => `/work/process/leave/detail/-/${id}`;
