/** The machine register. */
import type { Texts } from '../zh-CN';
import type { machines as zh } from '../zh-CN/machines';

export const machines: Texts<typeof zh> = {
  title: 'Machines',
  tree: 'Machine tree',
  empty: 'No machines here yet',
  emptyHint: 'Register a machine first; reports and inspections start from it.',
  emptyNoRight: 'Ask the equipment manager to register machines.',
  stopped: '{{n}} stopped',
  lastRepairs: 'Show repairs',
  removeHint: 'It cannot be brought back.',
  groups: { identity: 'Basics', place: 'Place and ownership', people: 'People in charge' },
  runStateHint: 'Down, repairing and maintaining are set by the flow',
};
