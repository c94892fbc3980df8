/** What is known of a thing, as label and value. */
import type { ReactNode } from 'react';

export interface Fact {
  label: string;
  /** Unknown is shown as a dash. */
  value: ReactNode;
  /** The whole width. */
  full?: boolean;
}

export function Facts({ items }: { items: readonly Fact[] }) {
  return (
    <dl className="x-facts">
      {items.map(({ label, value, full }) => (
        <div key={label} className={full ? 'x-full' : undefined}>
          <dt>{label}</dt>
          <dd>{value === null || value === undefined || value === '' ? '-' : value}</dd>
        </div>
      ))}
    </dl>
  );
}
