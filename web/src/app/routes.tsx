/** Every page behind the sign-in, one line each: its path, its title, the file that draws it. */
import type { ParseKeys } from 'i18next';
import { type ComponentType, lazy } from 'react';

export interface Route {
  path: string;
  title: ParseKeys;
  Screen: ComponentType;
  /** Opens only for those who have this path in their menu; by default a page's own path. `true`: open to all signed in. */
  menu?: string | true;
}

type Load = () => Promise<{ default: ComponentType }>;

function page(path: string, title: ParseKeys, load: Load, menu?: Route['menu']): Route {
  return { path, title, Screen: lazy(load), menu };
}

export const routes: readonly Route[] = [
  page('/equip/machine', 'machines.title', () => import('@/screens/machines')),
];
