/** What the keyboard does, in the dialog that `?` opens. */
import type { Texts } from '../zh-CN';
import type { keys as zh } from '../zh-CN/keys';

export const keys: Texts<typeof zh> = {
  title: 'Keyboard',
  search: 'Search this list',
  menu: 'Find in the menu',
  rows: 'Next row, previous row',
  open: 'Open the row',
  choose: 'Select the row',
  agree: 'Inbox and task: approve',
  refuse: 'Inbox and task: reject',
  transfer: 'Inbox and task: transfer',
  send: 'Send the form',
  leave: 'Close the dialog or form',
  help: 'Show these keys',
};
