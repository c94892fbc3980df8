/** Leave: the form, its page and the list of all. */
import type { Texts } from '../zh-CN';
import type { leave as zh } from '../zh-CN/leave';

export const leave: Texts<typeof zh> = {
  title: 'Leave request',
  keyword: 'Applicant, number',
  approverHead: 'Head of the department: {{name}}',
  approverHint: 'If you choose nobody, the head of your department approves.',
  cover: 'Set absence cover',
  approverNone: 'Your department has no head, please choose an approver',
};
