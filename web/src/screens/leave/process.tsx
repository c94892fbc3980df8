/** A request for leave as the lists of what one has started or done open it. */
import { useParams } from 'react-router';
import { LeaveDocument } from './LeaveDocument';

export default function LeaveProcess() {
  const { businessId = '' } = useParams();
  return <LeaveDocument key={businessId} id={businessId} parent="/work/send" />;
}
