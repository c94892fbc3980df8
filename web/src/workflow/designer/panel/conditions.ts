/** Conditions as rows (name, comparison, value) joined by and/or with one level of groups; text becomes rows and back. */
import { type Expression, literal, nameOf, pathOf, readCondition, write } from './expression';

/** An id may be larger than what the browser's numbers hold. */
export type Scalar = string | number | bigint | boolean;
export type Value = Scalar | readonly Scalar[];
export type Join = 'and' | 'or';

export const COMPARISONS = [
  'equal',
  'differs',
  'less',
  'atMost',
  'more',
  'atLeast',
  'among',
  'notAmong',
  'contains',
  'lacks',
  'starts',
  'ends',
  'empty',
  'filled',
] as const;
export type Comparison = (typeof COMPARISONS)[number];

export interface Row {
  kind: 'row';
  /** Dotted, such as `form.days`, or how much of it there is: `size(form.photos)`. */
  name: string;
  comparison: Comparison;
  /** Nothing for `empty` and `filled`, a list for `among` and `notAmong`. */
  value?: Value;
}

export interface Group {
  kind: 'group';
  join: Join;
  rows: Row[];
}

export interface Conditions {
  join: Join;
  items: (Row | Group)[];
}

/** What a name of the catalogue holds. */
export type NameType = 'text' | 'number' | 'count' | 'flag' | 'list' | 'moment' | 'id' | 'rows';

const OF_NUMBERS: readonly Comparison[] = ['equal', 'differs', 'less', 'atMost', 'more', 'atLeast'];
const OF_TYPE: Readonly<Record<NameType, readonly Comparison[]>> = {
  text: ['equal', 'differs', 'among', 'notAmong', 'contains', 'lacks', 'starts', 'ends', 'empty', 'filled'],
  count: OF_NUMBERS,
  number: [...OF_NUMBERS, 'among', 'notAmong', 'empty', 'filled'],
  flag: ['equal', 'differs', 'empty', 'filled'],
  list: ['contains', 'lacks', 'empty', 'filled'],
  moment: [...OF_NUMBERS, 'empty', 'filled'],
  id: ['equal', 'differs', 'among', 'notAmong', 'empty', 'filled'],
  rows: ['empty', 'filled'],
};

/** The comparisons that mean something for a type; for a name that nobody knows all of them. */
export function comparisonsOf(type: NameType | undefined): readonly Comparison[] {
  return type ? OF_TYPE[type] : COMPARISONS;
}

export function takesList(comparison: Comparison): boolean {
  return comparison === 'among' || comparison === 'notAmong';
}

export function takesNothing(comparison: Comparison): boolean {
  return comparison === 'empty' || comparison === 'filled';
}

