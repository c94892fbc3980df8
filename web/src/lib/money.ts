/** Amounts of money as people read them. */

/** ¥ with two decimals and groups of three; unknown is a dash. */
export function yuan(amount: number | null | undefined): string {
  if (amount === null || amount === undefined) return '-';
  return `¥${amount.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}
