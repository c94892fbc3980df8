/** People who are named behind an @ in a text. */

export interface Person {
  id: string;
  name: string;
}

export interface Part {
  key: string;
  text: string;
  isMention: boolean;
}

/** The text in parts, those that mention one of these names among them; the longest name that fits is meant. */
export function wordsOf(text: string, names: readonly string[]): Part[] {
  if (names.length === 0) return [{ key: '0', text, isMention: false }];
  const sorted = [...names].sort((one, other) => other.length - one.length);
  const escaped = sorted.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return text
    .split(new RegExp(`(@(?:${escaped.join('|')}))`))
    .map((part, index) => ({ key: String(index), text: part, isMention: index % 2 === 1 }))
    .filter((part) => part.text !== '');
}

/** Those of the people whom the text still mentions. */
export function mentionedIn(text: string, people: readonly Person[]): Person[] {
  const names = people.map(({ name }) => name);
  const found = new Set(wordsOf(text, names).flatMap((part) => (part.isMention ? [part.text.slice(1)] : [])));
  return people.filter(({ name }) => found.has(name));
}
