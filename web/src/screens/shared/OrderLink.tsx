/** The number of the order that spare parts are for, as a way to it for whoever may see it. */
import { Link } from 'react-router';
import { useRights } from '@/session/rights';
import { LIST as REPAIRS } from './orders';

interface Ordered {
  orderType: number | null;
  orderId: string | null;
  orderNo: string;
}

/** By the dictionary spare_order_type: where such orders are, and the right to see them. */
const PLACES: Readonly<Record<number, readonly [page: string, code: string]>> = {
  1: [REPAIRS, 'repairorder_view'],
  2: ['/maintain/order', 'maintainorder_view'],
};

export function OrderLink({ of }: { of: Ordered }) {
  const may = useRights();
  const [page, code] = PLACES[of.orderType ?? 0] ?? [];
  if (!of.orderNo) return '-';
  if (!of.orderId || !page || !may(code ?? '')) return of.orderNo;
  return (
    <Link to={`${page}/${of.orderId}`} onClick={(event) => event.stopPropagation()}>
      {of.orderNo}
    </Link>
  );
}
