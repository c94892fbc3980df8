// Runs all browser tests, four files beside each other: each waits most of its time for the other end. The files of a lane
// share a server, which has the rows of the built plant again when the next one begins.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startServer } from './harness.mjs';

const LANES = 4;
/** The longest files begin first, so that the last ones to end are short. */
const FIRST = [
  'screens-zh.test.mjs',
  'designer.test.mjs',
  'story.test.mjs',
  'screens-en.test.mjs',
  'drafts.test.mjs',
  'queues.test.mjs',
];

const rest = readdirSync(new URL('.', import.meta.url)).filter(
  (name) => name.endsWith('.test.mjs') && !FIRST.includes(name),
);
const files = [...FIRST, ...rest];

/** Runs a file in a process of its own against a server that stands, and prints what it said once it has ended. */
async function run(name, { base, data }) {
  const file = fileURLToPath(new URL(name, import.meta.url));
  const test = spawn(process.execPath, ['--test', '--test-reporter=tap', file], {
    env: { ...process.env, SERVER: JSON.stringify({ base, data }) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  test.stdout.on('data', (text) => {
    said += text;
  });
  const code = await new Promise((resolve) => test.once('exit', resolve));
  process.stdout.write(`# ${name}\n${said}`);
  if (code !== 0) process.exitCode = 1;
}

async function lane() {
  const server = await startServer();
  for (let name = files.shift(); name; name = files.shift()) await run(name, server);
  await server.stop();
}

await Promise.all(Array.from({ length: LANES }, lane));
