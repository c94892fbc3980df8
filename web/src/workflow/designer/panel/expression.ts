/** Reads the expression language of models as the server's engine does, and writes it again: to show it, never to run it. */

const MAX_LENGTH = 2000;
const MAX_TOKENS = 400;
const MAX_DEPTH = 24;
const MAX_NUMBER = 1e19;

export type Expression =
  | { kind: 'literal'; value: string | number | boolean | null; text: string }
  | { kind: 'name'; name: string }
  | { kind: 'field'; of: Expression; key: Expression; dotted: boolean }
  | { kind: 'call'; name: string; args: Expression[] }
  | { kind: 'list'; items: Expression[] }
  | { kind: 'unary'; sign: '!' | '-' | 'empty'; of: Expression }
  | { kind: 'binary'; sign: string; left: Expression; right: Expression }
  | { kind: 'choice'; test: Expression; yes: Expression; no: Expression };

/** Why a text cannot be read; the catalogue says each of them as the server does. */
export type Fault =
  | { code: 'unreadable' | 'tooLong' | 'tooLarge' | 'tooDeep' | 'fieldName' | 'underscore' }
  | { code: 'missing'; sign: string }
  | { code: 'function' | 'arguments'; name: string };

export class ExpressionError extends Error {
  constructor(readonly fault: Fault) {
    super(fault.code);
  }
}

const TOKEN =
  /\s*(?:(?<number>\d+(?:\.\d+)?)|(?<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(?<name>[A-Za-z_][A-Za-z0-9_]*)|(?<sign>===|!==|==|!=|<=|>=|&&|\|\||[-+*/%<>!?:()[\],.}]))/sy;
const OPENING = /[$#]\{/g;
const WORDS: Readonly<Record<string, string>> = {
  eq: '==',
  ne: '!=',
  lt: '<',
  le: '<=',
  gt: '>',
  ge: '>=',
  and: '&&',
  or: '||',
  not: '!',
  div: '/',
  mod: '%',
  in: 'in',
};
const LITERALS: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null };
const LEVELS: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['==', '!=', '===', '!==', 'in'],
  ['<', '>', '<=', '>='],
  ['+', '-'],
  ['*', '/', '%'],
];
/** Fewest and most arguments. */
const FUNCTIONS: Readonly<Record<string, readonly [number, number]>> = {
  size: [1, 1],
  lower: [1, 1],
  upper: [1, 1],
  contains: [2, 2],
  startsWith: [2, 2],
  endsWith: [2, 2],
  abs: [1, 1],
  min: [1, 20],
  max: [1, 20],
  round: [1, 2],
};

const own = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

function plain(name: string): string {
  if (name.startsWith('_')) throw new ExpressionError({ code: 'underscore' });
  return name;
}

/** Reads one placeholder, from behind its opening to behind its closing brace. */
class Reader {
  end = 0;
  private depth = 0;
  private kind = '';
  private token = '';
  private word = '';

  constructor(
    private readonly source: string,
    private position: number,
    /** The tokens read so far, with those of earlier placeholders. */
    public count: number,
  ) {
    this.step();
  }

  whole(): Expression {
    const found = this.choice();
    if (!this.at('}')) throw new ExpressionError({ code: 'unreadable' });
    return found;
  }

  /** Goes on to the next token; gives the one left behind. */
  private step(): string {
    const left = this.token;
    TOKEN.lastIndex = this.position;
    const groups = TOKEN.exec(this.source)?.groups;
    if (!groups) throw new ExpressionError({ code: 'unreadable' });
    this.count += 1;
    if (this.count > MAX_TOKENS) throw new ExpressionError({ code: 'tooLong' });
    this.kind = ['number', 'text', 'name', 'sign'].find((kind) => groups[kind] !== undefined) ?? '';
    this.token = groups[this.kind] ?? '';
    this.word = this.kind === 'name' ? this.token : '';
    const sign = own(WORDS, this.word);
    if (sign) [this.kind, this.token] = ['sign', sign];
    this.end = TOKEN.lastIndex;
    // What follows the closing brace is not ours to read.
    if (!this.at('}')) this.position = this.end;
    return left;
  }

