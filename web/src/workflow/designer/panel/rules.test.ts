import { expect, test } from 'vitest';
import { rulesOf, rulesText } from './rules';

test.each([
  ['role:hr', { kind: 'role', value: 'hr' }],
  ['role:head@7', { kind: 'roleInDept', value: 'head', dept: '7' }],
  ['post:safety', { kind: 'post', value: 'safety' }],
  ['post:safety@${form.dept}', { kind: 'postInDept', value: 'safety', dept: '${form.dept}' }],
  ['dept:7', { kind: 'dept', value: '7' }],
  ['deptTree:7', { kind: 'deptTree', value: '7' }],
  ['head:starter', { kind: 'head', value: 'starter' }],
  ['head:starter+2', { kind: 'head', value: 'starter', levels: 2 }],
  ['head:${form.dept}+1', { kind: 'head', value: '${form.dept}', levels: 1 }],
  ['user:${form.boss}', { kind: 'user', value: '${form.boss}' }],
  ['${form.who}', { kind: 'expression', value: '${form.who}' }],
])('%s is read and written as it stands', (text, rule) => {
  expect(rulesOf(text)).toEqual([rule]);
  expect(rulesText(rulesOf(text))).toBe(text);
});

test('a rule that is not whole yet is not written', () => {
  expect(
    rulesText([
      { kind: 'postInDept', value: 'safety' },
      { kind: 'head', value: '', levels: 1 },
    ]),
  ).toBe('');
});
