/** The English catalogue; a missing or a superfluous key does not compile. */
import type { Texts, zhCN } from '../zh-CN';
import { absence } from './absence';
import { access } from './access';
import { app } from './app';
import { compare } from './compare';
import { dashboard } from './dashboard';
import { designer } from './designer';
import { dryrun } from './dryrun';
import { flow } from './flow';
import { home } from './home';
import { info } from './info';
import { inspect } from './inspect';
import { jobs } from './jobs';
import { keys } from './keys';
import { kit } from './kit';
import { leave } from './leave';
import { log } from './log';
import { machines } from './machines';
import { maintain } from './maintain';
import { panel } from './panel';
import { people } from './people';
import { plates } from './plates';
import { release } from './release';
import { repair } from './repair';
import { reports } from './reports';
import { rounds } from './rounds';
import { shifts } from './shifts';
import { spares } from './spares';
import { stoppages } from './stoppages';
import { system } from './system';
import { times } from './times';
import { unsent } from './unsent';
import { upkeep } from './upkeep';
import { work } from './work';

export const enUS: Texts<typeof zhCN> = {
  absence,
  access,
  app,
  flow,
  home,
  info,
  inspect,
  jobs,
  keys,
  kit,
  leave,
  log,
  machines,
  maintain,
  people,
  plates,
  release,
  repair,
  reports,
  rounds,
  shifts,
  spares,
  stoppages,
  system,
  work,
  times,
  panel,
  dryrun,
  designer,
  compare,
  dashboard,
  unsent,
  upkeep,
};
