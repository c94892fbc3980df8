/** The name of a machine, as a way to its page for whoever may open that. */
import { Link } from 'react-router';
import { useCanOpen } from '@/session/rights';
import { MACHINES } from './orders';

export function MachineLink({ order }: { order: { machineId: string; machineName: string } }) {
  if (!useCanOpen(MACHINES)) return order.machineName;
  return <Link to={`${MACHINES}/${order.machineId}`}>{order.machineName}</Link>;
}
