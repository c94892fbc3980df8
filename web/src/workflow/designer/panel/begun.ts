/** Rows of which some lack something: what is whole is written into the drawing, the rest lives here until it is. */
import { useState } from 'react';

interface Writing<T> {
  /** What the drawing says. */
  text: string;
  /** Undefined where the text cannot be shown as rows. */
  read: (text: string) => T | undefined;
  write: (value: T) => string;
  commit: (text: string) => void;
}

/** The rows, and how to change them. */
export function useBegun<T>({
  text,
  read,
  write,
  commit,
}: Writing<T>): readonly [T | undefined, (next: T) => void] {
  const [begun, setBegun] = useState<{ text: string; value: T }>();
  // A text that came from elsewhere, as by undo, is read anew.
  const value = begun?.text === text ? begun.value : read(text);
  const change = (next: T) => {
    const written = write(next);
    // A row that is begun says nothing yet: the text stays as it was written.
    const same = value !== undefined && written === write(value);
    setBegun({ text: same ? text : written, value: next });
    if (!same) commit(written);
  };
  return [value, change];
}
