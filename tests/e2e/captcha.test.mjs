// Signing in with the picture captcha, as a fresh installation asks for it; the answer is read from the server's own store.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { fillSignIn } from './harness.mjs';
import { stage } from './stage.mjs';

const python = fileURLToPath(new URL('../../.venv/bin/python', import.meta.url));
const NEWEST = `
import sqlite3, sys
print(sqlite3.connect(sys.argv[1]).execute("SELECT answer FROM identity_captcha ORDER BY id DESC LIMIT 1").fetchone()[0])
`;

const { stranger, faults, data } = stage({ settings: { CAPTCHA_MODE: 'image' } });

test('a wrong answer is told in place and changes the picture; the right one, in any case, signs in', async () => {
  const page = await stranger();
  await page.goto('/login');
  const picture = page.locator('.x-captcha img');
  await picture.waitFor();
  const first = await picture.getAttribute('src');

  await fillSignIn(page, 'qin.y');
  await page.locator('.x-captcha input').fill('?????');
  await page.keyboard.press('Enter');
  await page.getByText('验证码不正确').waitFor();
  await page.waitForFunction((before) => document.querySelector('.x-captcha img')?.src !== before, first);
  assert.match(page.url(), /\/login/);

  const answer = execFileSync(python, ['-c', NEWEST, join(data(), 'xunwei.sqlite3')], {
    encoding: 'utf8',
  }).trim();
  await page.locator('.x-captcha input').fill(answer.toLowerCase());
  await page.keyboard.press('Enter');
  await page.waitForURL('**/wel/index');
  assert.deepEqual(faults, []);
});
