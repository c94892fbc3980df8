/** Hey: light pages, with an accent of its own. */
import type { Look } from './look';

export const hey: Look = {
  name: 'hey',
  dark: false,
  side: '#1d1f2b',
  sideText: '#c6c9d6',
  head: '#ffffff',
  headText: '#1b2530',
  accent: '#45b984',
  radius: 8,
};
