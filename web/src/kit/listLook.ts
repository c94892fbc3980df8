/** How a person wants to see a list: which columns, in which order, how dense; remembered on this device for this person. */
import { useState } from 'react';
import { useSession } from '@/session/session';

export const DENSITIES = ['small', 'middle', 'large'] as const;

export type Density = (typeof DENSITIES)[number];

interface Stored {
  density?: Density;
  /** Keys in the chosen order; a column that came later stands where the page has it. */
  order?: string[];
  /** What the person switched, on or off, against the page's own choice. */
  shown?: Record<string, boolean>;
}

interface Offered {
  key: string;
  /** Offered, but not shown until somebody asks for it. */
  extra?: boolean;
}

export interface Look<Column extends Offered> {
  density: Density;
  /** All columns in the person's order. */
  all: readonly Column[];
  /** Those that are shown; never none. */
  shown: readonly Column[];
  setDensity: (density: Density) => void;
  show: (key: string, on: boolean) => void;
  /** Puts a column where another one stands. */
  move: (key: string, to: number) => void;
  reset: () => void;
  /** Whether anything differs from the page's own look. */
  changed: boolean;
}

/** Names things in storage that are one person's alone. */
export function personKey(kind: string, list: string, userId: string | undefined): string {
  return `xunwei.${kind}.${userId ?? ''}.${list}`;
}

/** What is kept under the name; empty where nothing is, or nothing that can be read. */
export function readKept<Kept extends object>(key: string): Partial<Kept> {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(key) ?? '{}');
    return typeof found === 'object' && found !== null ? (found as Kept) : {};
  } catch {
    return {};
  }
}

/** The columns in the stored order; one that is not in it follows the column it follows on the page. */
export function ordered<Column extends Offered>(
  columns: readonly Column[],
  order: readonly string[] = [],
): Column[] {
  const known = order.filter((key) => columns.some((column) => column.key === key));
  const found = known.map((key) => columns.find((column) => column.key === key) as Column);
  columns.forEach((column, index) => {
    if (known.includes(column.key)) return;
    const before = found.findIndex((other) => other.key === columns[index - 1]?.key);
    found.splice(before + 1, 0, column);
  });
  return found;
}

export function useLook<Column extends Offered>(list: string, columns: readonly Column[]): Look<Column> {
  const userId = useSession()?.userId;
  const key = personKey('look', list, userId);
  const [kept, setKept] = useState<{ key: string; look: Stored }>();
  const look = kept?.key === key ? kept.look : readKept<Stored>(key);
  const keep = (change: Stored) => {
    const next = { ...look, ...change };
    localStorage.setItem(key, JSON.stringify(next));
    setKept({ key, look: next });
  };
  const isShown = (column: Column) => look.shown?.[column.key] ?? !column.extra;
  const all = ordered(columns, Array.isArray(look.order) ? look.order : []);
  const chosen = all.filter(isShown);
  const density = DENSITIES.find((one) => one === look.density) ?? 'middle';
  return {
    density,
    all,
    shown: chosen.length > 0 ? chosen : all.slice(0, 1),
    setDensity: (wanted) => keep({ density: wanted }),
    show: (column, on) => keep({ shown: { ...look.shown, [column]: on } }),
    move: (column, to) => {
      const keys = all.map((one) => one.key).filter((one) => one !== column);
      keys.splice(Math.max(0, to), 0, column);
      keep({ order: keys });
    },
    reset: () => {
      localStorage.removeItem(key);
      setKept({ key, look: {} });
    },
    changed: Object.keys(look).length > 0,
  };
}
