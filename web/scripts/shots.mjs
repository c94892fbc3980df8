// Pictures of the console in a real browser: given routes × three widths × two languages, and a gallery page to look through.
//
//   npm run shots -- [route …]      without routes: the sign-in page and every entry of the person's menu
//
// A running server with CAPTCHA_MODE=off is needed. From the environment:
//   SHOTS_URL       http://127.0.0.1:8000
//   SHOTS_TENANT, SHOTS_ACCOUNT, SHOTS_PASSWORD   who signs in
//   SHOTS_DIR       where the pictures go; by default a folder "shots" beside the checkout
//   CHROMIUM        the browser, /usr/bin/chromium
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const { env } = process;
const base = env.SHOTS_URL ?? 'http://127.0.0.1:8000';
const folder = resolve(env.SHOTS_DIR ?? fileURLToPath(new URL('../../../shots', import.meta.url)));
const who = [env.SHOTS_TENANT, env.SHOTS_ACCOUNT, env.SHOTS_PASSWORD];
if (who.some((value) => !value)) {
  console.error('SHOTS_TENANT, SHOTS_ACCOUNT and SHOTS_PASSWORD say who signs in.');
  process.exit(2);
}

const SIZES = [
  { width: 1440, height: 900 },
  { width: 992, height: 768 },
  { width: 390, height: 844 },
];
const LANGUAGES = ['zh-CN', 'en-US'];
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-dev-shm-usage',
];

/** Until nothing is being fetched or drawn as a skeleton any more. */
async function settled(page) {
  await page.waitForLoadState('networkidle');
  await page.waitForFunction(() => !document.querySelector('[data-loading], .ant-skeleton'), null, {
    timeout: 10_000,
  });
  await page.evaluate(() => document.fonts.ready);
  await page.waitForTimeout(300);
}

async function signIn(page) {
  await page.goto(`${base}/login`);
  const [tenant, account, password] = who;
  for (const [id, value] of [
    ['tenantId', tenant],
    ['account', account],
    ['password', password],
  ]) {
    await page.locator(`#${id}`).fill(value);
  }
  await page.keyboard.press('Escape');
  await page.locator('button[type=submit]').click();
  await page.waitForFunction(() => localStorage.getItem('xunwei.session') !== null);
}

const fileName = (route, language, width) =>
  `${route.replace(/[^a-z0-9]+/gi, '-').replace(/^-|-$/g, '') || 'root'}.${language}.${width}.png`;

const taken = [];
const faults = [];

async function shoot(page, route, language, width) {
  try {
    await page.goto(base + route);
    await settled(page);
  } catch (error) {
    faults.push(`${route} ${language} ${width}: ${error.message.split('\n')[0]}`);
  }
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  if (overflow > 0) faults.push(`${route} ${language} ${width}: ${overflow} px wider than the window`);
  const file = fileName(route, language, width);
  // A window as high as the page: a full-page picture of a smaller one would cut what sticks to the window.
  const size = page.viewportSize();
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width, height: Math.max(size.height, height) });
  await page.screenshot({ path: join(folder, file) });
  await page.setViewportSize(size);
  taken.push({ route, language, width, file });
}

await mkdir(folder, { recursive: true });
const browser = await chromium.launch({ executablePath: env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
try {
  for (const language of LANGUAGES) {
    // One sign-in a language; the widths share its storage.
    const context = await browser.newContext({ viewport: SIZES[0] });
    await context.addInitScript((chosen) => localStorage.setItem('xunwei.language', chosen), language);
    const page = await context.newPage();
    page.on('pageerror', (error) => faults.push(`${page.url()} ${language}: ${error.message}`));
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await shoot(page, '/login', language, size.width);
    }
    await page.setViewportSize(SIZES[0]);
    await signIn(page);
    await settled(page);
    const given = process.argv.slice(2);
    const routes =
      given.length > 0
        ? given
        : await page.evaluate(() =>
            [...document.querySelectorAll('nav a[href]')].map((link) => link.getAttribute('href')),
          );
    for (const size of SIZES) {
      await page.setViewportSize(size);
      for (const route of routes) await shoot(page, route, language, size.width);
    }
    await context.close();
  }
} finally {
  await browser.close();
}

const figures = taken
  .sort((a, b) => a.route.localeCompare(b.route) || b.width - a.width)
  .map(
    ({ route, language, width, file }) =>
      `<figure><a href="${file}"><img loading="lazy" src="${file}" style="width:${Math.round(width / 3)}px"></a>` +
      `<figcaption>${route} · ${language} · ${width}</figcaption></figure>`,
  );
await writeFile(
  join(folder, 'index.html'),
  `<!doctype html><meta charset="utf-8"><title>Shots</title>
<style>body{font:13px sans-serif;display:flex;flex-wrap:wrap;gap:24px;align-items:flex-start}figure{margin:0}img{border:1px solid #ccc}</style>
${faults.map((fault) => `<p style="flex:1 0 100%;color:#b00">${fault}</p>`).join('')}
${figures.join('\n')}
`,
);
console.log(`${taken.length} pictures and index.html in ${folder}`);
for (const fault of faults) console.error(fault);
process.exit(faults.length > 0 ? 1 : 0);
