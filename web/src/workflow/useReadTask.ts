/** Whoever holds a task and opens it has read it: the starter sees that on the timeline. */
import { useEffect } from 'react';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useSession } from '@/session/session';

export function useReadTask({ taskId, assignee, endTime }: Wire<'TaskDetail'>): void {
  const mine = useSession()?.userId === assignee;
  useEffect(() => {
    // Nobody waits for it, and a look that was not noted is noted at the next one.
    if (mine && endTime === '') api.post('/blade-flow/work/read-task', undefined, { taskId }).catch(() => {});
  }, [mine, endTime, taskId]);
}
