/** Where orders and machines are found: paths of the API and of the pages. */
import type { Filter } from '@/kit/filters';

export const CALL = '/yuzhu-equip/repairorder';
export const LIST = '/repair/order';
export const REPORT = '/repair/report';
export const MACHINES = '/equip/machine';
/** The states of orders that are neither closed nor cancelled, as the list is asked for them. */
export const UNFINISHED = '1,2,3,4,5';

/** A list's filter for a department with all below it, as the boards count. */
export const underDept = (label: string): Filter => ({
  kind: 'reference',
  name: 'underDeptId',
  label,
  source: { ref: '/blade-system/dept/select' },
});
