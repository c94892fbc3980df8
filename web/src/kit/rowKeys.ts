/** J and K go through the rows of a list, like the arrow keys of a mail program; Enter then opens the row, and X chooses
 * it where rows can be chosen. */
import { type RefObject, useEffect } from 'react';

const ROWS = 'tr.x-row, .x-card-open';
export const TYPING =
  'input:not([type=checkbox]), textarea, select, [contenteditable], [role="dialog"], [role="combobox"]';

export function useRowKeys(area: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase();
      if (!['j', 'k', 'x'].includes(key) || event.ctrlKey || event.metaKey || event.altKey) return;
      if ((event.target as HTMLElement).closest(TYPING)) return;
      const rows = [...(area.current?.querySelectorAll<HTMLElement>(ROWS) ?? [])];
      const now = rows.indexOf(document.activeElement as HTMLElement);
      if (key === 'x') {
        rows[now]?.closest('tr, li')?.querySelector<HTMLElement>('input[type=checkbox]')?.click();
        return;
      }
      const next = rows[Math.min(rows.length - 1, Math.max(0, now + (key === 'j' ? 1 : -1)))];
      if (!next) return;
      event.preventDefault();
      next.focus();
      next.scrollIntoView?.({ block: 'nearest' });
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [area]);
}
