/** Candidate rules as they stand in a drawing: `role:hr role:head@7 team:3 user:9 ${…}`, read and written. */
import { words } from './model';

export const KINDS = ['role', 'roleInDept', 'team', 'user', 'expression'] as const;
export type RuleKind = (typeof KINDS)[number];

export interface Rule {
  kind: RuleKind;
  /** Code of a role, id of a team, id or account of a person, or an expression for one of them. */
  value: string;
  /** Of a role, the department in which somebody must hold it. */
  dept?: string;
}

const SIMPLE: readonly RuleKind[] = ['role', 'team', 'user'];

function ruleOf(text: string): Rule {
  const [, kind = '', value = ''] = /^(\w+):(.*)$/s.exec(text) ?? [];
  if (!SIMPLE.includes(kind as RuleKind)) return { kind: 'expression', value: text };
  if (kind !== 'role' || !value.includes('@')) return { kind: kind as RuleKind, value };
  const at = value.lastIndexOf('@');
  return { kind: 'roleInDept', value: value.slice(0, at), dept: value.slice(at + 1) };
}

export function rulesOf(text: string): Rule[] {
  return words(text, /\s+/).map(ruleOf);
}

function isWhole({ kind, value, dept }: Rule): boolean {
  return value !== '' && (kind !== 'roleInDept' || Boolean(dept));
}

/** The text of the rules that are whole. */
export function rulesText(rules: readonly Rule[]): string {
  return rules
    .filter(isWhole)
    .map(({ kind, value, dept }) => {
      if (kind === 'expression') return value;
      return kind === 'roleInDept' ? `role:${value}@${dept}` : `${kind}:${value}`;
    })
    .join(' ');
}

/** Whether an expression may stand among rules, which a space would cut. */
export function hasGap(expression: string): boolean {
  return /\s/.test(expression);
}
