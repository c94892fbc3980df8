/** Where orders and machines are found: paths of the API and of the pages. */
export const CALL = '/yuzhu-equip/repairorder';
export const LIST = '/repair/order';
export const REPORT = '/repair/report';
export const MACHINES = '/equip/machine';
/** The states of orders that are neither closed nor cancelled, as the list is asked for them. */
export const UNFINISHED = '1,2,3,4,5';
