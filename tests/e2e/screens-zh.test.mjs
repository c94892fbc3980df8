// Every screen in Chinese, and how much the console sends for its first page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settled, signIn } from './harness.mjs';
import { everyScreen } from './screens.mjs';
import { stage } from './stage.mjs';

const MOST_CODE = 350_000;
const MOST_BYTES = 400_000;
const here = stage();
const { stranger } = here;

/** Returns how many bytes the page fetches when nothing is cached: `all` with heads and answers of the API, and `code`,
 * the compressed files of the console. */
async function fetched(page) {
  const wire = await page.context().newCDPSession(page);
  await wire.send('Network.enable');
  await wire.send('Network.setCacheDisabled', { cacheDisabled: true });
  const sent = { all: 0, code: 0 };
  wire.on('Network.loadingFinished', ({ encodedDataLength }) => {
    sent.all += encodedDataLength;
  });
  wire.on('Network.responseReceived', ({ response }) => {
    if (new URL(response.url).pathname.startsWith('/api/')) return;
    const length = Object.entries(response.headers).find(([name]) => /^content-length$/i.test(name));
    sent.code += Number(length?.[1]);
  });
  await page.reload();
  await settled(page);
  await wire.detach();
  return sent;
}

test('the sign-in page and the first page after it are small', async (context) => {
  const page = await stranger();
  await page.goto('/login');
  await settled(page);
  const signingIn = await fetched(page);
  await signIn(page, 'zhao.m', '100001');
  await settled(page);
  const first = await fetched(page);
  await page.context().close();
  for (const [address, { all, code }] of Object.entries({ '/login': signingIn, '/wel/index': first })) {
    context.diagnostic(`${address}: ${code} bytes of the console, ${all} with heads and answers`);
    assert.ok(code > 100_000 && code < MOST_CODE, `${address}: ${code} bytes of the console`);
    assert.ok(all > code && all < MOST_BYTES, `${address}: ${all} bytes`);
  }
});

everyScreen(here, { tenant: '100001', account: 'zhao.m', language: 'zh-CN' });
