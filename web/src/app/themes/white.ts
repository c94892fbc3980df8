/** White: light pages. */
import type { Look } from './look';

export const white: Look = {
  name: 'white',
  dark: false,
  side: '#ffffff',
  sideText: '#3b4652',
  head: '#ffffff',
  headText: '#1b2530',
  radius: 6,
};
