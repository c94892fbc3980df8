/** A page behind the sign-in: its address, its title, and who may open it. */
import type { ParseKeys } from 'i18next';
import type { ComponentType } from 'react';
import type { Both } from '@/api/noun';

export interface Route {
  path: string;
  /** Without one it is the menu entry's name. */
  title?: ParseKeys | Both;
  Screen: ComponentType;
  /** Opens only for those who have this path in their menu; by default a page's own path. `true`: open to all signed in. */
  menu?: string | true;
}
