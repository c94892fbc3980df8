/** A request for leave as the queue opens it: the task on top, then the request. */
import { useParams } from 'react-router';
import { ErrorState, PageSkeleton } from '@/kit/states';
import { AddedStep } from '@/workflow/AddedStep';
import { useTask } from '@/workflow/queries';
import { TaskHead } from '@/workflow/TaskHead';
import { isOurs, LeaveDocument } from './LeaveDocument';
import { LEAVE_TOUCHED } from './queries';

export default function LeaveTask() {
  const { taskId = '', businessId = '' } = useParams();
  const { data: task, error, refetch } = useTask(taskId);
  if (error && !task) return <ErrorState error={error} retry={refetch} />;
  if (!task) return <PageSkeleton rows={10} />;
  const head = (
    <>
      <TaskHead task={task} touches={LEAVE_TOUCHED} />
      {task.canComplete && !isOurs(task.node) && <AddedStep task={task} touches={LEAVE_TOUCHED} />}
    </>
  );
  return <LeaveDocument key={taskId} id={businessId} parent="/work/todo" before={head} />;
}
