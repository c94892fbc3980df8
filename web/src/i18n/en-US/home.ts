/** The first page. */
import type { Texts } from '../zh-CN';
import type { home as zh } from '../zh-CN/home';

export const home: Texts<typeof zh> = {
  hello: 'Hello, {{name}}',
  todo: 'My tasks',
  reported: 'Reported by me',
  figures: 'Work orders by status',
  orders: 'View all work orders',
  late: 'Overdue',
  messages: 'Messages',
  all: 'All {{n}}',
  none: {
    todo: 'You’re all caught up',
    orders: 'No open work orders.',
    reported: 'No open requests',
    messages: 'No new messages',
    soon: 'Nothing is due soon',
    wrong: 'Nothing went wrong',
  },
  soon: 'Due soon',
  wrong: 'Went wrong since yesterday',
  between: ', ',
  when: {
    tasks: 'Due {{time}}',
    requests: 'Requested {{time}}',
  },
  readAll: 'Mark all as read',
  markRead: 'Mark as read: {{title}}',
  ago: 'received {{time}}',
};
