/** What the pages of a tenant's own processes ask: those that no business record is bound to. */
import { useQuery } from '@tanstack/react-query';
import { api } from '@/api/client';

/** `fromInstanceId` is a withdrawn process whose values the form shows. */
export function useStartForm(processDefinitionId: string, fromInstanceId: string | undefined) {
  return useQuery({
    queryKey: ['process', 'form', processDefinitionId, fromInstanceId],
    queryFn: ({ signal }) =>
      api.get('/blade-flow/work/start-form', { processDefinitionId, fromInstanceId }, signal),
    // What somebody fills in must not change under their hands.
    refetchOnWindowFocus: false,
  });
}

export function useProcess(processInstanceId: string) {
  return useQuery({
    queryKey: ['process', 'detail', processInstanceId],
    queryFn: ({ signal }) => api.get('/blade-flow/process/detail', { processInstanceId }, signal),
  });
}
