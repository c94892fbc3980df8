import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { panel as english } from '@/i18n/en-US/panel';
import { panel as chinese } from '@/i18n/zh-CN/panel';
import { beyondRows, conditionsOf, isWhole, textOf } from './conditions';
import { type Fault, faultOf, readCondition, readTemplate, write } from './expression';

interface Case {
  source: string;
  zh: string;
  en: string;
}

/** The engine's own test reads the same file. */
const cases = JSON.parse(readFileSync('../tests/workflows/engine/expressions.json', 'utf8')) as Case[];

function say(fault: Fault | undefined, texts: Pick<typeof english, 'fault'>): string {
  if (!fault) return '';
  return Object.entries(fault).reduce(
    (text, [name, value]) => text.replace(`{{${name}}}`, value),
    texts.fault[fault.code],
  );
}

test('what the engine refuses is refused here, with its sentences, and nothing else is', () => {
  expect(cases.length).toBeGreaterThan(40);
  const told = cases.map(({ source }) => ({
    source,
    zh: say(faultOf(source), chinese),
    en: say(faultOf(source), english),
  }));
  expect(told).toEqual(cases);
});

test('the bounds of a whole text: characters, and terms of a placeholder', () => {
  expect(faultOf('\u{1F600}'.repeat(2000))).toBeUndefined();
  expect(faultOf('x'.repeat(2001))).toEqual({ code: 'tooLong' });
  expect(faultOf(`\${${Array(200).fill('a').join(' + ')}}`)).toBeUndefined();
  expect(faultOf(`\${${Array(201).fill('a').join(' + ')}}`)).toEqual({ code: 'tooLong' });
});

test('what is written reads as what it was, whatever brackets it needs', () => {
  const readable = cases.filter(({ zh }) => zh === '').flatMap(({ source }) => readTemplate(source));
  const bare = (part: unknown) =>
    JSON.parse(JSON.stringify(part, (key, value) => (key === 'text' ? undefined : value)));
  for (const part of readable) {
    if (typeof part === 'string') continue;
    expect(bare(readTemplate(`\${${write(part)}}`))).toEqual([bare(part)]);
  }
  expect(write(readCondition('(a - (b - c)) * (d ? 1 : 2) > 0 and not (x or y)') as never)).toBe(
    '(a - (b - c)) * (d ? 1 : 2) > 0 && !(x || y)',
  );
});

test.each([
  ["${outcome == 'reject'}", "${outcome == 'reject'}"],
  ['3 < form.days', '${form.days > 3}'],
  [
    "#{form.days ge 3 and (form.kind in ['a', 'b'] or not empty form.reason)}",
    "${form.days >= 3 && (form.kind in ['a', 'b'] || !empty form.reason)}",
  ],
  ['(a or b) or !c', '${a == true || b == true || c != true}'],
  [
    "contains(form.tags, 'x') && !contains(name, \"it's\")",
    "${contains(form.tags, 'x') && !contains(name, 'it\\'s')}",
  ],
  ["startsWith(a.b, 'c') || !(a in [1, -2.5])", "${startsWith(a.b, 'c') || !(a in [1, -2.5])}"],
  ['record.deptId == 1765432109876543210', '${record.deptId == 1765432109876543210}'],
  ['1 <= size(form.photos) and size(reason) lt 20', '${size(form.photos) >= 1 && size(reason) < 20}'],
])('%s becomes rows, and these say %s', (text, written) => {
  const conditions = conditionsOf(text);
  expect(conditions && textOf(conditions)).toBe(written);
  // Rows and text go round without a change.
  expect(conditionsOf(written)).toEqual(conditions);
  expect(beyondRows(text)).toBeUndefined();
});

test.each([
  ['size(lower(form.tag)) > 2', 'calculation'],
  ['size(form.a) > size(form.b)', 'calculation'],
  ['form.a > form.b', 'twoNames'],
  ['(a == 1 || (b == 2 && c == 3)) && d == 4', 'nested'],
  ['a ? b : c', 'calculation'],
  ['b == 2 && (c == 3 || a + 1 == 2)', 'calculation'],
  ['a == null', 'other'],
  ['x in []', 'other'],
  ['x in form.list', 'other'],
  ['text with ${a}', 'unreadable'],
  ['${a} ${b}', 'unreadable'],
  ["a['b c'] == 1", 'other'],
  ['a == 1.50', 'other'],
  ['${a', 'unreadable'],
] as const)('%s stays text: %s', (text, why) => {
  expect(conditionsOf(text)).toBeUndefined();
  expect(beyondRows(text)).toBe(why);
});

test('rows of a condition with their joins and groups', () => {
  expect(conditionsOf("outcome == 'yes' && (form.days > 3 || record.urgent)")).toEqual({
    join: 'and',
    items: [
      { kind: 'row', name: 'outcome', comparison: 'equal', value: 'yes' },
      {
        kind: 'group',
        join: 'or',
        rows: [
          { kind: 'row', name: 'form.days', comparison: 'more', value: 3 },
          { kind: 'row', name: 'record.urgent', comparison: 'equal', value: true },
        ],
      },
    ],
  });
});

test('a row that is not whole is left out of the text', () => {
  const rows = [
    { kind: 'row', name: 'a', comparison: 'equal' },
    { kind: 'row', name: 'a', comparison: 'among', value: [] },
    { kind: 'row', name: '', comparison: 'empty' },
    { kind: 'row', name: 'b', comparison: 'filled' },
  ] as const;
  expect(rows.map((row) => isWhole(row))).toEqual([false, false, false, true]);
  expect(textOf({ join: 'and', items: [...rows, { kind: 'group', join: 'or', rows: [] }] })).toBe(
    '${!empty b}',
  );
  expect(textOf({ join: 'or', items: [] })).toBe('');
});

interface Valued {
  source: string;
  grouped?: string;
}

/** What operators mean and how they bind; the engine's own test reads the same file. */
const valued = JSON.parse(
  readFileSync('../tests/workflows/engine/expression_values.json', 'utf8'),
) as Valued[];

test.each(valued)('“$source” binds as the engine binds it', ({ source, grouped = source }) => {
  const read = readCondition(source);
  expect(read).toBeDefined();
  expect(readCondition(grouped)).toEqual(read);
  expect(read && readCondition(write(read))).toEqual(read);
});
