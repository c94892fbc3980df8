/** What is compared of an element: one thing that a drawing says of it, and the way there. */

/** A step of the way to a property: the name of an attribute or child, and which one where there may be several. */
export interface Segment {
  readonly key: string;
  readonly name?: string;
}

export interface Property {
  readonly path: readonly Segment[];
  /** `parts`: comma-joined ids of other elements. `flag`: true or false. `whole`: something that has properties below it. */
  readonly kind: 'text' | 'flag' | 'parts' | 'whole';
  readonly value: string;
}
