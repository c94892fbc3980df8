/** Absence covers: who covers for whom, when and in which processes. */
import type { Texts } from '../zh-CN';
import type { absence as zh } from '../zh-CN/absence';

export const absence: Texts<typeof zh> = {
  intro:
    'While you are away, new tasks assigned to you go to the person who covers for you. Tasks of roles, teams and positions stay with them. What is not done comes back to you at the end.',
  processesHint: 'If you choose none, all processes are covered.',
  handsOverHint: 'Your open tasks go along when the absence begins; what is not done comes back at the end.',
  userHint: 'If you choose nobody, it is you.',
  period: '{{from}} to {{until}}',
  now: 'Active',
  later: 'Upcoming',
  over: 'Ended',
  empty: 'No absence covers',
  emptyHint: 'Choose who covers for you before you are away.',
};
