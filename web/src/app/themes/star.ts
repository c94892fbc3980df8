/** Star: light pages, with an accent of its own. */
import type { Look } from './look';

export const star: Look = {
  name: 'star',
  dark: false,
  side: '#141a3a',
  sideText: '#c3c9ee',
  head: '#1d2550',
  headText: '#eef0ff',
  accent: '#4d5bd6',
  radius: 8,
};
