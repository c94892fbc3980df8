/** Links to files, and what their files are called. */

/** A link that says behind a # what its file is called; a draft keeps both. The server reads over it. */
export function namedLink(link: string, name: string | undefined): string {
  return name ? `${link}#${encodeURIComponent(name)}` : link;
}

/** What a link's file is called: what it says itself, else the last part of its path. */
export function fileName(link: string): string {
  const [address = '', said] = link.split('#');
  const path = address.split('?')[0] ?? '';
  const name = said || path.slice(path.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(name) || link;
  } catch {
    return name || link;
  }
}
