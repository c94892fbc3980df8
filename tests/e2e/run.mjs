// Runs all browser tests, three files beside each other: each waits half its time for the other end.
import { readdirSync } from 'node:fs';
import { run } from 'node:test';
import { tap } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';

/** The longest files begin first, so that the last ones to end are short. */
const FIRST = ['screens.test.mjs', 'story.test.mjs', 'queues.test.mjs'];

const rest = readdirSync(new URL('.', import.meta.url)).filter(
  (name) => name.endsWith('.test.mjs') && !FIRST.includes(name),
);
const files = [...FIRST, ...rest].map((name) => fileURLToPath(new URL(name, import.meta.url)));
run({ files, concurrency: 3 })
  .on('test:fail', () => {
    process.exitCode = 1;
  })
  .compose(tap)
  .pipe(process.stdout);
