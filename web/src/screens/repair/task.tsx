/** A repair order as the queue opens it: the task on top, then the order, with acts that complete the task. */
import { useParams } from 'react-router';
import { ErrorState, PageSkeleton } from '@/kit/states';
import { AddedStep } from '@/workflow/AddedStep';
import { useTask } from '@/workflow/queries';
import { TaskHead } from '@/workflow/TaskHead';
import { OrderDocument } from './OrderDocument';
import { ORDER_TOUCHED } from './queries';
import { isOurs } from './steps';

export default function RepairTask() {
  const { taskId = '', businessId = '' } = useParams();
  const { data: task, error, refetch } = useTask(taskId);
  if (error && !task) return <ErrorState error={error} retry={refetch} />;
  if (!task) return <PageSkeleton rows={10} />;
  return (
    <OrderDocument
      key={taskId}
      id={businessId}
      parent="/work/todo"
      task={task}
      before={
        <>
          <TaskHead task={task} touches={ORDER_TOUCHED} />
          {task.canComplete && !isOurs(task.node) && <AddedStep task={task} touches={ORDER_TOUCHED} />}
        </>
      }
    />
  );
}
