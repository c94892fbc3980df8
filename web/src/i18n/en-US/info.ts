/** One's own account. */
import type { Texts } from '../zh-CN';
import type { info as zh } from '../zh-CN/info';

export const info: Texts<typeof zh> = {
  edit: 'Profile',
  password: 'Change password',
  avatar: 'Change picture',
  avatarTip: 'jpg or png only, at most 500 KB',
  name: 'Nickname',
  realName: 'Name',
  realNameHint: 'Only those who keep the accounts change the name',
  phone: 'Phone',
  phoneLength: 'A phone number has 11 digits',
  phoneFormat: 'This is not a valid mobile number',
  email: 'E-mail',
  messages: 'Messages',
  digest: 'Send me a digest each morning',
  digestHint:
    'At 7:30, among your messages: tasks for you to do or to claim, what is due soon and what went wrong since yesterday, if anything.',
};
