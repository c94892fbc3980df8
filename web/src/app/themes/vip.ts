/** VIP: light pages, with an accent of its own. */
import type { Look } from './look';

export const vip: Look = {
  name: 'vip',
  dark: false,
  side: '#20222a',
  sideText: '#d7c9a4',
  head: '#26282f',
  headText: '#f0dfae',
  accent: '#8a6a1f',
  radius: 4,
};
