// Every screen in English.
import { everyScreen } from './screens.mjs';
import { stage } from './stage.mjs';

const here = stage();

everyScreen(here, { tenant: '100001', account: 'zhao.m', language: 'en-US' });
// What the platform alone may add to, and where it looks into other companies: the same screens, of which more is open.
everyScreen(here, {
  tenant: '000000',
  account: 'admin',
  language: 'en-US',
  only: /^\/(system\/(client|tenant|dict|menu|user|release)|base\/region)$/,
});
