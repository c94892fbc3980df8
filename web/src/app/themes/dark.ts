/** Dark: dark everywhere. */
import type { Look } from './look';

export const dark: Look = {
  name: 'dark',
  dark: true,
  side: '#10161d',
  sideText: '#b9c4cf',
  head: '#161d26',
  headText: '#e6ebf0',
  radius: 6,
};
