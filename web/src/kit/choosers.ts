/** Choosers of rows that need more than names to be found, such as by a scan. The screens of the noun bring them. */
import type { ComponentType } from 'react';
import type { Source } from './references';

export interface ChooserProps {
  id?: string;
  value?: string | null;
  onChange?: (value: string | null) => void;
  disabled?: boolean;
  source: Source;
}

type Chooser = ComponentType<ChooserProps>;

let provided: (noun: string) => Chooser | undefined = () => undefined;

/** Says by the last part of a noun's address which chooser its rows have. */
export function provideChoosers(find: typeof provided): void {
  provided = find;
}

/** The chooser of the rows that the field refers to; none where the form offers some of them only. */
export function chooserOf({ ref, params }: Source): Chooser | undefined {
  return params ? undefined : provided(ref.split('?')[0]?.split('/').at(-2) ?? '');
}
