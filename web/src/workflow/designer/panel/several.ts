/** A step that several people do, as it stands in a drawing: BPMN's loop with a condition, read and written. */
import { type Business, is, partOf, textOf } from './model';
import { declaredBy, waysBehind } from './outcomes';
import { type Rule, rulesOf, rulesText } from './rules';

export const LOOP = 'bpmn:MultiInstanceLoopCharacteristics';
export const SIGNER = 'signer';
export const MOST = 200;
/** What the variable may be called that collects the results. */
export const RESULTS = /^[A-Za-z]\w{0,59}$/;

export const MODES = ['all', 'any', 'ratio', 'weighted', 'inTurn'] as const;
/** `everybody`: nothing ends it early; `own`: a condition that no mode writes. */
export type Mode = (typeof MODES)[number] | 'everybody' | 'own';

export const SOURCES = ['field', 'role', 'post', 'dept', 'team', 'number', 'expression'] as const;
export type SourceKind = (typeof SOURCES)[number];

export interface Source {
  kind: SourceKind;
  /** A name such as `form.people`, a role's code, a team's id, a number or an expression; empty where none is chosen. */
  value: string;
}

export interface Decision {
  mode: Mode;
  /** How many of a hundred, or what part of all weights, have to agree. */
  percent: number;
  /** The outcome that counts as a yes. */
  agreed: string;
  /** As it is written. */
  condition: string;
}

/** What the votes of some people weigh; `others` is the weight of everybody else's. */
export interface Weights {
  rules: readonly { rule: Rule; weight: number }[];
  others: number;
}

export const MOST_WEIGHT = 1000;

export function loopOf(of: Business): Business | undefined {
  const loop = partOf(of, 'loopCharacteristics');
  return is(loop, LOOP) ? loop : undefined;
}

/** What each of them is called in expressions. */
export function variableOf(loop: Business): string {
  const item = partOf(loop, 'inputDataItem');
  return said(loop, 'elementVariable') || textOf(item, 'name') || (item?.id ?? '');
}

/** The attributes of other engines with this name, by their names in the file. */
export function foreign(loop: Business, name: string): string[] {
  return Object.keys(loop.$attrs).filter((key) => key.endsWith(`:${name}`));
}

function said(loop: Business, name: string): string {
  const [other] = foreign(loop, name);
  return textOf(loop, `xw:${name}`) || (other ? (loop.$attrs[other] ?? '') : '');
}

function body(loop: Business, name: string): string {
  return textOf(partOf(loop, name), 'body').trim();
}

const NAME = /^(?:\$\{\s*)?([A-Za-z]\w*(?:\.[A-Za-z]\w*)*)(?:\s*\})?$/;
const MEMBERS = /^\$\{\s*members\['(role|post|dept|team):([^'@]+)'\]\s*\}$/;

export function sourceOf(loop: Business): Source {
  const number = body(loop, 'loopCardinality');
  if (number)
    return /^\d+$/.test(number) ? { kind: 'number', value: number } : { kind: 'expression', value: number };
  const text = said(loop, 'collection') || (partOf(loop, 'loopDataInputRef')?.id ?? '');
  const [, kind, value = ''] = MEMBERS.exec(text) ?? [];
  if (kind) return { kind: kind as SourceKind, value };
  const [, name = ''] = NAME.exec(text) ?? [];
  return name.startsWith('form.') ? { kind: 'field', value: name } : { kind: 'expression', value: text };
}

/** Whether the list has the members of a role, a post, a department or a team. */
export function isOfPeople(kind: SourceKind): kind is 'role' | 'post' | 'dept' | 'team' {
  return kind === 'role' || kind === 'post' || kind === 'dept' || kind === 'team';
}

/** The text of a list; empty while nothing is chosen, and for a number, which stands elsewhere. */
export function collectionText({ kind, value }: Source): string {
  if (!value || kind === 'number') return '';
  return isOfPeople(kind) ? `\${members['${kind}:${value}']}` : value;
}

const YES = ['agree', 'ok', 'yes', 'pass', 'approve', 'approved', 'true'];

const NO = ['reject', 'no', 'fail', 'refuse', 'rejected', 'false'];

function outcomesIn(of: Business): string[] {
  const declared = declaredBy(of);
  return declared.length > 0 ? declared : waysBehind(of).map(({ outcome }) => outcome);
}

/** The outcome of a step that is a yes: the one among its own, else the usual one. */
export function agreedIn(of: Business): string {
  return outcomesIn(of).find((key) => YES.includes(key.toLowerCase())) ?? 'agree';
}

/** The outcome that is a no: the one among its own, else the only other one, else the usual one. */
function refusedIn(of: Business, agreed: string): string {
  const keys = outcomesIn(of).filter((key) => key && key !== agreed);
  return (
    keys.find((key) => NO.includes(key.toLowerCase())) ?? (keys.length === 1 && keys[0] ? keys[0] : 'reject')
  );
}

