import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { drawingEn, drawingZh } from './drawing';
import { enUS } from './en-US';
import { looking, lookingEn } from './looking';
import { zhCN } from './zh-CN';

type Tree = { [key: string]: string | Tree };

function flat(tree: Tree, prefix = ''): Record<string, string> {
  return Object.fromEntries(
    Object.entries(tree).flatMap(([key, value]) =>
      typeof value === 'string' ? [[prefix + key, value]] : Object.entries(flat(value, `${prefix}${key}.`)),
    ),
  );
}

const chinese = flat({ ...zhCN, ...drawingZh, ...looking });
const english = flat({ ...enUS, ...drawingEn, ...lookingEn });
const HAN = /[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]/;

/** The placeholders of a text, sorted. */
const slots = (text = '') => [...text.matchAll(/{{(\w+)}}/g)].map((found) => found[1]).sort();

test('both catalogues have the same keys', () => {
  expect(Object.keys(english).sort()).toEqual(Object.keys(chinese).sort());
});

test('both texts of a key have the same placeholders', () => {
  const differing = Object.keys(chinese).filter(
    (key) => `${slots(chinese[key])}` !== `${slots(english[key])}`,
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
      file !== 'api/schema.d.ts',
  );
  expect(sources.length).toBeGreaterThan(20);
  expect(sources.filter((file) => HAN.test(readFileSync(join('src', file), 'utf8')))).toEqual([]);
});
