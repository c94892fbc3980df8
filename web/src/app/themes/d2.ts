/** D2: light pages, with an accent of its own. */
import type { Look } from './look';

export const d2: Look = {
  name: 'd2',
  dark: false,
  side: '#ebf1f6',
  sideText: '#35434f',
  head: '#ebf1f6',
  headText: '#263445',
  accent: '#2f74ff',
  radius: 4,
};