const quoted = (text: string) => `'${text.replaceAll(/['\\]/g, '\\$&')}'`;

function counted(what: 'votes' | 'weights', agreed: string): string {
  return /^[A-Za-z]\w*$/.test(agreed) ? `${what}.${agreed}` : `${what}[${quoted(agreed)}]`;
}

/** That enough have agreed, where the votes or the weights are counted. */
function enough(mode: 'ratio' | 'weighted', percent: number, agreed: string): string {
  const all = mode === 'ratio' ? 'nrOfInstances' : 'totalWeight';
  return `${counted(mode === 'ratio' ? 'votes' : 'weights', agreed)} * 100 >= ${all} * ${percent}`;
}

/** The condition that a mode writes. It ends as soon as the rest cannot change what is decided. */
export function conditionText(mode: Mode, percent: number, agreed: string): string {
  const yes = counted('votes', agreed);
  switch (mode) {
    case 'all':
    case 'inTurn':
      return `\${${yes} < nrOfCompletedInstances}`;
    case 'any':
      return '${nrOfCompletedInstances >= 1}';
    case 'ratio':
      return (
        `\${${enough(mode, percent, agreed)} || ` +
        `(${yes} + nrOfInstances - nrOfCompletedInstances) * 100 < nrOfInstances * ${percent}}`
      );
    case 'weighted':
      return (
        `\${${enough(mode, percent, agreed)} || ` +
        `(${counted('weights', agreed)} + totalWeight - completedWeight) * 100 < totalWeight * ${percent}}`
      );
    default:
      return '';
  }
}

/**
 * The outcome that a mode writes, empty where the last one counts. Where people are added or removed it need not be the
 * last one that decides.
 */
export function outcomeText(of: Business, { mode, percent, agreed }: Omit<Decision, 'condition'>): string {
  if (mode !== 'ratio' && mode !== 'weighted') return '';
  const said = `${quoted(agreed)} : ${quoted(refusedIn(of, agreed))}`;
  return `\${nrOfInstances == 0 ? '' : ${enough(mode, percent, agreed)} ? ${said}}`;
}

const plain = (text: string) => text.replace(/^\$\{\s*|\s*\}$/g, '').replace(/\s+/g, ' ');
const FIRST_ANSWER = ['>= 1', '== 1', '> 0'].map((rest) => `nrOfCompletedInstances ${rest}`);
const KEY = /(?:votes|weights)(?:\.(\w+)|\['((?:[^'\\]|\\.)+)'\])/;

export function decisionOf(of: Business, loop: Business): Decision {
  const condition = body(loop, 'completionCondition');
  const isInTurn = loop.get('isSequential') === true;
  const [, bare, inQuotes] = KEY.exec(condition) ?? [];
  const agreed = bare ?? inQuotes?.replaceAll(/\\(.)/g, '$1') ?? agreedIn(of);
  const percent = Number(/(?:nrOfInstances|totalWeight) \* (\d{1,3})\b/.exec(condition)?.[1] ?? 60);
  const isWritten = (mode: Mode) => plain(condition) === plain(conditionText(mode, percent, agreed));
  const found = (): Mode => {
    if (!condition) return 'everybody';
    if (isWritten('all')) return isInTurn ? 'inTurn' : 'all';
    if (FIRST_ANSWER.includes(plain(condition))) return 'any';
    return (['ratio', 'weighted'] as const).find(isWritten) ?? 'own';
  };
  return { mode: found(), percent, agreed, condition };
}

const WEIGHT = /^(.+?)\s*=\s*(\d{1,4})$/;

/** The weights as they stand in a drawing: `role:hr=3, user:7=2, *=1`. Undefined where they are written otherwise. */
export function weightsOf(text: string): Weights | undefined {
  const found: { rule: Rule; weight: number }[] = [];
  let others = 1;
  for (const part of text.split(',').map((one) => one.trim())) {
    if (part === '') continue;
    const [, who = '', number = ''] = WEIGHT.exec(part) ?? [];
    const [rule] = rulesOf(who);
    if (!rule || number === '') return undefined;
    if (who === '*') others = Number(number);
    else if (rule.kind === 'expression') return undefined;
    else found.push({ rule, weight: Number(number) });
  }
  return { rules: found, others };
}

/** The text of the weights that are whole. */
export function weightsText({ rules, others }: Weights): string {
  const whole = rules.map(({ rule, weight }) => [rulesText([rule]), weight] as const).filter(([who]) => who);
  return [...whole.map(([who, weight]) => `${who}=${weight}`), `*=${others}`].join(', ');
}
