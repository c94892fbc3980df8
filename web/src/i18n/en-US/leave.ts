/** Leave: the form. */
import type { Texts } from '../zh-CN';
import type { leave as zh } from '../zh-CN/leave';

export const leave: Texts<typeof zh> = {
  endFirst: 'End must be after start',
  daysHint: 'A morning or an afternoon counts as half a day, divided at 12:00.',
  daysCount: 'Days: {{n}} (a morning or an afternoon counts as half a day, divided at 12:00).',
  approverHead: 'Head of the department: {{name}}',
  approverHint: 'If you choose nobody, the head of your department approves.',
  approverNone: 'Your department has no head, please choose an approver',
};
