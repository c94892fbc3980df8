/** The Chinese catalogue: it sets the shape which every other language has to fill. */
import { app } from './app';
import { home } from './home';
import { kit } from './kit';
import { machines } from './machines';
import { repair } from './repair';
import { work } from './work';

export const zhCN = { app, home, kit, machines, repair, work };

/** The same keys with texts of another language. */
export type Texts<T> = { [K in keyof T]: T[K] extends string ? string : Texts<T[K]> };
