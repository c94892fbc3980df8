/** Companies, people, departments, posts and the programs they sign in with. */
import type { Texts } from '../zh-CN';
import type { people as zh } from '../zh-CN/people';

export const people: Texts<typeof zh> = {
  departments: 'Departments',
  tenantPrefix: 'Tenant',
  allTenants: 'Tenant shown',
  groups: { account: 'Account', person: 'Personal data', duty: 'Duty' },
  passwordHint: 'If empty, a one-time password is generated',
  roles: 'Set roles',
  rolesOf: 'Roles of {{names}}',
  rolesNote: 'Replaces all roles of the selected users, effective with their next action.',
  role: 'Roles',
  reset: 'Reset password',
  resetConfirm: 'Reset the passwords of the selected accounts?',
  resetNote:
    'One-time passwords are generated; the old passwords stop working immediately and open sessions end.',
  unlock: 'Unlock',
  unlockConfirm: 'Unlock the selected accounts?',
  once: {
    title: 'One-time password',
    note: 'Shown only here and only once: pass it on. It has to be changed at the first sign-in, within 24 hours.',
    tenant: 'Tenant id',
    account: 'Account',
    name: 'Name',
    password: 'Password',
    copy: 'Copy',
    copied: 'Copied',
    failed: 'Could not copy, please select the text by hand',
    close: 'I have saved it',
    secret: 'Client secret',
    secretNote: 'Shown only here and only once: store it safely.',
  },
  tenant: {
    setting: 'Settings',
    settingOf: 'Settings of {{names}}',
    accountNumber: 'Account limit',
    accountHint: '-1 for no limit',
    expireTime: 'Expires',
    expireHint: 'If empty, it never expires; after expiry, nobody of the tenant can sign in',
    unlimited: 'Unlimited',
    never: 'Never expires',
    domainHint:
      'Host name of the sign-in page, for example plant.example.com; programs find the tenant by it',
    codeHint: 'Code that employees enter to join; if empty, the tenant id',
    removeHint: 'All users of the tenant are signed out immediately; the data is kept.',
  },
  dept: { removeHint: 'A department with child departments, users or assets cannot be deleted.' },
  client: { secretHint: 'If empty, one is generated; it is not shown again' },
};
