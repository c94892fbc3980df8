/** What stands for a noun's value in a cell, on a card and in a detail: its text, or a tag where it is a state. */
import type { ReactNode } from 'react';
import type { Noun, NounField } from '@/api/noun';
import { DetailRows } from './details';
import { Minutes } from './Minutes';
import { shownText } from './nounText';
import { Photos } from './Photos';
import { ToneTag } from './StateTag';

/** On or off with words of its own, such as `status` and `statusName`: one of the two, or neither. */
function switchOf(noun: Pick<Noun, 'fields'>, name: string): string | undefined {
  const plain = name.endsWith('Name') ? name.slice(0, -4) : name;
  return noun.fields[plain]?.kind === 'flag' && noun.fields[`${plain}Name`] ? plain : undefined;
}

export function isState(noun: Pick<Noun, 'fields'>, name: string): boolean {
  return switchOf(noun, name) !== undefined;
}

export function shownValue(noun: Pick<Noun, 'fields'>, name: string, row: object): ReactNode {
  const values = row as Readonly<Record<string, unknown>>;
  const plain = switchOf(noun, name);
  const word = plain && values[`${plain}Name`];
  if (plain && word) return <ToneTag tone={values[plain] === 1 ? 'good' : 'off'}>{String(word)}</ToneTag>;
  const field = noun.fields[name];
  const value = values[name];
  if (field?.kind === 'details') return <DetailRows rows={field.rows ?? {}} value={value} />;
  if (field?.kind === 'images') return <Photos links={value as string[] | null} />;
  if (field?.kind === 'minutes') return <Minutes value={value as number | null} />;
  if (field?.kind === 'list' && Array.isArray(value)) {
    return (
      <span className="x-marks">
        {value.map((word) => (
          <span key={String(word)} className="x-tag x-tone-quiet">
            {String(word)}
          </span>
        ))}
      </span>
    );
  }
  return shownText(field, value);
}

/** Whether the value takes the whole width of a detail. */
export function isWide(field: NounField | undefined): boolean {
  return WIDE.has(field?.kind ?? '') || (field?.kind === 'text' && (field.max ?? 0) > 200);
}

const WIDE: ReadonlySet<string> = new Set(['longtext', 'json', 'details', 'images']);
