// Signing in with the slider, by keys alone and then with the mouse; and what a session leaves in the browser.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { fillSignIn, PHONE } from './harness.mjs';
import { stage } from './stage.mjs';

const python = fileURLToPath(new URL('../../.venv/bin/python', import.meta.url));
const NEWEST = `
import sqlite3, sys
print(sqlite3.connect(sys.argv[1]).execute("SELECT answer FROM identity_captcha ORDER BY id DESC LIMIT 1").fetchone()[0])
`;

const { stranger, faults, data } = stage({ settings: { CAPTCHA_MODE: 'slider' } });

const answer = () =>
  Number(execFileSync(python, ['-c', NEWEST, join(data(), 'xunwei.sqlite3')], { encoding: 'utf8' }));

async function arrived(page) {
  await page.locator('button[type=submit]').click();
  await page.waitForURL('**/wel/index');
}

test('the piece is moved by keys; the session outlives a reload, is shared by tabs, and no cookie holds it', async () => {
  const page = await stranger();
  await page.goto('/login');
  await page.locator('.x-slider-piece').waitFor();
  await fillSignIn(page, 'qin.y');
  await page.keyboard.press('Escape');
  const handle = page.locator('.x-slider-handle');
  await handle.focus();
  const x = answer();
  for (let at = 0; at + 10 <= x; at += 10) await page.keyboard.press('Shift+ArrowRight');
  for (let at = x - (x % 10); at + 2 <= x; at += 2) await page.keyboard.press('ArrowRight');
  assert.ok(Math.abs(Number(await handle.getAttribute('aria-valuenow')) - x) < 2);
  // Nobody solves it within a second of seeing it, and who does is refused.
  await page.waitForTimeout(1000);
  await arrived(page);

  const kept = JSON.parse(await page.evaluate(() => localStorage.getItem('xunwei.session')));
  const cookies = await page.context().cookies();
  assert.deepEqual(cookies.map((cookie) => cookie.name).sort(), ['access', 'refresh']);
  for (const { value } of cookies) assert.match(value, /^[0-9a-f]{32}$/);
  assert.ok(
    !JSON.stringify(cookies).includes(kept.access) && !JSON.stringify(cookies).includes(kept.refresh),
  );

  await page.reload();
  await page.locator('.x-shell').waitFor();
  assert.match(page.url(), /\/wel\/index/);
  const tab = await page.context().newPage();
  await tab.goto(page.url());
  await tab.locator('.x-shell').waitFor();
  assert.match(tab.url(), /\/wel\/index/);
  assert.deepEqual(faults, []);
});

test('on a phone the piece is dragged; one set down at another hole is refused and the picture changes', async () => {
  const page = await stranger({ viewport: PHONE });
  await page.goto('/login');
  const picture = page.locator('.x-slider-picture img').first();
  await picture.waitFor();
  await fillSignIn(page, 'qin.y');
  await page.keyboard.press('Escape');

  async function drag(x) {
    const track = await page.locator('.x-slider-track').boundingBox();
    const [fromX, y] = [track.x + 10, track.y + track.height / 2];
    await page.mouse.move(fromX, y);
    await page.mouse.down();
    await page.mouse.move(fromX + (x * track.width) / 400, y, { steps: 12 });
    await page.mouse.up();
  }
  const first = await picture.getAttribute('src');
  await drag(answer() > 150 ? 80 : 280);
  await page.locator('button[type=submit]').click();
  await page.getByText('验证码不正确').waitFor();
  await page.waitForFunction(
    (before) => document.querySelector('.x-slider-picture img')?.src !== before,
    first,
  );
  await page.waitForTimeout(1_000); // nobody is faster
  await drag(answer());
  await arrived(page);
  assert.deepEqual(faults, []);
});
