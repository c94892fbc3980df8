/** Which addresses a menu entry may lead to, and the address of a framed page. */
import { isHttp } from '@/lib/address';

/** A path of this server. Browsers read `\` as `/` and drop tabs and line ends: `/\host` would be another site. */
export function isPath(address: string): boolean {
  return /^\/(?!\/)[^\s\\]*$/.test(address);
}

/** Whether an entry is shown inside a frame: an http address, or a page of this server that is plain html. */
export function isFramed(address: string): boolean {
  return isHttp(address) || (isPath(address) && address.includes('html'));
}

/** What a framed page may do: one of this server, however it is written, must not reach the console's storage. */
export function sandboxOf(address: string): string {
  const { origin } = window.location;
  return new URL(address, origin).origin === origin
    ? 'allow-scripts allow-forms'
    : 'allow-scripts allow-same-origin allow-forms allow-popups';
}

/** The code of the menu entry that a frame's path names, as it is written in the menu. */
export function frameCode(path: string): string | undefined {
  const code = /^\/myiframe\/([^/]+)\/?$/.exec(path)?.[1];
  try {
    return code && decodeURIComponent(code);
  } catch {
    return code;
  }
}