  private at(...signs: readonly string[]): boolean {
    return this.kind === 'sign' && signs.includes(this.token);
  }

  private want(sign: string): void {
    if (!this.at(sign)) throw new ExpressionError({ code: 'missing', sign });
    this.step();
  }

  private deeper<T>(read: () => T): T {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw new ExpressionError({ code: 'tooDeep' });
    const found = read();
    this.depth -= 1;
    return found;
  }

  private choice(): Expression {
    return this.deeper(() => {
      const test = this.binary(0);
      if (!this.at('?')) return test;
      this.step();
      const yes = this.choice();
      this.want(':');
      return { kind: 'choice', test, yes, no: this.choice() };
    });
  }

  private binary(level: number): Expression {
    const signs = LEVELS[level];
    if (!signs) return this.unary();
    let left = this.binary(level + 1);
    while (this.at(...signs)) {
      const sign = this.step();
      left = { kind: 'binary', sign, left, right: this.binary(level + 1) };
    }
    return left;
  }

  private unary(): Expression {
    if (!this.at('!', '-') && !(this.kind === 'name' && this.token === 'empty')) return this.postfix();
    const sign = this.step() as '!' | '-' | 'empty';
    return this.deeper(() => ({ kind: 'unary', sign, of: this.unary() }));
  }

  private postfix(): Expression {
    let found = this.primary();
    while (this.at('.', '[')) {
      const dotted = this.step() === '.';
      found = { kind: 'field', of: found, key: dotted ? this.dotted() : this.choice(), dotted };
      if (!dotted) this.want(']');
    }
    return found;
  }

  private dotted(): Expression {
    if (!this.word) throw new ExpressionError({ code: 'fieldName' });
    const name = plain(this.word); // a field may be called `in` or `div`
    this.step();
    return literal(name);
  }

  private primary(): Expression {
    const kind = this.kind;
    const token = this.step();
    if (kind === 'number') {
      if (Number(token) > MAX_NUMBER) throw new ExpressionError({ code: 'tooLarge' });
      return { kind: 'literal', value: Number(token), text: token };
    }
    if (kind === 'text') {
      return { kind: 'literal', value: token.slice(1, -1).replace(/\\(.)/gs, '$1'), text: token };
    }
    if (kind === 'name') {
      const word = own(LITERALS, token);
      if (word !== undefined) return { kind: 'literal', value: word, text: token };
      return this.at('(') ? this.call(token) : { kind: 'name', name: plain(token) };
    }
    if (kind === 'sign' && token === '(') {
      const inner = this.choice();
      this.want(')');
      return inner;
    }
    if (kind === 'sign' && token === '[') return { kind: 'list', items: this.items(']') };
    throw new ExpressionError({ code: 'unreadable' });
  }

  private call(name: string): Expression {
    const bounds = own(FUNCTIONS, name);
    if (!bounds) throw new ExpressionError({ code: 'function', name });
    this.step();
    const args = this.items(')');
    if (args.length < bounds[0] || args.length > bounds[1])
      throw new ExpressionError({ code: 'arguments', name });
    return { kind: 'call', name, args };
  }

  private items(close: string): Expression[] {
    const found: Expression[] = [];
    while (!this.at(close)) {
      if (found.length > 0) this.want(',');
      found.push(this.choice());
    }
    this.step();
    return found;
  }
}

/** A text and its placeholders, in their order. Throws ExpressionError for what the server would refuse. */
export function readTemplate(text: string): (string | Expression)[] {
  // The server counts characters, not halves of pairs.
  if ([...text].length > MAX_LENGTH) throw new ExpressionError({ code: 'tooLong' });
  const parts: (string | Expression)[] = [];
  let [position, count] = [0, 0];
  for (;;) {
    OPENING.lastIndex = position;
    const opening = OPENING.exec(text);
    if (!opening) break;
    if (opening.index > position) parts.push(text.slice(position, opening.index));
    const reader = new Reader(text, opening.index + 2, count);
    parts.push(reader.whole());
    position = reader.end;
    count = reader.count;
  }
  if (position < text.length || parts.length === 0) parts.push(text.slice(position));
  return parts;
}

