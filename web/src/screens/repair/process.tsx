/** A repair order as the lists of what one has started or done open it. */
import { useParams } from 'react-router';
import { OrderDocument } from './OrderDocument';

export default function RepairProcess() {
  const { businessId = '' } = useParams();
  return <OrderDocument key={businessId} id={businessId} parent="/work/send" />;
}
