/** What a look decides; everything else follows from these in theme.ts. */

/** As the specification spells them. */
export type LookName =
  | 'default'
  | 'white'
  | 'dark'
  | 'star'
  | 'bule'
  | 'iview'
  | 'vip'
  | 'cool'
  | 'd2'
  | 'hey'
  | 'lte';

export interface Look {
  name: LookName;
  /** Pages are dark too. */
  dark: boolean;
  side: string;
  sideText: string;
  head: string;
  headText: string;
  /** In place of the chosen colour, while that is the site's own. */
  accent?: string;
  /** Of corners, in pixels. */
  radius: number;
}
