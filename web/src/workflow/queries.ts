/** What the screens ask about processes, and which queries an act on one makes out of date. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Params } from '@/api/calls';
import { api } from '@/api/client';
import type { Page, Wire } from '@/api/wire';

/** Queues, counts, timeline, diagram and messages: every act on a process may change them. */
export const TOUCHED = [
  ['work'],
  ['work.todo'],
  ['work.handed'],
  ['work.claim'],
  ['work.send'],
  ['work.done'],
  ['work.copy'],
  ['process'],
  ['messages'],
] as const;

export type Queue = 'todo' | 'handed' | 'claim' | 'send' | 'done';

/** A process that has ended has no task any more: the row is then the process itself. */
export type QueueRow = Wire<'FlowTask'> & {
  id: string;
  /** The deadline as the browser's clock has it; its zone need not be the company's. */
  dueAt: number | undefined;
};

/** What I can do now is one list, whether I hold it or may claim it. */
const CALLS = {
  todo: '/blade-flow/work/inbox',
  handed: '/blade-flow/work/handed-list',
  claim: '/blade-flow/work/claim-list',
  send: '/blade-flow/work/send-list',
  done: '/blade-flow/work/done-list',
} as const;

export async function loadQueue(queue: Queue, query: Params, signal: AbortSignal): Promise<Page<QueueRow>> {
  const page = await api.list(CALLS[queue], query, signal);
  const now = Date.now();
  const records = page.records.map((row) => ({
    ...row,
    dueAt: row.secondsLeft === null ? undefined : now + row.secondsLeft * 1000,
    id: queue === 'send' ? row.processInstanceId : row.taskId,
  }));
  return { ...page, records };
}

export function useHistory(processInstanceId: string | undefined) {
  return useQuery({
    queryKey: ['process', 'history', processInstanceId],
    queryFn: ({ signal }) =>
      api.get(
        '/blade-flow/process/history-flow-list',
        { processInstanceId: processInstanceId ?? '' },
        signal,
      ),
    enabled: Boolean(processInstanceId),
  });
}

export function useModelView(processInstanceId: string) {
  return useQuery({
    queryKey: ['process', 'model', processInstanceId],
    queryFn: ({ signal }) => api.get('/blade-flow/process/model-view', { processInstanceId }, signal),
  });
}

export function useTask(taskId: string) {
  return useQuery({
    queryKey: ['work', 'task', taskId],
    queryFn: ({ signal }) => api.get('/blade-flow/work/task-detail', { taskId }, signal),
  });
}

type Place = Pick<
  Wire<'FlowTask'>,
  'category' | 'taskId' | 'processInstanceId' | 'businessId' | 'businessTable'
>;

/** Business table of what no record is bound to. */
const STANDALONE = 'process';

export interface ProcessPaths {
  /** Where a task is handled. */
  handle: (task: Place) => string;
  /** Where a process is looked at. */
  detail: (task: Place) => string;
}

/** The pages of a process by its category, whose entry in the dictionary `flow` names the segment of the address; a
 * process of the company's own has pages that show any form. */
export function useProcessPaths(): ProcessPaths {
  const { data } = useQuery({
    queryKey: ['dictionary', 'flow'],
    queryFn: ({ signal }) => api.get('/blade-system/dict-biz/dictionary', { code: 'flow' }, signal),
    staleTime: 10 * 60_000,
  });
  return useMemo(() => {
    const segments = new Map((data ?? []).map((entry) => [`flow_${entry.dictKey}`, entry.remark]));
    const base = ({ category, businessTable }: Place) =>
      `/work/process/${businessTable === STANDALONE ? 'own' : segments.get(category)}`;
    return {
      handle: (task) => `${base(task)}/handle/${task.taskId}/${task.processInstanceId}/${task.businessId}`,
      detail: (task) => `${base(task)}/detail/${task.processInstanceId}/${task.businessId}`,
    };
  }, [data]);
}
