/** Candidate rules as they stand in a drawing: `role:hr role:head@7 post:x dept:7 head:starter+1 duty:7 ${…}`, read and written. */
import { words } from './model';

export const KINDS = [
  'role',
  'roleInDept',
  'post',
  'postInDept',
  'dept',
  'deptTree',
  'head',
  'duty',
  'team',
  'user',
  'expression',
] as const;
export type RuleKind = (typeof KINDS)[number];

export interface Rule {
  kind: RuleKind;
  /** Code of a role or post, id of a team or department, id or account of a person, or an expression for one of them. */
  value: string;
  /** Of a role or post, the department in which somebody must hold it. */
  dept?: string;
  /** Of a head, how many levels above the department; none for its own. */
  levels?: number;
}

/** The department of whoever starts the process, as the one whose head is meant. */
export const STARTER = 'starter';
export const MOST_LEVELS = 9;

const SIMPLE: readonly RuleKind[] = ['role', 'post', 'dept', 'deptTree', 'head', 'duty', 'team', 'user'];
const IN_DEPT: Partial<Record<RuleKind, RuleKind>> = { role: 'roleInDept', post: 'postInDept' };

function ruleOf(text: string): Rule {
  const [, kind = '', value = ''] = /^(\w+):(.*)$/s.exec(text) ?? [];
  if (!SIMPLE.includes(kind as RuleKind)) return { kind: 'expression', value: text };
  const [, place = '', levels] = /^(.*)\+([1-9])$/s.exec(value) ?? [];
  if (kind === 'head') return levels ? { kind, value: place, levels: Number(levels) } : { kind, value };
  const inDept = IN_DEPT[kind as RuleKind];
  if (!inDept || !value.includes('@')) return { kind: kind as RuleKind, value };
  const at = value.lastIndexOf('@');
  return { kind: inDept, value: value.slice(0, at), dept: value.slice(at + 1) };
}

export function rulesOf(text: string): Rule[] {
  return words(text, /\s+/).map(ruleOf);
}

function isWhole({ kind, value, dept }: Rule): boolean {
  return value !== '' && (!isInDept(kind) || Boolean(dept));
}

/** Whether the rule names a department beside a role or post. */
export function isInDept(kind: RuleKind): boolean {
  return kind === 'roleInDept' || kind === 'postInDept';
}

/** The text of the rules that are whole. */
export function rulesText(rules: readonly Rule[]): string {
  return rules
    .filter(isWhole)
    .map(({ kind, value, dept, levels }) => {
      if (kind === 'expression') return value;
      if (kind === 'head' && levels) return `head:${value}+${levels}`;
      return isInDept(kind)
        ? `${kind === 'postInDept' ? 'post' : 'role'}:${value}@${dept}`
        : `${kind}:${value}`;
    })
    .join(' ');
}

/** Whether an expression may stand among rules, which a space would cut. */
export function hasGap(expression: string): boolean {
  return /\s/.test(expression);
}
