/** Where orders and machines are found: paths of the API and of the pages. */
export const CALL = '/yuzhu-equip/repairorder';
export const LIST = '/repair/order';
export const REPORT = '/repair/report';
export const MACHINES = '/equip/machine';
