/** The English catalogue; a missing or a superfluous key does not compile. */
import type { Texts, zhCN } from '../zh-CN';
import { access } from './access';
import { app } from './app';
import { flow } from './flow';
import { home } from './home';
import { info } from './info';
import { kit } from './kit';
import { leave } from './leave';
import { log } from './log';
import { machines } from './machines';
import { people } from './people';
import { repair } from './repair';
import { system } from './system';
import { work } from './work';

export const enUS: Texts<typeof zhCN> = {
  access,
  app,
  flow,
  home,
  info,
  kit,
  leave,
  log,
  machines,
  people,
  repair,
  system,
  work,
};
