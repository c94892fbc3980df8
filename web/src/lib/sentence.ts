/** A title or label within a sentence: English begins it small, but for abbreviations. */
export function inSentence(title: string): string {
  return /^[A-Z](?![A-Z])/.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title;
}
