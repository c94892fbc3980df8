/** The pages of a case: a new record, a record, the record as the queue opens it, and as the lists of what one has started do. */
import { useLocation, useParams } from 'react-router';
import { ErrorState, PageSkeleton } from '@/kit/states';
import { AddedStep } from '../AddedStep';
import { INBOX, useTaskIds } from '../inbox/place';
import { useTask } from '../queries';
import { TaskHead } from '../TaskHead';
import { CaseDocument } from './CaseDocument';
import { type CaseProps, isDecision, touchedBy } from './screen';

export { CaseForm } from './CaseForm';
export { CaseList } from './CaseList';

/** The task on top, then its record. A step that a company added has a form of its own. */
export function CaseTask(props: CaseProps) {
  const { taskId, businessId } = useTaskIds();
  const { data: task, error, refetch } = useTask(taskId);
  if (error && !task) return <ErrorState error={error} retry={refetch} />;
  if (!task) return <PageSkeleton rows={10} />;
  const touches = touchedBy(props);
  const decided = task.canComplete && isDecision(props.of, task.node);
  const step = <AddedStep task={task} touches={touches} />;
  const head = (
    <>
      <TaskHead task={task} touches={touches} />
      {task.canComplete && !decided && !props.of.steps.includes(task.node) && step}
    </>
  );
  return (
    <CaseDocument
      key={taskId}
      {...props}
      id={businessId}
      parent={INBOX}
      task={task}
      before={head}
      decision={decided && step}
    />
  );
}

export function CaseProcess(props: CaseProps) {
  const { businessId = '' } = useParams();
  return <CaseDocument key={businessId} {...props} id={businessId} parent="/work/send" />;
}

/** The record at an address of its own, below that of the list which leads there. */
export function CaseRecordPage(props: CaseProps) {
  const { id = '' } = useParams();
  const { pathname } = useLocation();
  return <CaseDocument key={id} {...props} id={id} parent={pathname.slice(0, pathname.lastIndexOf('/'))} />;
}
