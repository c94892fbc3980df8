/** Which addresses a menu entry may lead to. */

/** A plain http or https address; nothing that a browser would run or read as another site. */
export function isHttp(address: string): boolean {
  if (!/^https?:\/\/[^\s\\]+$/i.test(address)) return false;
  try {
    const { protocol, username, password } = new URL(address);
    return (protocol === 'http:' || protocol === 'https:') && username === '' && password === '';
  } catch {
    return false;
  }
}
