// Every screen of a person's menu in one language, on a desk or a phone, and one screen of each kind at all widths: no
// complaint of the browser, no word of the other language, no key in place of a text, nothing wider than the window, no
// finding of weight by axe; and the form behind its main button. Every noun has a row (tests/e2e/rows.py).
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { DESK, findings, PHONE, settled } from './harness.mjs';

/** Between the two ends nothing differs but the room there is, and English words are the longer ones. */
const BETWEEN = { width: 992, height: 768 };
/** All screens are opened at the first width, one of each kind at the others. */
const WIDTHS = { 'zh-CN': [DESK, PHONE], 'en-US': [PHONE, DESK, BETWEEN] };
const IS_PROOF = process.env.LANGUAGES === 'all';
/** What a screen can be made of; screens of the same parts are of one kind. */
const PARTS = [
  'table, .x-card',
  '.x-tree-pane, .ant-tree',
  '.ant-tabs',
  '.x-filters',
  '.ant-form',
  'canvas, .djs-container',
  '.ant-descriptions',
  '.ant-calendar',
];
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
  }, path);
  // The address changes at once, the page when its code is there: until then the last one would be read.
  const { pathname } = new URL(path, page.url());
  await page.locator(`#content[data-path="${pathname}"]`).waitFor();
  await settled(page);
}

/** Words of the console itself, not of the rows it shows. */
const OWN_WORDS =
  'h1, h2, h3, th, label, button, legend, .ant-menu-title-content, .ant-tabs-tab, .ant-drawer-title, .ant-pagination, .x-empty';

/** A key that was shown because no text was found for it: it begins with the name of a file of texts. */
const KEY = String.raw`\b(${readdirSync(new URL('../../web/src/i18n/zh-CN', import.meta.url))
  .map((file) => file.replace('.ts', ''))
  .filter((name) => name !== 'index')
  .join('|')})(\.[a-z]\w*)+\b`;

const wrongWords = (page, language) =>
  page.evaluate(
    ([selector, key, english]) => {
      const found = new Set();
      const person = JSON.parse(localStorage.getItem('xunwei.session')).realName;
      for (const element of document.querySelectorAll(selector)) {
        // Names of people, places and machines are in the language they were given in.
        if (element.closest('td, th[scope=row], .x-card, .x-user, .x-who, .ant-select, .x-tree-pane'))
          continue;
        if (element.closest('[lang]') !== document.documentElement) continue;
        const text = (element.innerText?.trim() ?? '').replace(person, '');
        if (english && /[\u4e00-\u9fff]/.test(text)) found.add(text.slice(0, 60));
        const [shown] = text.match(new RegExp(key)) ?? [];
        if (shown) found.add(shown);
      }
      // Values of a program that went into a text, wherever they are: in cells and cards too.
      for (const [shown] of document.body.innerText.matchAll(/\[object \w+\]|\bundefined\b|\bNaN\b/g))
        found.add(shown);
      return [...found];
    },
    [OWN_WORDS, KEY, language === 'en-US'],
  );

const kindOf = (page) =>
  page.evaluate((parts) => parts.filter((one) => document.querySelector(one)).join(' + '), PARTS);

async function look(page, name, language, isAsked, withFrame) {
  const faulty = isAsked ? await findings(page, { withFrame }) : [];
  const found = faulty.map((finding) => `${name}: ${finding}`);
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  if (wider > 0) found.push(`${name}: ${wider} px wider than the window`);
  for (const word of await wrongWords(page, language)) found.push(`${name}: "${word}"`);
  if (await page.locator('.x-status, .x-error').count()) found.push(`${name}: shows an error page`);
  return found;
}

/** The screen, and the form behind its main button where it opens one beside the list. Axe `isAsked` about both. */
async function screenAndForm(page, name, language, viewport, isAsked, withFrame) {
  const found = await look(page, name, language, isAsked, withFrame);
  const add = page
    .locator('.x-head-actions :not(a) > button.ant-btn-primary, .x-head-actions > button.ant-btn-primary')
    .first();
  if (viewport === BETWEEN || !(await add.count())) return found;
  await add.click().catch((cause) => {
    throw new Error(`${name}: its main button was there and could not be pressed`, { cause });
  });
  if (await page.locator('.ant-drawer-open').count()) {
    found.push(...(await look(page, `${name} form`, language, isAsked)));
    await page.keyboard.press('Escape');
    await page.locator('.ant-drawer-open').waitFor({ state: 'detached' });
  }
  return found;
}

/**
 * The test of all that the person's menu offers, or of the paths that fit `only`. `faults` and `person` are the stage's.
 */
export function everyScreen({ faults, person }, { tenant, account, language, only = /./ }) {
  test(`every screen of ${account} in ${language}`, async () => {
    const found = [];
    /** kind → the first screen of it */
    const kinds = new Map();
    for (const viewport of WIDTHS[language]) {
      const page = await person(account, viewport, language, { tenant });
      await page.goto('/wel/index');
      // Colours on their way from one to another have a contrast of their own.
      await page.addStyleTag({
        content:
          '*, *::before, *::after { transition-duration: 1ms !important; animation-duration: 1ms !important }',
      });
      const all = viewport === WIDTHS[language][0];
      const paths = all ? (await menuPaths(page)).filter((one) => only.test(one)) : [...kinds.values()];
      for (const path of paths) {
        await go(page, path);
        const kind = await kindOf(page);
        if (!kinds.has(kind)) kinds.set(kind, path);
        // Axe, which takes the longest, sees one screen of each kind; in `make prove` each screen on a desk in Chinese.
        const isAsked = kinds.get(kind) === path ? viewport !== BETWEEN : IS_PROOF && viewport === DESK;
        const name = `${path} ${language} ${viewport.width}`;
        const withFrame = path === paths[0];
        found.push(...(await screenAndForm(page, name, language, viewport, isAsked, withFrame)));
      }
      await page.context().close();
    }
    assert.deepEqual(found, []);
    assert.deepEqual(faults, []);
  });
}
