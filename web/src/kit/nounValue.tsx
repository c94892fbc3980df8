/** What stands for a noun's value in a cell, on a card and in a detail: its text, or a tag where it is a state. */
import type { ReactNode } from 'react';
import type { Noun } from '@/api/noun';
import { shownText } from './nounText';
import { ToneTag } from './StateTag';

/** On or off with words of its own, such as `status` and `statusName`: one of the two, or neither. */
function switchOf(noun: Noun, name: string): string | undefined {
  const plain = name.endsWith('Name') ? name.slice(0, -4) : name;
  return noun.fields[plain]?.kind === 'flag' && noun.fields[`${plain}Name`] ? plain : undefined;
}

export function isState(noun: Noun, name: string): boolean {
  return switchOf(noun, name) !== undefined;
}

export function shownValue(noun: Noun, name: string, row: object): ReactNode {
  const values = row as Readonly<Record<string, unknown>>;
  const plain = switchOf(noun, name);
  const word = plain && values[`${plain}Name`];
  if (plain && word) return <ToneTag tone={values[plain] === 1 ? 'good' : 'off'}>{String(word)}</ToneTag>;
  return shownText(noun.fields[name], values[name]);
}
