/** The English catalogue; a missing or a superfluous key does not compile. */
import type { Texts, zhCN } from '../zh-CN';
import { app } from './app';
import { home } from './home';
import { kit } from './kit';
import { machines } from './machines';
import { repair } from './repair';
import { work } from './work';

export const enUS: Texts<typeof zhCN> = { app, home, kit, machines, repair, work };
