/** How the statuses of a process instance look. */
import type { Tone } from '@/kit/tones';

export const INSTANCE_TONES: Readonly<Record<number, Tone>> = { 1: 'active', 2: 'good', 3: 'off', 4: 'bad' };
