/** Amounts and measures as people read them. */

/** All places that are kept, in groups of three: 0.400 was measured finer than 0.4. */
export function exact(value: number, decimals: number): string {
  return value.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

/** ¥ without decimals: an estimate is no more exact. */
export const roughly = (amount: number) => `¥${exact(Math.round(amount), 0)}`;

/** ¥ with two decimals and groups of three; unknown is a dash. */
export function yuan(amount: number | null | undefined): string {
  if (amount === null || amount === undefined) return '-';
  return `¥${exact(amount, 2)}`;
}
