/** A part of a page with its heading and, beside it, what can be done there. */
import type { ReactNode } from 'react';

interface SectionProps {
  title: string;
  /** At the right of the heading. */
  action?: ReactNode;
  children: ReactNode;
}

export function Section({ title, action, children }: SectionProps) {
  return (
    <section className="x-panel x-section">
      <div className="x-section-head">
        <h2>{title}</h2>
        {action}
      </div>
      {children}
    </section>
  );
}
