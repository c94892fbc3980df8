// Builds the console into dist/ and, in development, passes /api on to the server.
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { shell } from './scripts/shell.ts';

/** antd's contexts need one provider of its forms; from the index of their package all of the forms would come with it. */
const providerOfForms: Plugin = {
  name: 'provider-of-forms',
  enforce: 'pre',
  resolveId(source, importer) {
    if (source !== '@rc-component/form' || !importer?.endsWith('antd/es/form/context.js')) return null;
    return this.resolve('@rc-component/form/es/FormContext', importer);
  },
};

export default defineConfig({
  plugins: [providerOfForms, react(), shell],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  server: { proxy: { '^/(api|healthz)': process.env.API_URL ?? 'http://127.0.0.1:8000' } },
  build: {
    target: 'es2022',
    chunkSizeWarningLimit: 1200,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // The first page in few files: many small ones are compressed worse. The sign-in page shares the first only.
          groups: [
            { name: 'first', tags: ['$initial'] },
            {
              name: 'common',
              test: /antd.es.(style|_util|space|tooltip|grid)\b|rc-component.(tooltip|overflow)\b|icons.es.icons.(Close|Down|Search|Up|Eye|Global)\w*Outlined|LanguageSwitch/,
            },
            { name: 'frame', test: /src.app.(Layout|Header|Sidebar|Tabs|TopMenu)\.tsx$/ },
          ],
        },
      },
    },
  },
  test: {
    environment: 'happy-dom',
    environmentOptions: { happyDOM: { width: 1440, height: 900 } },
    globalSetup: ['src/testing/zone.ts'],
    setupFiles: ['src/testing/setup.ts'],
    // Half of the time went into a window and antd's modules for each file: the files of a worker share both.
    isolate: false,
    pool: 'threads',
    // By default one core is left idle.
    maxWorkers: '100%',
    testTimeout: 60_000,
  },
});
