/** Keys of models: what they are like, and one that is free. */

/** As the server wants it: a letter, then letters, digits, dots, dashes and underscores. */
export const KEY = /^[A-Za-z_][\w.-]*$/;

const MOST_LETTERS = 60;

/** A key that no model has: one like that of the model copied, or like an English name, else a number. */
export function freeKey(copied: string, name: string, taken: ReadonlySet<string>): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter(Boolean);
  const said = words.map((word, at) => (at === 0 ? word : word[0]?.toUpperCase() + word.slice(1))).join('');
  // A Chinese name has no letters for a key, and those in it alone say little.
  const isEnglish = KEY.test(said) && !/[^\x20-\x7e]/.test(name);
  const begin = (copied || (isEnglish ? said[0]?.toLowerCase() + said.slice(1) : '')).slice(
    0,
    MOST_LETTERS - 4,
  );
  if (begin && !taken.has(begin)) return begin;
  let number = begin ? 2 : 1;
  while (taken.has(`${begin || 'process'}_${number}`)) number += 1;
  return `${begin || 'process'}_${number}`;
}
