/** The first page. */
import type { Texts } from '../zh-CN';
import type { home as zh } from '../zh-CN/home';

export const home: Texts<typeof zh> = {
  title: 'Home',
  hello: 'Hello, {{name}}',
  todo: 'Waiting for me',
  claim: 'Free to claim',
  reported: 'Reported by me',
  figures: 'Repair orders by state',
  late: 'Overdue',
  messages: 'Messages',
  all: 'All {{n}}',
  none: {
    todo: 'Nothing waits for you',
    claim: 'Nothing to claim',
    reported: 'No open reports of yours',
    messages: 'No new messages',
  },
  readAll: 'Mark all as read',
  markRead: 'Mark as read: {{title}}',
  ago: 'arrived {{time}}',
};
