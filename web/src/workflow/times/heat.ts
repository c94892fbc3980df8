/** How hot each step is: a measure's values put into five levels, whose bounds a legend can name. */
import type { Wire } from '@/api/wire';

export type NodeTimes = Wire<'NodeTimes'>;

/** How often, how long it usually takes, how long it takes one in ten, where it waits now, and waits too long. */
export const MEASURES = ['count', 'medianSeconds', 'p90Seconds', 'waiting', 'overdue'] as const;
export type Measure = (typeof MEASURES)[number];

export const LEVELS = 5;

export const isTime = (measure: Measure) => measure === 'medianSeconds' || measure === 'p90Seconds';

export interface Heat {
  /** 1 to LEVELS by element; without those of which nothing is known. */
  levels: ReadonlyMap<string, number>;
  /** The least and the greatest value that each level holds, the coolest first; levels without any are left out. */
  bounds: readonly { level: number; least: number; most: number }[];
}

/** Levels are even shares of the greatest value, so that twice as hot is twice as much. */
export function heatOf(nodes: readonly NodeTimes[], measure: Measure): Heat {
  const values = nodes.flatMap(({ node, [measure]: value }) =>
    value === null || value <= 0 ? [] : [[node, value] as const],
  );
  const greatest = Math.max(0, ...values.map(([, value]) => value));
  const levels = new Map(
    values.map(([node, value]) => [node, Math.max(1, Math.ceil((value / greatest) * LEVELS))]),
  );
  const bounds = Array.from({ length: LEVELS }, (_, index) => index + 1).flatMap((level) => {
    const held = values.filter(([node]) => levels.get(node) === level).map(([, value]) => value);
    return held.length > 0 ? [{ level, least: Math.min(...held), most: Math.max(...held) }] : [];
  });
  return { levels, bounds };
}
