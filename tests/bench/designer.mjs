// What the designer costs in a browser at a drawing of 300 nodes: to open it, to lint it, to move an element. Prints,
// asserts nothing. Needs chromium and the built console; `make bench` runs it.
import { long } from '../e2e/drawings.mjs';
import { open, settled, signIn, startBrowser, startServer } from '../e2e/harness.mjs';

const NODES = 300;
const ROUNDS = 9;
const median = (numbers) => numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];
const line = (name, milliseconds, goal) =>
  console.log(`  ${name.padEnd(44)} ${String(Math.round(milliseconds)).padStart(6)} ms   goal ${goal} ms`);

/** Saves a draft as the person signed in on the page; its id. */
const save = (page, key, xml) =>
  page.evaluate(
    async ([modelKey, drawing]) => {
      const { access, tenantId } = JSON.parse(localStorage.getItem('xunwei.session'));
      const answer = await fetch('/api/blade-flow/model/submit', {
        method: 'POST',
        headers: {
          'Blade-Auth': `bearer ${access}`,
          'Tenant-Id': tenantId,
          'Content-Type': 'application/json',
        },
        body: JSON.stringify({ name: modelKey, modelKey, category: 'flow_1', xml: drawing }),
      });
      return (await answer.json()).data.id;
    },
    [key, xml],
  );

/** From the address to the last node on the canvas. */
async function opening(page, id) {
  await page.goto('/wel/index');
  await settled(page);
  const begin = performance.now();
  await page.evaluate((path) => {
    history.pushState(null, '', path);
    dispatchEvent(new PopStateEvent('popstate', { state: null }));
  }, `/flow/model/design/${id}`);
  await page
    .locator(`.x-designer-canvas [data-element-id="n${NODES - 1}"]`)
    .first()
    .waitFor({ state: 'attached' });
  const took = performance.now() - begin;
  await settled(page);
  return took;
}

/** A drag of the first step by hand: the slowest of its frames, and from the release to the next frame. */
async function move(page, by) {
  const { x, y, width, height } = await page
    .locator('.x-designer-canvas .djs-element[data-element-id="n1"]')
    .evaluate((one) => one.getBoundingClientRect().toJSON());
  const from = [x + width / 2, y + height / 2];
  const frame = () => page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => resolve())));
  await page.mouse.move(...from);
  await page.mouse.down();
  let slowest = 0;
  for (let step = 1; step <= 8; step++) {
    const begin = performance.now();
    await page.mouse.move(from[0], from[1] + (by * step) / 8);
    await frame();
    slowest = Math.max(slowest, performance.now() - begin);
  }
  const released = performance.now();
  await page.mouse.up();
  await frame();
  return [slowest, performance.now() - released];
}

/** Another name for the second step, typed into the panel, until it is linted. */
async function rename(page, name) {
  const linted = page.waitForEvent('requestfinished', (request) => request.url().endsWith('/model/validate'));
  const field = page.locator('.x-props input[type=text], .x-props textarea').first();
  await field.fill(name);
  await field.blur();
  await linted;
}

const [server, browser] = await Promise.all([startServer(), startBrowser()]);
try {
  const page = await open(browser, server.base, { faults: [] });
  await signIn(page, 'gao.l');
  const lints = [];
  page.on('requestfinished', (request) => {
    const { responseEnd, requestStart } = request.timing();
    if (request.url().endsWith('/model/validate')) lints.push(responseEnd - requestStart);
  });
  const id = await save(page, 'bench300', long('bench300', NODES));
  const first = await opening(page, id);
  const opened = [await opening(page, id), await opening(page, id), await opening(page, id)];
  const moves = [];
  for (let round = 0; round < ROUNDS; round++) {
    moves.push(await move(page, round % 2 ? -30 : 30));
    await settled(page);
  }
  const moved = lints.splice(0);
  await page.locator('.x-designer-canvas .djs-element[data-element-id="n1"]').click();
  for (let round = 0; round < ROUNDS; round++) {
    await rename(page, `步骤${round} ${round}`);
    await settled(page);
  }
  console.log(`\nThe designer at ${NODES} nodes, median of ${ROUNDS} (opening: of 3)`);
  line('open, for the first time', first, 2000);
  line('open', median(opened), 2000);
  line('lint of another name, asked by the browser', median(lints), 100);
  line('lint of what was moved', median(moved), 100);
  line('move, the slowest frame', median(moves.map(([frame]) => frame)), 200);
  line('move, what follows the release', median(moves.map(([, released]) => released)), 200);
} finally {
  await browser.close();
  await server.stop();
}
