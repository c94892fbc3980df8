/** Short texts in one line with a point between them; what is empty is left out, and a moment never breaks. */
import type { ReactNode } from 'react';
import { moment } from '@/lib/dates';

interface PartsProps {
  of: readonly ReactNode[];
  /** As on the wire; stands last. */
  at?: string | null;
}

export function Parts({ of, at }: PartsProps) {
  const time = at && <span className="x-nowrap">{moment(at)}</span>;
  const [first, ...others] = [...of, time].filter(Boolean);
  return others.reduce(
    (line, part) => (
      <>
        {line} · {part}
      </>
    ),
    first,
  );
}
