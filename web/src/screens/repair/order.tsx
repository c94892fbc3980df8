/** The page of one repair order. */
import { useParams } from 'react-router';
import { OrderDocument } from './OrderDocument';

export default function RepairOrderPage() {
  const { id = '' } = useParams();
  return <OrderDocument key={id} id={id} />;
}
