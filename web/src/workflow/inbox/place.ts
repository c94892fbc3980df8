/** Where a person is in the inbox: the list that a task was opened from, and what comes after the task. */
import { useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { useNavigate, useParams } from 'react-router';
import type { Params } from '@/api/calls';
import { own } from '@/session/own';
import { loadQueue, type QueueRow } from '../queries';

export const INBOX = '/work/todo';

interface Left {
  /** The address of the list, with its filters. */
  address: string;
  query: Params;
  /** The tasks in their order. */
  ids: readonly string[];
}

const isLeft = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && value !== null && 'ids' in value && 'query' in value);

/** The list as it was when a task was opened from it. */
export const leftList = own<Left | null>('inbox.left', null, isLeft);

interface Pane {
  taskId: string;
  processInstanceId: string;
  businessId: string;
  /** The task is over for the person: on to the next one. */
  finished: () => void;
}

/** Set where a task is shown beside its list. */
export const TaskPane = createContext<Pane | undefined>(undefined);

/** Which task a page shows: that of the pane it stands in, else that of the address. */
export function useTaskIds(): { taskId: string; businessId: string } {
  const pane = useContext(TaskPane);
  const { taskId = '', businessId = '' } = useParams();
  return pane ?? { taskId, businessId };
}

/** Leads on from a finished task: in the pane to the next one, on a page of its own back to the list. */
export function useFinished(): () => unknown {
  const pane = useContext(TaskPane);
  const navigate = useNavigate();
  const { taskId } = useTaskIds();
  return () => {
    if (pane) return pane.finished();
    const left = leftList.get();
    if (!left?.ids.includes(taskId)) return navigate(INBOX);
    return navigate(left.address, { state: { finished: taskId } });
  };
}

/** What follows the task in the order in which the list stood; else what stands first now. */
export function following(
  ids: readonly string[],
  rows: readonly QueueRow[],
  taskId: string,
): QueueRow | undefined {
  const others = rows.filter(({ id }) => id !== taskId);
  const behind = ids.slice(ids.indexOf(taskId) + 1);
  return (
    behind.map((id) => others.find((row) => row.id === id)).find((row) => row !== undefined) ?? others[0]
  );
}

/** The task after a finished one, and how many wait; nothing unless it was opened from the list. */
export function useNext(taskId: string, isOver: boolean) {
  const left = leftList.get();
  const { data } = useQuery({
    queryKey: ['work.todo', 'next', taskId],
    queryFn: ({ signal }) => loadQueue('todo', { ...left?.query, current: 1 }, signal),
    enabled: isOver && Boolean(left?.ids.includes(taskId)),
  });
  if (!isOver || !data || !left) return undefined;
  const next = following(left.ids, data.records, taskId);
  return { next, count: data.total, address: left.address };
}
