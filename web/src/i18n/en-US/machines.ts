/** The machine register. */
import type { Texts } from '../zh-CN';
import type { machines as zh } from '../zh-CN/machines';

export const machines: Texts<typeof zh> = {
  title: 'Machines',
  tree: 'Machine tree',
  add: 'Add machine',
  addUnder: 'Add here',
  editTitle: 'Edit {{name}}',
  empty: 'No machines here yet',
  emptyHint: 'Register a machine first; reports and inspections start from it.',
  emptyNoRight: 'Ask the equipment manager to register machines.',
  stopped: '{{n}} stopped',
  lastRepairs: 'Show repairs',
  deleteWhat: '{{code}} {{name}} will be deleted for good.',
  groups: { identity: 'Basics', place: 'Place and ownership', people: 'People in charge', more: 'Other' },
  parentId: 'Parent',
  nodeType: 'Kind',
  machineCode: 'Machine code',
  machineName: 'Machine name',
  deptId: 'Department',
  location: 'Location',
  brand: 'Brand',
  model: 'Model',
  importance: 'Importance',
  runState: 'Running state',
  runStateHint: 'Down, repairing and maintaining are set by the flow',
  teamId: 'Repair team',
  dutyUserId: 'Operator in charge',
  maintainUserId: 'Repairer in charge',
  remark: 'Remark',
};
