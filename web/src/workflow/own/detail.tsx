/** A process of the company's own as the lists of what one has started or done open it. */
import { useParams } from 'react-router';
import { OwnDocument } from './OwnDocument';

export default function OwnProcess() {
  const { processInstanceId = '' } = useParams();
  return <OwnDocument key={processInstanceId} id={processInstanceId} parent="/work/send" />;
}
