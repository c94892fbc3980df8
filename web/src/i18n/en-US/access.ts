/** Roles, menus and scopes. */
import type { Texts } from '../zh-CN';
import type { access as zh } from '../zh-CN/access';

export const access: Texts<typeof zh> = {
  grant: 'Grant',
  grantTo: 'What {{name}} holds',
  topGrant: 'Choose menus',
  topGrantTo: 'What {{name}} shows',
  menu: 'Menus',
  dataScope: 'Data scopes',
  apiScope: 'API scopes',
  nothing: 'There is nothing to grant',
  linked: 'Tick with what is below',
  all: 'Tick all',
  none: 'Clear',
  ticked: '{{n}} ticked',
  menus: 'Menu',
  json: 'Please enter a JSON object, such as {"keepAlive": true}',
  scopeValueHint: "For custom rules only, in the list's own filters, such as status=1&urgency_ge=3",
  scopePathHint: 'A path such as /blade-system/post/remove; ending with /** it covers all calls below',
  groups: {
    what: 'What it is',
    where: 'Where it leads',
    router: 'Router',
  },
};
