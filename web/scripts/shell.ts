/** Writes `sw.js` beside the build: the service worker with the list of what is fetched ahead, which is the frame, the
 * walk and the report of a fault, with their texts in both languages. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { areasOf, SHELL } from '../src/app/areas.ts';

/** Modules that a person needs without a network, below `src`; a chunk brings along whatever it imports. */
const PAGES = [
  'app/Layout.tsx',
  'app/Lock.tsx',
  'app/LookPicker.tsx',
  'app/MenuSearch.tsx',
  'app/Notices.tsx',
  'session/offline/index.ts',
  'app/Unsent.tsx',
  'screens/home.tsx',
  'screens/inspect/order.page.tsx',
  'screens/inspect/order.tsx',
  'workflow/cases/pages.tsx',
  'api/cases/repairorder.ts',
  'screens/repair/repairorder.case.tsx',
  'screens/equip/inspectmachine.chooser.tsx',
  'screens/equip/scan.page.tsx',
  'screens/shared/readQr.ts',
];
const AREAS = new Set([...SHELL, ...PAGES.flatMap((page) => areasOf(page.replace(/\.tsx?$/, '')))]);
const TEXTS = ['zh-CN', 'en-US'].flatMap((language) =>
  [...AREAS].map((area) => `i18n/${language}/${area}.ts`),
);

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export const shell: Plugin = {
  name: 'shell',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const chunks = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? [file] : []));
      const wanted = new Set<string>();
      const add = (name: string) => {
        const chunk = chunks.find(({ fileName }) => fileName === name);
        if (!chunk || wanted.has(name)) return;
        wanted.add(name);
        const styles = (chunk as { viteMetadata?: { importedCss: Set<string> } }).viteMetadata?.importedCss;
        for (const style of styles ?? []) wanted.add(style);
        for (const other of chunk.imports) add(other);
      };
      for (const { isEntry, fileName } of chunks) if (isEntry) add(fileName);
      for (const file of [...PAGES, ...TEXTS]) {
        const chunk = chunks.find(({ moduleIds }) => moduleIds.some((id) => id === here(`../src/${file}`)));
        if (!chunk) this.error(`${file} is in no chunk; it stands in the list of scripts/shell.ts`);
        add(chunk.fileName);
      }
      const still = readdirSync(here('../public'));
      const files = [...[...wanted].sort(), ...still].map((name) => `/${name}`);
      const build = createHash('sha256').update(files.join(' '));
      for (const name of still) build.update(readFileSync(here(`../public/${name}`)));
      const page = bundle['index.html'];
      if (page?.type === 'asset') build.update(page.source);
      const source = readFileSync(here('worker.js'), 'utf8')
        .replace('__BUILD__', build.digest('hex').slice(0, 16))
        .replace("'__FILES__'", files.map((name) => `'${name}'`).join(', '));
      this.emitFile({ type: 'asset', fileName: 'sw.js', source });
    },
  },
};
