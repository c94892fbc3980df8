/** Roles, menus and scopes. */
import type { Texts } from '../zh-CN';
import type { access as zh } from '../zh-CN/access';

export const access: Texts<typeof zh> = {
  grant: 'Permissions',
  grantTo: 'Permissions of {{name}}',
  topGrant: 'Choose menus',
  topGrantTo: 'Menus of {{name}}',
  menu: 'Menus',
  dataScope: 'Data scopes',
  apiScope: 'API scopes',
  more: 'Holds more than you do; you cannot give it',
  others: ', {{n}} of them beyond your own rights: they stay as they are',
  aliasFixed: 'The product or a process model knows the role by this alias; it cannot be changed',
  nothing: 'There is nothing to grant',
  linked: 'Include children',
  all: 'Select all',
  none: 'Clear',
  ticked: '{{n}} selected',
  menus: 'Menu',
  json: 'Please enter a JSON object, such as {"keepAlive": true}',
  scopeValueHint: "For custom rules only, in the list's own filters, such as status=1&urgency_ge=3",
  scopePathHint: 'A path such as /blade-system/post/remove; ending with /** it covers all calls below',
  groups: {
    what: 'General',
    where: 'Routing',
    router: 'Additional parameters',
  },
};
