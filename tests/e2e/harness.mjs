// What the browser tests share: a server of their own on a fresh demo plant, people signed in, and what no page may show.
import { spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
// The browser's driver is a dependency of the console, not of the tests.
const ofConsole = createRequire(new URL('../../web/package.json', import.meta.url));
const { chromium } = ofConsole('playwright-core');
const axe = await readFile(ofConsole.resolve('axe-core/axe.min.js'), 'utf8');

export const PASSWORD = 'Demo12345';
export const TENANT = '100001';
/** Where the demo plant stands: the wire's moments carry no zone. */
const ZONE = 'Asia/Shanghai';
const READY = 300_000;
/** How long a machine with more to do than this may keep a page waiting. */
const PATIENCE = 30_000;
/** Milliseconds of rest after which a page is taken for settled. */
const QUIET = 250;
/** Until its code and texts are there the page is empty. */
const LOADING = '#root:empty, [data-loading], .ant-skeleton, .ant-spin-spinning, .ant-btn-loading';
/** page → its requests that are still open. */
const requests = new WeakMap();

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

async function answers(url) {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}

/** What belongs to a running server alone. */
const OF_THE_MOMENT = ['run', 'logs', 'broker'];

/** A data folder of its own: with the plant of PLANT in it where tests/e2e/plant.mjs built one, else empty. */
async function dataFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'xunwei-e2e-'));
  if (process.env.PLANT) {
    await cp(process.env.PLANT, folder, {
      recursive: true,
      filter: (source) => !OF_THE_MOMENT.includes(basename(source)),
    });
  }
  return folder;
}

/** Gives every noun of a built plant a row, so that its list shows one. */
export async function addRows(data) {
  const { DATABASE_URL: _, REDIS_URL: __, ...environment } = process.env;
  await python('tests.e2e.rows', [], { ...environment, DATA_DIR: data });
}

/** Runs a module of ours in Python, with the given environment. */
async function python(name, args, environment) {
  const child = spawn(join(root, '.venv/bin/python'), ['-m', name, ...args], {
    cwd: root,
    env: environment,
    stdio: 'inherit',
  });
  const code = await new Promise((resolve) => child.once('exit', resolve));
  if (code !== 0) throw new Error(`${name} ended with code ${code}`);
}

/** The server that tests/e2e/run.mjs has started for this file and others, with the rows of the built plant. */
async function sharedServer() {
  const { base, data } = JSON.parse(process.env.SERVER);
  await python('tests.e2e.anew', [process.env.PLANT, data], process.env);
  return { base, data, stop: async () => {} };
}

/** The server of a test file: one of its own where it asks for settings, or is run by itself. */
export function serverFor(settings) {
  return process.env.SERVER && !settings ? sharedServer() : startServer(settings);
}

/** Starts the whole product; `stop` ends it and removes what it stored, unless the folder was given. */
export async function startServer(settings = {}, given) {
  const data = given ?? (await dataFolder());
  const port = await freePort();
  const { DATABASE_URL: _, REDIS_URL: __, ...environment } = process.env;
  const server = spawn(join(root, '.venv/bin/python'), ['manage.py', 'serve'], {
    cwd: root,
    env: {
      ...environment,
      DATA_DIR: data,
      PORT: String(port),
      CAPTCHA_MODE: 'off',
      DEMO_PASSWORD: PASSWORD,
      // A script clicks faster than a person.
      LIMIT_PERSON: 'off',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  server.stdout.on('data', (text) => {
    said += text;
  });
  server.stderr.on('data', (text) => {
    said += text;
  });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  const stop = async () => {
    server.kill('SIGTERM');
    await ended;
    if (!given) await rm(data, { recursive: true, force: true });
  };
  const base = `http://127.0.0.1:${port}`;
  const until = Date.now() + READY;
  while (!(await answers(`${base}/healthz`))) {
    if (server.exitCode !== null || Date.now() > until) {
      await stop();
      throw new Error(`the server did not start:\n${said}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  return { base, data, stop };
}

export function startBrowser(more = []) {
  return chromium.launch({
    executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      // Pages live for seconds: compiling what runs often costs more than it gives.
      '--js-flags=--no-opt --no-maglev',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--disable-background-networking',
      // A microphone that beeps, and nobody to be asked whether it may be used.
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      ...more,
    ],
  });
}

/** The languages of a test that speaks one of them by itself; with LANGUAGES=all, as in `make prove`, both. */
export function languages(usual) {
  return process.env.LANGUAGES === 'all' ? ['zh-CN', 'en-US'] : [usual];
}

export const PHONE = { width: 390, height: 844 };
export const DESK = { width: 1440, height: 900 };

/**
 * A page of its own for one person; `faults` collects what a browser complains about. `storageState` is what another
 * page's browser kept.
 */
export async function open(browser, base, { viewport = DESK, language = 'zh-CN', storageState, faults }) {
  // As somebody who asked for less motion: what moves could slip from under a click.
  const context = await browser.newContext({
    viewport,
    timezoneId: ZONE,
    locale: language,
    baseURL: base,
    storageState,
    reducedMotion: 'reduce',
    // It would fetch the whole walk ahead for pages that live for seconds; tests/e2e/offline.test.mjs has one.
    serviceWorkers: 'block',
  });
  context.setDefaultTimeout(PATIENCE);
  await context.addInitScript((chosen) => localStorage.setItem('xunwei.language', chosen), language);
  return newTab(context, faults);
}

/** A further tab of the same browser. */
export async function newTab(context, faults) {
  const page = await context.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`${page.url()}: ${message.text()}`);
  });
  const waiting = new Set();
  page.on('request', (request) => waiting.add(request));
  for (const end of ['requestfinished', 'requestfailed']) page.on(end, (request) => waiting.delete(request));
  requests.set(page, waiting);
  page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`));
  return page;
}

export async function fillSignIn(page, account, tenant = TENANT) {
  await page.locator('#tenantId').fill(tenant);
  await page.locator('#account').fill(account);
  await page.locator('#password').fill(PASSWORD);
}

/** Through the real form. */
export async function signIn(page, account, tenant) {
  await page.goto('/login');
  await fillSignIn(page, account, tenant);
  // The list of tenants may still be open over the button.
  await page.keyboard.press('Escape');
  await page.locator('button[type=submit]').click();
  await page.waitForURL('**/wel/index');
}

/** Waits until nothing has been asked for or shown as loading for a moment: the browser's own idle state is reached once. */
export async function settled(page) {
  const until = Date.now() + PATIENCE;
  let quietSince = 0;
  while (!quietSince || Date.now() - quietSince < QUIET) {
    if (Date.now() > until) throw new Error(`${page.url()} does not come to rest`);
    const busy = (requests.get(page)?.size ?? 0) > 0 || (await page.locator(LOADING).count()) > 0;
    quietSince = busy ? 0 : quietSince || Date.now();
    await page.waitForTimeout(QUIET / 3);
  }
}

/** The menu at the side and the bar at the top. */
const FRAME = ['.x-side', '.x-top'];

/**
 * The serious and critical findings of axe, as short texts. The frame is the same on every page and costs as much as the
 * page in it: it is left out unless it is asked for (tests/e2e/screens.mjs looks at it at every width).
 */
export async function findings(page, { withFrame = false } = {}) {
  await settled(page);
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  const { violations } = await page.evaluate(
    (left) =>
      globalThis.axe.run(
        { exclude: left.filter((one) => document.querySelector(one)) },
        { resultTypes: ['violations'] },
      ),
    withFrame ? [] : FRAME,
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
}
