/** Where work lines are, and what an act on an order makes out of date. */
import { TOUCHED } from '@/workflow/queries';

export const LINES = '/yuzhu-equip/repairorderdetail';

/** A stop changes machines too. */
export const TOUCHES = [['orders'], ['inspectmachine'], ['people']] as const;
export const ORDER_TOUCHED = [['case', 'repairorder'], ...TOUCHES, ...TOUCHED] as const;