const SIGNS: Readonly<Record<string, Comparison>> = {
  '==': 'equal',
  '!=': 'differs',
  '<': 'less',
  '<=': 'atMost',
  '>': 'more',
  '>=': 'atLeast',
};
/** The same said from the other side: 3 < days. */
const MIRRORED: Readonly<Record<string, string>> = {
  '==': '==',
  '!=': '!=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};
const CALLS: Readonly<Record<string, Comparison>> = {
  contains: 'contains',
  startsWith: 'starts',
  endsWith: 'ends',
};

/** The number that a text is, exactly; undefined where the browser could only come near it, or it is none. */
export function numberOf(text: string): number | bigint | undefined {
  const value = Number(text);
  if (Number.isFinite(value) && String(value) === text) return value;
  return /^-?[1-9]\d*$/.test(text) ? BigInt(text) : undefined;
}

function scalarOf(expression: Expression): Scalar | undefined {
  if (expression.kind === 'literal' && expression.value !== null) {
    return typeof expression.value === 'number' ? numberOf(expression.text) : expression.value;
  }
  if (expression.kind !== 'unary' || expression.sign !== '-') return undefined;
  const inner = scalarOf(expression.of);
  return typeof inner === 'number' || typeof inner === 'bigint' ? -inner : undefined;
}

const SIZE = /^size\((.+)\)$/;

/** The name under which a row asks how much of another name there is. */
export const sizeOf = (name: string) => `size(${name})`;

/** The name whose size is asked; undefined for a name itself. */
export const sizedIn = (name: string): string | undefined => SIZE.exec(name)?.[1];

function asked(of: Expression): string | undefined {
  if (of.kind !== 'call' || of.name !== 'size') return nameOf(of);
  const name = of.args[0] && nameOf(of.args[0]);
  return name && sizeOf(name);
}

function asking(name: string): Expression {
  const sized = sizedIn(name);
  return sized ? { kind: 'call', name: 'size', args: [pathOf(sized)] } : pathOf(name);
}

function row(of: Expression, comparison: Comparison, value?: Value): Row | undefined {
  const name = asked(of);
  return name === undefined ? undefined : { kind: 'row', name, comparison, value };
}

const NEGATED: Readonly<Partial<Record<Comparison, Comparison>>> = {
  empty: 'filled',
  among: 'notAmong',
  contains: 'lacks',
};

function rowOf(expression: Expression): Row | undefined {
  switch (expression.kind) {
    case 'name':
    case 'field':
      return row(expression, 'equal', true);
    case 'call': {
      const [of, part] = expression.args;
      const comparison = CALLS[expression.name];
      const value = part && scalarOf(part);
      return of && comparison && value !== undefined ? row(of, comparison, value) : undefined;
    }
    case 'unary': {
      if (expression.sign === 'empty') return row(expression.of, 'empty');
      if (expression.sign !== '!') return undefined;
      // Of a box that nobody ticked, "not" holds and "is no" does not.
      if (nameOf(expression.of)) return row(expression.of, 'differs', true);
      const inner = rowOf(expression.of);
      const comparison = inner && NEGATED[inner.comparison];
      return comparison ? { ...inner, comparison } : undefined;
    }
    case 'binary':
      return compared(expression.sign, expression.left, expression.right);
    default:
      return undefined;
  }
}

function compared(sign: string, left: Expression, right: Expression): Row | undefined {
  if (sign === 'in') {
    const values = right.kind === 'list' ? right.items.map(scalarOf) : [undefined];
    const known = values.filter((value) => value !== undefined);
    return known.length === values.length && known.length > 0 ? row(left, 'among', known) : undefined;
  }
  const comparison = SIGNS[sign];
  if (!comparison) return undefined;
  const value = scalarOf(right);
  if (value !== undefined) return row(left, comparison, value);
  const other = scalarOf(left);
  const mirrored = SIGNS[MIRRORED[sign] ?? ''];
  return other !== undefined && mirrored ? row(right, mirrored, other) : undefined;
}

const JOINS: Readonly<Record<string, Join>> = { '&&': 'and', '||': 'or' };

function joinOf(expression: Expression): Join | undefined {
  return expression.kind === 'binary' ? JOINS[expression.sign] : undefined;
}

/** The terms of a chain; brackets round a part that is joined in the same way mean nothing. */
function terms(expression: Expression, join: Join): Expression[] {
  if (expression.kind !== 'binary' || joinOf(expression) !== join) return [expression];
  return [...terms(expression.left, join), ...terms(expression.right, join)];
}

function itemOf(expression: Expression): Row | Group | undefined {
  const join = joinOf(expression);
  if (!join) return rowOf(expression);
  const rows = terms(expression, join).map(rowOf);
  const known = rows.filter((one) => one !== undefined);
  return known.length === rows.length ? { kind: 'group', join, rows: known } : undefined;
}

/** The rows that say the same as the text; undefined where rows cannot say it. Empty for an empty text. */
export function conditionsOf(text: string): Conditions | undefined {
  if (!text.trim()) return { join: 'and', items: [] };
  const expression = readCondition(text);
  if (!expression) return undefined;
  const join = joinOf(expression) ?? 'and';
  const items = terms(expression, join).map(itemOf);
  const known = items.filter((item) => item !== undefined);
  return known.length === items.length ? { join, items: known } : undefined;
}

/** Why rows cannot say what a condition says. */
export type Beyond = 'unreadable' | 'twoNames' | 'calculation' | 'nested' | 'other';

/** Whether the part reads anything, and whether it reckons with it. */
function contents(expression: Expression): { names: boolean; reckons: boolean } {
  const parts: Record<Expression['kind'], () => Expression[]> = {
    literal: () => [],
    name: () => [],
    field: () => [],
    call: () => (expression as { args: Expression[] }).args,
    list: () => (expression as { items: Expression[] }).items,
    unary: () => [(expression as { of: Expression }).of],
    binary: () => {
      const { left, right } = expression as { left: Expression; right: Expression };
      return [left, right];
    },
    choice: () => {
      const { test, yes, no } = expression as { test: Expression; yes: Expression; no: Expression };
      return [test, yes, no];
    },
  };
  const inner = parts[expression.kind]().map(contents);
  const isSign = expression.kind === 'binary' && !SIGNS[expression.sign] && expression.sign !== 'in';
  return {
    names: expression.kind === 'name' || expression.kind === 'field' || inner.some(({ names }) => names),
    reckons:
      expression.kind === 'call' ||
      expression.kind === 'choice' ||
      isSign ||
      inner.some((one) => one.reckons),
  };
}

/** Why the text cannot be shown as rows; undefined where it can. */
export function beyondRows(text: string): Beyond | undefined {
  if (conditionsOf(text)) return undefined;
  const expression = readCondition(text);
  if (!expression) return 'unreadable';
  const join = joinOf(expression) ?? 'and';
  const odd = terms(expression, join).find((term) => !itemOf(term)) as Expression;
  const inner = joinOf(odd);
  const rows = inner ? terms(odd, inner) : [odd];
  if (rows.some(joinOf)) return 'nested';
  const term = rows.find((one) => !rowOf(one)) as Expression;
  const compares = term.kind === 'binary' && SIGNS[term.sign] !== undefined;
  if (contents(term).reckons) return 'calculation';
  return compares && contents(term.left).names && contents(term.right).names ? 'twoNames' : 'other';
}

const UNSIGNED = Object.fromEntries(Object.entries(SIGNS).map(([sign, comparison]) => [comparison, sign]));

const not = (of: Expression): Expression => ({ kind: 'unary', sign: '!', of });

function expressionOf({ name, comparison, value = '' }: Row): Expression {
  const of = asking(name);
  const list: Expression = { kind: 'list', items: [value].flat().map((one) => literal(one as Scalar)) };
  const single = literal((Array.isArray(value) ? (value[0] ?? '') : value) as Scalar);
  const call = (called: string): Expression => ({ kind: 'call', name: called, args: [of, single] });
  switch (comparison) {
    case 'among':
      return { kind: 'binary', sign: 'in', left: of, right: list };
    case 'notAmong':
      return not({ kind: 'binary', sign: 'in', left: of, right: list });
    case 'contains':
      return call('contains');
    case 'lacks':
      return not(call('contains'));
    case 'starts':
      return call('startsWith');
    case 'ends':
      return call('endsWith');
    case 'empty':
      return { kind: 'unary', sign: 'empty', of };
    case 'filled':
      return not({ kind: 'unary', sign: 'empty', of });
    default:
      return { kind: 'binary', sign: UNSIGNED[comparison] ?? '==', left: of, right: single };
  }
}

function chain(join: Join, parts: Expression[]): Expression | undefined {
  const sign = join === 'and' ? '&&' : '||';
  return parts.length === 0
    ? undefined
    : parts.reduce((left, right) => ({ kind: 'binary', sign, left, right }));
}

/** A row that lacks its name or its value cannot be written yet. */
export function isWhole({ name, comparison, value }: Row): boolean {
  if (!name) return false;
  if (takesNothing(comparison)) return true;
  return takesList(comparison) ? Array.isArray(value) && value.length > 0 : value !== undefined;
}

/** The text of the rows, with its braces; rows that are not whole are left out, and without any it is empty. */
export function textOf({ join, items }: Conditions): string {
  const parts = items.flatMap((item) => {
    if (item.kind === 'row') return isWhole(item) ? [expressionOf(item)] : [];
    const group = chain(item.join, item.rows.filter(isWhole).map(expressionOf));
    return group ? [group] : [];
  });
  const whole = chain(join, parts);
  return whole ? `\${${write(whole)}}` : '';
}
