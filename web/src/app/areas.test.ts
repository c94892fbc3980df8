/** Every page brings the texts that it speaks: found by following its imports, those of parts that come later too. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { zhCN } from '@/i18n/zh-CN';
import { areasOf, SHELL } from './areas';

const KEY = new RegExp(`['"\`](${Object.keys(zhCN).join('|')})\\.[a-zA-Z$]`, 'g');
const IMPORT = /(?:from|import\(|import) *['"]([@.][^'"]+)['"]/g;

const isFile = (path: string) => /\.tsx?$/.test(path) && existsSync(path) && statSync(path).isFile();

function fileOf(from: string, path: string): string | undefined {
  const base = path.startsWith('@/') ? join('src', path.slice(2)) : join(dirname(from), path);
  return [base, `${base}.ts`, `${base}.tsx`].find(isFile);
}

/** The file and all that it imports, now or later; `stop` are places whose imports are not followed. */
function closure(file: string, stop: RegExp, found = new Set<string>()): Set<string> {
  if (found.has(file) || stop.test(file)) return found;
  found.add(file);
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
    const next = fileOf(file, path);
    if (next) closure(next, stop, found);
  }
  return found;
}

function spoken(file: string, stop: RegExp): string[] {
  const keys = [...closure(file, stop)].flatMap((each) => [...readFileSync(each, 'utf8').matchAll(KEY)]);
  return [...new Set(keys.map(([, area = '']) => area))].filter(
    (area) => !(SHELL as readonly string[]).includes(area),
  );
}

const routes = ['routes', 'cases'].map((name) => readFileSync(`src/app/${name}.tsx`, 'utf8')).join();
const pages = [
  ...new Set([...routes.matchAll(/import\('@\/([^']+)'\)/g)].map(([, path = '']) => path)),
  ...readdirSync('src/screens', { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(page|case|chooser)\.tsx$/.test(file))
    .map((file) => `screens/${file.slice(0, -'.tsx'.length)}`),
  // Of the shell, but come later and with texts of its own.
  'app/PlateEntry',
  'app/Unsent',
];

test.each(pages)('%s brings the texts that it speaks', (page) => {
  const missing = spoken(`src/${page}.tsx`, /^src\/(i18n|api)\//);
  expect(missing.filter((area) => !(areasOf(page) as readonly string[]).includes(area))).toEqual([]);
});

test('shell and kit speak their own texts only', () => {
  expect(spoken('src/main.tsx', /^src\/((i18n|api|screens|workflow)\/|app\/(PlateEntry|Unsent))/)).toEqual(
    [],
  );
});
