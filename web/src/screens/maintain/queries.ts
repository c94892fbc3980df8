/** Where maintenance orders are found, and what an act on one makes out of date. */
import { TOUCHED } from '@/workflow/queries';

export const CALL = '/yuzhu-equip/maintainorder';
export const ITEMS = '/yuzhu-equip/maintainorderdetail';
export const LIST = '/maintain/order';
export const NEW = '/maintain/new';

/** Stops change machines, abnormal items make work orders. */
export const TOUCHES = [['maintainorder'], ['inspectmachine'], ['orders'], ['meterreading']] as const;
export const TOUCHED_BY_ORDER = [['case', 'maintainorder'], ...TOUCHES, ...TOUCHED] as const;
