/** The rule for mobile numbers. */

export type PhoneFault = 'length' | 'format';

/** What is wrong with a number; an empty one passes. */
export function phoneFault(text: string | null | undefined): PhoneFault | undefined {
  const phone = (text ?? '').trim();
  if (phone === '') return undefined;
  if (!/^\d{11}$/.test(phone)) return 'length';
  return /^1[3-9]\d{9}$/.test(phone) ? undefined : 'format';
}
