/** Default: light pages. */
import type { Look } from './look';

export const standard: Look = {
  name: 'default',
  dark: false,
  side: '#18222e',
  sideText: '#c9d2dc',
  head: '#ffffff',
  headText: '#1b2530',
  radius: 6,
};
