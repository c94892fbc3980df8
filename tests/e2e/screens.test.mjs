// Every screen of the menu, in both languages, at three widths: no complaint of the browser, no word of the other
// language, nothing wider than the window, no finding of weight by axe; and the form behind its main button.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESK, findings, PHONE, settled, signIn } from './harness.mjs';
import { stage } from './stage.mjs';

/** Between the two ends nothing differs but the room there is, and English words are the longer ones. */
const BETWEEN = { width: 992, height: 768 };
const WIDTHS = { 'zh-CN': [DESK, PHONE], 'en-US': [DESK, BETWEEN, PHONE] };
const MOST_BYTES = 450_000;
const PEOPLE = [
  { tenant: '100001', account: 'zhao.m', languages: ['zh-CN', 'en-US'] },
  // What the platform alone may add to, and where it looks into other companies: the same screens, of which more is open.
  {
    tenant: '000000',
    account: 'admin',
    languages: ['en-US'],
    only: /^\/(system\/(client|tenant|dict|menu|user)|base\/region)$/,
  },
];

const { faults, person, stranger } = stage();

/** The paths of the person's menu, as the server gives them. */
const menuPaths = (page) =>
  page.evaluate(async () => {
    const { access, tenantId } = JSON.parse(localStorage.getItem('xunwei.session'));
    const answer = await fetch('/api/blade-system/menu/routes', {
      headers: { 'Blade-Auth': `bearer ${access}`, 'Tenant-Id': tenantId },
    });
    const leaves = (nodes) =>
      nodes.flatMap((node) => (node.children?.length ? leaves(node.children) : [node.path]));
    return leaves((await answer.json()).data);
  });

/** Goes there as a click on the menu does, without loading the console anew. */
async function go(page, path) {
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate', { state: null }));
    // The address changes at once, the page when the browser comes to it: until then the last one would be read.
    return new Promise((resolve) => requestIdleCallback(() => setTimeout(resolve)));
  }, path);
  await settled(page);
}

/** Words of the console itself, not of the rows it shows. */
const OWN_WORDS =
  'h1, h2, h3, th, label, button, legend, .ant-menu-title-content, .ant-tabs-tab, .ant-drawer-title, .ant-pagination, .x-empty';

const wrongWords = (page, language) =>
  page.evaluate(
    ([selector, english]) => {
      const found = new Set();
      const person = JSON.parse(localStorage.getItem('xunwei.session')).realName;
      for (const element of document.querySelectorAll(selector)) {
        // Names of people, places and machines are in the language they were given in.
        if (element.closest('td, .x-card, .x-user, .x-who, .ant-select, .x-tree-pane')) continue;
        if (element.closest('[lang]') !== document.documentElement) continue;
        const text = (element.innerText?.trim() ?? '').replace(person, '');
        if (english && /[\u4e00-\u9fff]/.test(text)) found.add(text.slice(0, 60));
        if (
          /\b(app|compare|flow|home|info|kit|machines|repair|system|times|work)\.[a-z]\w*(\.\w+)*\b/.test(
            text,
          )
        )
          found.add(text.slice(0, 60));
      }
      return [...found];
    },
    [OWN_WORDS, language === 'en-US'],
  );

async function look(page, name, language, viewport) {
  const faulty = viewport === BETWEEN ? [] : await findings(page);
  const found = faulty.map((finding) => `${name}: ${finding}`);
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  if (wider > 0) found.push(`${name}: ${wider} px wider than the window`);
  for (const word of await wrongWords(page, language)) found.push(`${name}: "${word}"`);
  if (await page.locator('.x-status, .x-error').count()) found.push(`${name}: shows an error page`);
  return found;
}

test('the first page after signing in is small', async () => {
  const page = await stranger();
  const wire = await page.context().newCDPSession(page);
  await wire.send('Network.enable');
  await signIn(page, 'zhao.m', '100001');
  await settled(page);
  let sent = 0;
  wire.on('Network.loadingFinished', ({ encodedDataLength }) => {
    sent += encodedDataLength;
  });
  await wire.send('Network.setCacheDisabled', { cacheDisabled: true });
  await page.reload();
  await settled(page);
  await page.context().close();
  // Everything that is fetched counts, answers of the API too.
  assert.ok(sent > 100_000 && sent < MOST_BYTES, `${sent} bytes`);
});

for (const { tenant, account, languages, only = /./ } of PEOPLE) {
  for (const language of languages) {
    test(`every screen of ${account} in ${language}`, async () => {
      const found = [];
      for (const viewport of WIDTHS[language]) {
        const page = await person(account, viewport, language, { tenant });
        // Colours on their way from one to another have a contrast of their own.
        await page.addStyleTag({
          content:
            '*, *::before, *::after { transition-duration: 1ms !important; animation-duration: 1ms !important }',
        });
        const paths = (await menuPaths(page)).filter((one) => only.test(one));
        for (const path of paths) {
          await go(page, path);
          const name = `${path} ${language} ${viewport.width}`;
          found.push(...(await look(page, name, language, viewport)));
          const add = page
            .locator(
              '.x-head-actions :not(a) > button.ant-btn-primary, .x-head-actions > button.ant-btn-primary',
            )
            .first();
          if (viewport === BETWEEN || !(await add.count())) continue;
          await add.click();
          if (await page.locator('.ant-drawer-open').count()) {
            found.push(...(await look(page, `${name} form`, language, viewport)));
            await page.keyboard.press('Escape');
            await page.locator('.ant-drawer-open').waitFor({ state: 'detached' });
          }
        }
        await page.context().close();
      }
      assert.deepEqual(found, []);
      assert.deepEqual(faults, []);
    });
  }
}
