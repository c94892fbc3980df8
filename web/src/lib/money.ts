/** Amounts and measures as people read them. */

/** All places that are kept, in groups of three: 0.400 was measured finer than 0.4. */
export function exact(value: number, decimals: number): string {
  return value.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

/** ¥ without decimals: an estimate is no more exact. */
export const roughly = (amount: number) => `¥${exact(Math.round(amount), 0)}`;

/** A number with as many decimals as it has, in groups of three. */
export const grouped = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 3 });

/** ¥ with two decimals and groups of three, a minus before it; unknown is a dash. */
export function yuan(amount: number | null | undefined): string {
  if (amount === null || amount === undefined) return '-';
  return `${amount < 0 ? '−' : ''}¥${exact(Math.abs(amount), 2)}`;
}

/** ¥ of one piece: at least two decimals, and up to four where somebody gave them; unknown is a dash. */
export function price(amount: number | null | undefined): string {
  if (amount === null || amount === undefined) return '-';
  return `¥${amount.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 4 })}`;
}
