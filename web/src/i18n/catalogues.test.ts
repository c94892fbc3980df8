import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { enUS } from './en-US';
import { setLanguage, t } from './index';
import { zhCN } from './zh-CN';

type Tree = { [key: string]: string | Tree };

function flat(tree: Tree, prefix = ''): Record<string, string> {
  return Object.fromEntries(
    Object.entries(tree).flatMap(([key, value]) =>
      typeof value === 'string' ? [[prefix + key, value]] : Object.entries(flat(value, `${prefix}${key}.`)),
    ),
  );
}

const chinese = flat(zhCN);
const english = flat(enUS);
const HAN = /[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]/;

/** The placeholders of a text, sorted. */
const slots = (text = '') => [...text.matchAll(/{{(\w+)}}/g)].map((found) => found[1]).sort();

/** Of a key for a number (`…_other`) the English one for the number one. */
const ofOne = (key: string) => key.replace(/_other$/, '_one');
const plural = Object.keys(chinese).filter((key) => key.endsWith('_other'));

test('both catalogues have the same keys, and the English one the words for one of whatever is counted', () => {
  expect(plural.length).toBeGreaterThan(0);
  expect(Object.keys(english).sort()).toEqual([...Object.keys(chinese), ...plural.map(ofOne)].sort());
});

test('what is counted is told by the number that chooses the words, and by no other', () => {
  const counts = (text = '') => slots(text).includes('count');
  const all = { ...english, ...chinese };
  const isPlural = (key: string) => /_(one|other)$/.test(key);
  expect(Object.keys(all).filter((key) => counts(all[key]) !== isPlural(key))).toEqual([]);
  // A number with a noun behind it whose form depends on it.
  const fixed = Object.keys(english).filter((key) =>
    /{{(?!count}})(n|[a-z]+s)}} (?!and )([a-z]+ )?([a-z]+s|people)\b/.test(english[key] ?? ''),
  );
  expect(fixed).toEqual([]);
});

test('one of a thing is told in the singular, none and many in the plural', async () => {
  await setLanguage('en-US');
  expect([0, 1, 2].map((count) => t('panel.who.total', { count }))).toEqual([
    '0 people in all',
    '1 person in all',
    '2 people in all',
  ]);
  expect(t('designer.problems.count', { errors: 1, warnings: 2 })).toBe('1 error, 2 warnings');
  await setLanguage('zh-CN');
  expect([0, 1, 2].map((count) => t('panel.who.total', { count }))).toEqual(['共0人', '共1人', '共2人']);
  expect(t('designer.problems.count', { errors: 1, warnings: 2 })).toBe('1个错误，2个警告');
});

test('both texts of a key have the same placeholders', () => {
  const differing = Object.keys(chinese).filter((key) =>
    [key, ofOne(key)].some((other) => `${slots(chinese[key])}` !== `${slots(english[other])}`),
  );
  expect(differing).toEqual([]);
});

test('no English text holds Chinese', () => {
  expect(Object.keys(english).filter((key) => HAN.test(english[key] ?? ''))).toEqual([]);
});

test('no source file outside the catalogues holds Chinese, but for the product name, tests and generated labels', () => {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      /\.(tsx?|css)$/.test(file) &&
      !file.startsWith('i18n') &&
      !/\.test\.tsx?$/.test(file) &&
      file !== 'site.ts' &&
      !file.startsWith('api/nouns/') &&
      !file.startsWith('api/cases/') &&
      file !== 'api/schema.d.ts',
  );
  expect(sources.length).toBeGreaterThan(20);
  expect(sources.filter((file) => HAN.test(readFileSync(join('src', file), 'utf8')))).toEqual([]);
});
