/** The machine register. */
import type { Texts } from '../zh-CN';
import type { machines as zh } from '../zh-CN/machines';

export const machines: Texts<typeof zh> = {
  tree: 'Asset tree',
  empty: 'No assets here yet',
  emptyHint: 'Register an asset first; reports and inspections start from it.',
  emptyNoRight: 'Ask the equipment manager to register assets.',
  stopped: '{{n}} down',
  lastRepairs: 'Show repairs',
  removeHint:
    'This cannot be undone. An asset with a history cannot be deleted; disable or scrap it instead.',
  open: 'Open its page',
  report: 'Report a fault',
  facts: {
    place: 'Location',
    class: 'Type',
    dept: 'Department',
    model: 'Brand / model',
    importance: 'Criticality',
    repair: 'Repair team',
    owner: 'Owner',
    scrapped: 'Scrapped',
    remark: 'Remark',
  },
  history: {
    title: 'Last 12 months ({{from}} to {{to}})',
    reported: 'Requests',
    open: 'Open',
    repeats: 'Repeat failures',
    reworks: 'Reworks',
    stops: 'Stoppages',
    stopMinutes: 'Downtime',
    avgResponse: 'Mean response time',
    avgRepair: 'Mean repair time',
    labour: 'Labor',
    cost: 'Costs',
    orders: 'Work orders',
    all: 'All {{n}}',
    none: 'No work order yet',
    lastStops: 'Stoppages',
  },
  edits: 'Changes',
  groups: { identity: 'Basics', place: 'Location and ownership', people: 'People in charge' },
  classes: {
    show: 'Show assets of this type',
    mtbfHint: 'Expected operating time between failures',
    sealedHint: 'A sealed type can no longer be chosen; existing assets keep it',
    removeHint: 'A type with child types or assets cannot be deleted.',
  },
  runStateHint:
    'Down, in repair and in maintenance are set by the process; a disabled or scrapped asset keeps its history',
};
