/** Leave: the form, its page and the list of all. */
import type { Texts } from '../zh-CN';
import type { leave as zh } from '../zh-CN/leave';

export const leave: Texts<typeof zh> = {
  endFirst: 'End must be after start',
  end: 'To',
  begins: 'First day',
  today: 'Today',
  tomorrow: 'Tomorrow',
  dayAfter: 'In two days',
  length: 'Length',
  days_one: '{{count}} day',
  days_other: '{{count}} days',
  day: 'Select a date',
  half: 'Half day',
  morning: 'Morning',
  afternoon: 'Afternoon',
  daysHint: 'A morning or an afternoon counts as half a day.',
  daysCount_one: '{{count}} day in all.',
  daysCount_other: '{{count}} days in all.',
  approverHead: 'Head of the department: {{name}}',
  approverHint: 'If you choose nobody, the head of your department approves.',
  approverNone: 'Your department has no head, please choose an approver',
  rejected: 'Rejected by {{who}} on {{time}}. Reason:',
  during: 'Leave dates',
  none: 'No leave requests yet',
  noneHint: 'Requests of the people within your data scope appear here',
};
