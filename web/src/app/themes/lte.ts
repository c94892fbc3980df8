/** LTE: light pages, with an accent of its own. */
import type { Look } from './look';

export const lte: Look = {
  name: 'lte',
  dark: false,
  side: '#222d32',
  sideText: '#b8c7ce',
  head: '#2c6a8e',
  headText: '#ffffff',
  accent: '#3c8dbc',
  radius: 3,
};
