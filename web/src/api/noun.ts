/** What the console knows of a noun: its calls, permission codes, fields and filters, written by `make api`. */

/** A text in Chinese and in English. */
export type Both = readonly [zh: string, en: string];

export type Kind =
  | 'text'
  | 'longtext'
  | 'integer'
  /** How often the row was written: a change is sent with the one that it was made from. */
  | 'version'
  | 'decimal'
  /** Whole minutes. */
  | 'minutes'
  /** 0 or 1. */
  | 'flag'
  /** One of `options`, or of the entries of `dict`. */
  | 'choice'
  /** `yyyy-MM-dd HH:mm:ss` */
  | 'moment'
  /** `yyyy-MM-dd` */
  | 'date'
  | 'id'
  /** Comma-joined. */
  | 'ids'
  | 'json'
  /** A link to a stored picture. */
  | 'image'
  /** Links to stored pictures. */
  | 'images'
  /** Links to stored files of other kinds. */
  | 'files'
  /** A link to a recording. */
  | 'voice'
  /** Rows that belong to a head; their fields are in `rows`. */
  | 'details'
  /** Values of extra fields by their keys; where those are declared is in `parts`. */
  | 'extras'
  | 'list';

export interface HalfDays {
  readonly is: 'first' | 'last' | 'days';
  readonly first: string;
  readonly last: string;
  readonly days: string;
}

export interface NounField {
  readonly label: Both;
  readonly kind: Kind;
  /** The code of the dictionary whose entries are the choices. */
  readonly dict?: string;
  /** All choices, when there is no dictionary: key, Chinese, English. */
  readonly options?: readonly (readonly [key: string | number, zh: string, en: string])[];
  /** Where the rows to choose from are found: a `select` of another noun, with what narrows it. */
  readonly ref?: string;
  /** The same as a tree, where the other noun is one. */
  readonly tree?: string;
  /** What the form of a new row begins with. */
  readonly initial?: number;
  /** Decimal places of an exact number. */
  readonly decimals?: number;
  /** Of moments that begin and end half days, and of the number of days between: which of the three this is, and their
   * names. */
  readonly halfDays?: HalfDays;
  /** What an exact number counts, such as `¥`. */
  readonly unit?: string;
  /** Where the extra fields that this one holds are declared, without /api. */
  readonly parts?: string;
  /** Fields of the rows that belong to this one. */
  readonly rows?: Readonly<Record<string, NounField>>;
  readonly required?: boolean;
  readonly writable?: boolean;
  readonly sortable?: boolean;
  readonly nullable?: boolean;
  /** Sent, never answered, such as a password. */
  readonly writeOnly?: boolean;
  /** Only `detail` answers it. */
  readonly detailOnly?: boolean;
  /** Most and fewest characters of a text, most pictures or files; fewest and most rows; bounds of a number. */
  readonly max?: number;
  readonly min?: number;
}

export interface Noun {
  /** First part of the permission codes. */
  readonly name: string;
  /** Of its calls, without /api. */
  readonly path: string;
  readonly title: Both;
  /** Last parts of the paths of its calls. */
  readonly calls: readonly string[];
  /** By `list`, `detail`, `add`, `submit`, `remove`, `export`, `import`; `*` is everybody who is signed in. */
  readonly codes: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, NounField>>;
  /** What the list may be asked, and of what kind it is. */
  readonly filters: Readonly<Record<string, string>>;
}

type Choice<F extends NounField> = F['options'] extends readonly (readonly [infer Key, ...unknown[]])[]
  ? Key
  : number;

type Plain<F extends NounField> = F['kind'] extends 'integer' | 'version' | 'decimal' | 'minutes' | 'flag'
  ? number
  : F['kind'] extends 'choice'
    ? Choice<F>
    : F['kind'] extends 'extras'
      ? Readonly<Record<string, string | number | null>>
      : F['kind'] extends 'images' | 'files' | 'list'
        ? string[]
        : F['kind'] extends 'json' | 'details'
          ? unknown
          : string;

type Value<F extends NounField> = F extends { readonly nullable: true } ? Plain<F> | null : Plain<F>;

/** The names of a noun's fields. */
export type FieldKey<N extends Noun> = Extract<keyof N['fields'], string>;

/** Fields that a row is answered with. */
export type ReadKey<N extends Noun> = {
  [K in FieldKey<N>]: N['fields'][K] extends { readonly writeOnly: true } ? never : K;
}[FieldKey<N>];

/** Fields that lists are answered with. */
export type ColumnKey<N extends Noun> = {
  [K in ReadKey<N>]: N['fields'][K] extends { readonly detailOnly: true } ? never : K;
}[ReadKey<N>];

/** Fields that may be sent. */
export type WritableKey<N extends Noun> = {
  [K in FieldKey<N>]: N['fields'][K] extends { readonly writable: true } ? K : never;
}[FieldKey<N>];

export type FilterKey<N extends Noun> = Extract<keyof N['filters'], string>;

/** A row of the noun, as `list` and `detail` answer it. */
export type RowOf<N extends Noun> = { id: string } & {
  [K in ReadKey<N>]: Value<N['fields'][K]>;
};

/** What its form holds and `submit` is sent. */
export type InputOf<N extends Noun> = {
  [K in WritableKey<N>]?: Plain<N['fields'][K]> | null;
};

/** Whether the server has this call of the noun. */
export function hasCall(noun: Noun, call: string): boolean {
  return noun.calls.includes(call);
}
