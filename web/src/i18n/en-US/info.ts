/** One's own account. */
import type { Texts } from '../zh-CN';
import type { info as zh } from '../zh-CN/info';

export const info: Texts<typeof zh> = {
  edit: 'Edit information',
  password: 'Change password',
  avatar: 'Change picture',
  avatarTip: 'jpg or png only, at most 500 kB',
  name: 'Nickname',
  realName: 'Name',
  phone: 'Mobile phone',
  phoneLength: 'A mobile number has 11 digits',
  phoneFormat: 'This is no valid mobile number',
  email: 'Email',
};
