/** The Chinese catalogue: it sets the shape which every other language has to fill. */
import { absence } from './absence';
import { access } from './access';
import { app } from './app';
import { compare } from './compare';
import { designer } from './designer';
import { dryrun } from './dryrun';
import { flow } from './flow';
import { home } from './home';
import { info } from './info';
import { inspect } from './inspect';
import { jobs } from './jobs';
import { kit } from './kit';
import { leave } from './leave';
import { log } from './log';
import { machines } from './machines';
import { panel } from './panel';
import { people } from './people';
import { plates } from './plates';
import { repair } from './repair';
import { rounds } from './rounds';
import { shifts } from './shifts';
import { stoppages } from './stoppages';
import { system } from './system';
import { times } from './times';
import { unsent } from './unsent';
import { work } from './work';

export const zhCN = {
  absence,
  access,
  app,
  flow,
  home,
  info,
  inspect,
  jobs,
  kit,
  leave,
  log,
  machines,
  people,
  plates,
  repair,
  rounds,
  shifts,
  stoppages,
  system,
  work,
  times,
  panel,
  dryrun,
  designer,
  compare,
  unsent,
};

/** The same keys with texts of another language; of a number's words (`…_other`), those for one besides (`…_one`). */
export type Texts<T> = { [K in keyof T]: T[K] extends string ? string : Texts<T[K]> } & {
  [K in keyof T as K extends `${infer Key}_other` ? `${Key}_one` : never]: string;
};
