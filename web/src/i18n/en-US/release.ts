/** Releases of the product, for the dialog in the header. */
import type { Texts } from '../zh-CN';
import type { release as zh } from '../zh-CN/release';

export const release: Texts<typeof zh> = {
  none: 'No release notes yet',
  older: 'Earlier releases',
  published: 'Published {{time}}',
};
