/** The rule for passwords that people choose. */

export type PasswordFault = 'empty' | 'length' | 'mix';

/** What is wrong with a password; undefined for a good one. It is trimmed first. */
export function passwordFault(text: string): PasswordFault | undefined {
  const password = text.trim();
  if (password === '') return 'empty';
  if (password.length < 6 || password.length > 20) return 'length';
  if (!/[A-Za-z]/.test(password) || !/\d/.test(password)) return 'mix';
  return undefined;
}