/** Why the server would refuse the text; undefined when it may stand. */
export function faultOf(text: string): Fault | undefined {
  try {
    readTemplate(text);
    return undefined;
  } catch (error) {
    if (error instanceof ExpressionError) return error.fault;
    throw error;
  }
}

/** A condition may leave out the braces. */
export function asTemplate(condition: string): string {
  return condition.includes('{') ? condition : `\${${condition}}`;
}

/** What a condition says, where it is nothing but one placeholder that can be read. */
export function readCondition(condition: string): Expression | undefined {
  const source = asTemplate(condition.trim());
  if (faultOf(source)) return undefined;
  const [first, ...rest] = readTemplate(source);
  return typeof first === 'object' && rest.length === 0 ? first : undefined;
}

/** A text, number or yes/no as the language writes it. */
export function literal(value: string | number | bigint | boolean): Expression {
  if (typeof value === 'bigint') return { kind: 'literal', value: Number(value), text: String(value) };
  if (typeof value !== 'string') return { kind: 'literal', value, text: String(value) };
  return { kind: 'literal', value, text: `'${value.replace(/[\\']/g, '\\$&')}'` };
}

/** `record.dept` as an expression; a part that is no plain word stands in brackets. */
export function pathOf(name: string): Expression {
  const [first = '', ...rest] = name.split('.');
  return rest.reduce<Expression>(
    (of, key) => ({ kind: 'field', of, key: literal(key), dotted: /^[A-Za-z]\w*$/.test(key) }),
    { kind: 'name', name: first },
  );
}

/** The dotted name that an expression is; undefined when it is more than a name. */
export function nameOf(expression: Expression): string | undefined {
  if (expression.kind === 'name') return expression.name;
  if (expression.kind !== 'field') return undefined;
  const before = nameOf(expression.of);
  const { key } = expression;
  const isWord = key.kind === 'literal' && typeof key.value === 'string' && /^[A-Za-z]\w*$/.test(key.value);
  return before !== undefined && isWord ? `${before}.${key.value}` : undefined;
}

function levelOf(expression: Expression): number {
  if (expression.kind === 'choice') return -1;
  if (expression.kind === 'unary') return LEVELS.length;
  if (expression.kind !== 'binary') return LEVELS.length + 1;
  return LEVELS.findIndex((signs) => signs.includes(expression.sign));
}

function wrapped(expression: Expression, level: number): string {
  const text = write(expression);
  return levelOf(expression) < level ? `(${text})` : text;
}

/** The expression as text without its braces, in the signs that the engine's own models use. */
export function write(expression: Expression): string {
  switch (expression.kind) {
    case 'literal':
      return expression.text;
    case 'name':
      return expression.name;
    case 'field': {
      const before = wrapped(expression.of, LEVELS.length + 1);
      const { key } = expression;
      return expression.dotted && key.kind === 'literal'
        ? `${before}.${key.value}`
        : `${before}[${write(key)}]`;
    }
    case 'call':
      return `${expression.name}(${expression.args.map(write).join(', ')})`;
    case 'list':
      return `[${expression.items.map(write).join(', ')}]`;
    case 'unary': {
      const { sign } = expression;
      return `${sign === 'empty' ? 'empty ' : sign}${wrapped(expression.of, LEVELS.length)}`;
    }
    case 'choice': {
      const { test, yes, no } = expression;
      return `${wrapped(test, 0)} ? ${write(yes)} : ${write(no)}`;
    }
    case 'binary': {
      const level = levelOf(expression);
      // Chains lean to the left: what leans to the right keeps its brackets.
      return `${wrapped(expression.left, level)} ${expression.sign} ${wrapped(expression.right, level + 1)}`;
    }
  }
}
