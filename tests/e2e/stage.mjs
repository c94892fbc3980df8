// The stage of a browser test: server and browser for the file's length, its people, their calls and their pictures.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before } from 'node:test';
import { DESK, open, PASSWORD, serverFor, settled, startBrowser, TENANT } from './harness.mjs';

const md5 = (text) => createHash('md5').update(text).digest('hex');

/** What the console keeps in a browser where somebody has signed in (web/src/session/session.ts). */
function keptBy(base, token) {
  const session = {
    access: token.access_token,
    refresh: token.refresh_token,
    tenantId: token.tenant_id,
    tenantName: token.tenant_name,
    userId: token.user_id,
    account: token.account,
    realName: token.real_name,
    avatar: token.avatar,
    roles: token.role_name.split(','),
    mustChange: false,
    at: Date.now(),
  };
  const { hostname: domain, origin } = new URL(base);
  const cookie = (name, value) => ({ name, value: md5(value), domain, path: '/', sameSite: 'Strict' });
  return {
    cookies: [cookie('access', session.access), cookie('refresh', session.refresh)],
    origins: [{ origin, localStorage: [{ name: 'xunwei.session', value: JSON.stringify(session) }] }],
  };
}

/**
 * To be called once at a file's top. `settings` are for the server's environment; `prepare` is done with the stage
 * before the first test, `args` for the browser. What a browser complains about on any page opened here is in `faults`.
 */
export function stage({ settings, prepare, args } = {}) {
  let server;
  let browser;
  const faults = [];
  const tokens = new Map();

  before(async () => {
    [server, browser] = await Promise.all([serverFor(settings), startBrowser(args)]);
    await prepare?.(here);
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  /** A page that nobody is signed in on; with `complaints` its faults are kept apart. */
  const stranger = ({ complaints = faults, ...more } = {}) =>
    open(browser, server.base, { faults: complaints, ...more });

  /** Signs in as a program does; the tokens, and whose they are. */
  async function signedIn(account, tenant) {
    const answer = await fetch(`${server.base}/api/blade-auth/oauth/token`, {
      method: 'POST',
      headers: { Authorization: `Basic ${btoa('xunwei-web:')}`, 'Tenant-Id': tenant },
      body: new URLSearchParams({
        tenantId: tenant,
        username: account,
        password: md5(PASSWORD),
        grant_type: 'password',
      }),
    });
    const token = await answer.json();
    assert.ok(token.access_token, `${account} is not let in`);
    return token;
  }

  /**
   * An empty page of a browser in which the person has signed in; where it goes is the test's to say. Each browser has a
   * session of its own. The form of the sign-in page has tests of its own (signIn, in harness.mjs).
   */
  async function person(account, viewport = DESK, language = 'zh-CN', { tenant = TENANT, ...more } = {}) {
    const storageState = keptBy(server.base, await signedIn(account, tenant));
    return stranger({ viewport, language, storageState, ...more });
  }

  /** What a program gets that signs in, once. */
  async function tokenOf(account, tenant = TENANT) {
    const key = `${tenant}:${account}`;
    if (!tokens.has(key)) tokens.set(key, await signedIn(account, tenant));
    return tokens.get(key);
  }

  /**
   * Asks the API as a program of the person's company does; the envelope's data. GET without a body, POST with one:
   * an object goes as JSON, a FormData as it is.
   */
  async function call(account, path, body, tenant = TENANT) {
    const { access_token: token } = await tokenOf(account, tenant);
    const headers = {
      Authorization: `Basic ${btoa('xunwei-web:')}`,
      'Tenant-Id': tenant,
      'Blade-Auth': `bearer ${token}`,
    };
    const plain = body === undefined || body instanceof FormData;
    if (!plain) headers['Content-Type'] = 'application/json';
    const answer = await fetch(`${server.base}/api/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers,
      body: plain ? body : JSON.stringify(body),
    });
    const said = await answer.json();
    assert.equal(said.code, 200, `${path}: ${JSON.stringify(said)}`);
    return said.data;
  }

  /** Deploys a drawing, as the company's process designer does with a file; returns the version's id. */
  async function deploy(key, xml) {
    const body = new FormData();
    body.append('category', 'flow_1');
    body.append('tenantIds', TENANT);
    body.append('confirm', '1');
    body.append('files', new Blob([xml], { type: 'application/xml' }), `${key}.bpmn`);
    await call('gao.l', 'blade-flow/manager/deploy-upload', body);
    return (await call('gao.l', `blade-flow/manager/list?key=${key}`)).records[0].id;
  }

  /** Puts a picture for people's eyes into the folder SHOTS; takes none without it. */
  async function look(page, name) {
    if (!process.env.SHOTS) return;
    await settled(page);
    await page.screenshot({ path: `${process.env.SHOTS}/${name}.png`, fullPage: true });
  }

  /** The server's data folder. */
  const data = () => server.data;

  const here = { faults, stranger, person, tokenOf, call, deploy, look, data, server: () => server };
  return here;
}

/** The action bar of a document or a task. */
export const bar = (page, name) => page.locator('.x-sticky-bar').getByRole('button', { name, exact: true });

/** The tag that says a document's state. */
export const state = (page) => page.locator('.x-doc-title .x-tag').first();
