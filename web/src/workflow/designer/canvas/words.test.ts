import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { setLanguage } from '@/i18n';
import { libraryZh } from '@/i18n/zh-CN/library';
import { translate } from './words';

const LIBRARIES = [
  'bpmn-js/lib',
  'diagram-js/lib',
  'diagram-js-direct-editing/lib',
  'diagram-js-minimap/dist',
];
/** Ours stand in their place; and the entries of these three are what only they ask for. */
const REPLACED =
  /(palette\/PaletteProvider|context-pad\/ContextPadProvider|popup-menu\/ReplaceMenuProvider)\.js$/;
/** Words that are put together or named before they are asked for. */
const SIDES = ['left', 'center', 'right', 'top', 'middle', 'bottom'];

function sources(library: string): string[] {
  return readdirSync(join('node_modules', library), { recursive: true, encoding: 'utf8' })
    .map((file) => join('node_modules', library, file))
    .filter((file) => file.endsWith('.js') && !/umd|dist\/index\.js$/.test(file) && !REPLACED.test(file));
}

/** Every text that the library gives to its `translate`; what is no literal is looked up among the file's constants. */
function asked(): string[] {
  const found = new Set<string>();
  for (const file of LIBRARIES.flatMap(sources)) {
    const text = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
    for (const [, word] of text.matchAll(/\b_?translate\(\s*'([^']+)'\s*[,)]/g)) {
      if (word && /^[A-Z]/.test(word)) found.add(word);
    }
    for (const [, start] of text.matchAll(/\b_?translate\(\s*'([^']+)' \+/g)) {
      for (const side of SIDES) found.add(`${start}${side}`);
    }
    for (const [, name] of text.matchAll(/\b_?translate\(\s*([A-Z_]+)\s*\)/g)) {
      const value = new RegExp(`${name} = '([^']+)'`).exec(text)?.[1];
      if (value) found.add(value);
    }
  }
  return [...found].sort();
}

test('every word that the library asks for has a Chinese one, and no other is kept', () => {
  expect(asked()).toEqual(Object.keys(libraryZh).sort());
});

test('words are in the language of the person, with what they are about', async () => {
  expect(translate('Open {element}', { element: 'A' })).toBe('\u6253\u5f00A');
  await setLanguage('en-US');
  expect(translate('Open {element}', { element: 'A' })).toBe('Open A');
  await setLanguage('zh-CN');
});
