/** Cool: light pages, with an accent of its own. */
import type { Look } from './look';

export const cool: Look = {
  name: 'cool',
  dark: false,
  side: '#0f5257',
  sideText: '#cfe9ea',
  head: '#ffffff',
  headText: '#12393c',
  accent: '#0b8a8f',
  radius: 10,
};
