/** iView: light pages, with an accent of its own. */
import type { Look } from './look';

export const iview: Look = {
  name: 'iview',
  dark: false,
  side: '#495060',
  sideText: '#dfe3ea',
  head: '#ffffff',
  headText: '#1b2530',
  accent: '#2d8cf0',
  radius: 4,
};
