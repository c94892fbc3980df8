/** What waits on this device to be sent, and what it keeps for a time without a network. */
import type { Texts } from '../zh-CN';
import type { unsent as zh } from '../zh-CN/unsent';

export const unsent: Texts<typeof zh> = {
  title: 'Waiting to be sent',
  count_one: '{{count}} result waiting to be sent',
  count_other: '{{count}} results waiting to be sent',
  refusedCount_one: '{{count}} not accepted',
  refusedCount_other: '{{count}} not accepted',
  open: 'View',
  waiting: 'To be sent',
  refused: 'Not accepted',
  sent: 'Sent',
  held: 'Sent once the earlier point is dealt with',
  stored: 'Stored on this device. It is sent as soon as there is a connection.',
  storedLast: 'All points are dealt with. Do not sign out before there is a connection.',
  asOf: 'Offline, as of {{time}}',
  ready: 'Ready for offline, as of {{time}}',
  ofTask_one: '{{count}} to be sent',
  ofTask_other: '{{count}} to be sent',
  kind: { start: 'Start of inspection', point: 'Point', report: 'Fault report' },
  entered: 'Entered {{time}}',
  send: 'Send now',
  retry: 'Send again',
  correct: 'Correct',
  anyway: 'Report anyway',
  duplicate: 'This asset already has open work order {{number}}. Report the fault anyway?',
  discard: 'Discard',
  discardTitle: 'Discard “{{title}}”?',
  discardText: 'What was entered and its photos are deleted from this device. This cannot be undone.',
  none: 'Nothing is waiting to be sent',
  noneHint:
    'Points and fault reports submitted without a connection appear here, and are sent when there is one.',
  offline: 'The server cannot be reached. All of this is sent when it can.',
};
