/** Blue: light pages, with an accent of its own. */
import type { Look } from './look';

export const bule: Look = {
  name: 'bule',
  dark: false,
  side: '#0b3a7e',
  sideText: '#cfe0f7',
  head: '#0f4aa0',
  headText: '#ffffff',
  accent: '#1463d8',
  radius: 4,
};
