/** The eleven looks, in the order of the specification. */
import { bule } from './bule';
import { cool } from './cool';
import { d2 } from './d2';
import { dark } from './dark';
import { standard } from './default';
import { hey } from './hey';
import { iview } from './iview';
import type { Look } from './look';
import { lte } from './lte';
import { star } from './star';
import { vip } from './vip';
import { white } from './white';

export const LOOKS: readonly Look[] = [standard, white, dark, star, bule, iview, vip, cool, d2, hey, lte];

export type { Look };
