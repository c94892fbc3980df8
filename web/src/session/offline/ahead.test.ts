/** Tasks that are fetched ahead bring the pictures that show what to look at: the worker shows them without a network. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { away } from '@/session/away';
import { reached } from '@/session/net';
import { clearSession } from '@/session/session';
import '@/session/sign';
import { withIndexedDb } from '@/testing/indexedDb';
import { beSignedIn } from '@/testing/render';
import { serve } from '@/testing/server';
import { fetchAhead, forgetPictures } from './ahead';
import { removeDatabase } from './db';
import { begin } from './index';

const ME = '100001/7';
withIndexedDb([ME]);
const PATH = '/api/blade-resource/attach/file/100001';
const [FIRST, ANEW] = [`${PATH}/a.jpg?until=1&mark=x`, `${PATH}/a.jpg?until=2&mark=y`];
const OTHER = `${PATH}/b.jpg?until=1&mark=x`;

const addressOf = (asked: string | Request) => {
  const { pathname, search } = new URL(typeof asked === 'string' ? asked : asked.url, 'http://plant.test');
  return pathname + search;
};

/** The browser's caches, as far as they are used here. */
function cachesOfBrowser() {
  const all = new Map<string, Map<string, Response>>();
  const open = (name: string) => {
    const kept = all.get(name) ?? new Map<string, Response>();
    all.set(name, kept);
    return {
      match: async (asked: string | Request, { ignoreSearch = false } = {}) => {
        const wanted = addressOf(asked);
        const without = (address: string) => (ignoreSearch ? address.split('?')[0] : address);
        return [...kept].find(([address]) => without(address) === without(wanted))?.[1].clone();
      },
      put: async (asked: string | Request, answer: Response) => {
        kept.set(addressOf(asked), answer.clone());
      },
    };
  };
  return {
    all,
    open: async (name: string) => open(name),
    keys: async () => [...all.keys()],
    delete: async (name: string) => all.delete(name),
    match: async (asked: string | Request) => {
      for (const name of [...all.keys()]) {
        const found = await open(name).match(asked);
        if (found) return found;
      }
      return undefined;
    },
  };
}

/** What the console's worker answers to a picture that a page wants, while there is no network. */
async function fromWorker(caches: object, address: string): Promise<Response> {
  const listeners = new Map<string, (event: object) => void>();
  const self = {
    location: { origin: 'http://plant.test' },
    addEventListener: (kind: string, listener: (event: object) => void) => listeners.set(kind, listener),
  };
  const offline = async () => {
    throw new TypeError('Failed to fetch');
  };
  const code = readFileSync('scripts/worker.js', 'utf8');
  new Function('self', 'caches', 'fetch', 'clients', code)(self, caches, offline, {});
  const request = {
    method: 'GET',
    url: `http://plant.test${address}`,
    mode: 'no-cors',
    destination: 'image',
  };
  let answer: Promise<Response> | undefined;
  listeners.get('fetch')?.({
    request,
    respondWith: (found: Promise<Response>) => {
      answer = found;
    },
  });
  if (!answer) throw new Error('not the worker’s');
  return answer;
}

const item = (tipImages: string[]) => ({ itemId: '1', tipImages });
const plant = (links: string[]) =>
  serve({
    'GET /yuzhu-equip/inspectorder/task': () => ({ details: [{ machineId: '1', items: [item(links)] }] }),
    ...Object.fromEntries(
      ['/yuzhu-equip/required/requiredDetails', '/yuzhu-equip/inspectmachine/getList'].map((path) => [
        `GET ${path}`,
        () => [],
      ]),
    ),
    ...Object.fromEntries(
      ['/yuzhu-equip/equiptags/select', '/yuzhu-equip/inspectmachine/select'].map((path) => [
        `GET ${path}`,
        () => ({ records: [], total: 0, size: 50, current: 1, pages: 0 }),
      ]),
    ),
  });

beforeEach(async () => {
  await away();
  clearSession();
  await begin();
  await removeDatabase(ME);
  reached(true);
  beSignedIn();
  await begin();
});

afterAll(async () => {
  vi.unstubAllGlobals();
  clearSession();
  await begin();
});

test('a tip’s picture is fetched once, kept under each of its links, shown without a network, and forgotten', async () => {
  const browser = cachesOfBrowser();
  vi.stubGlobal('caches', browser);
  const answers = plant([FIRST]);
  const calls = globalThis.fetch;
  const fetched: string[] = [];
  vi.stubGlobal('fetch', async (address: string, init?: RequestInit) => {
    if (!address.includes('/attach/file/')) return calls(address, init);
    fetched.push(address);
    return new Response(`picture ${addressOf(address).split('?')[0]}`);
  });
  await fetchAhead(['1']);
  expect(fetched).toEqual([FIRST]);
  // A link changes each hour, its picture never does.
  await fetchAhead(['2']);
  expect(answers.filter(({ path }) => path.endsWith('/task'))).toHaveLength(2);
  plant([ANEW]);
  const again = globalThis.fetch;
  vi.stubGlobal('fetch', async (address: string, init?: RequestInit) => {
    if (address.includes('/attach/file/')) throw new TypeError('fetched twice');
    return again(address, init);
  });
  await fetchAhead(['3']);
  for (const link of [FIRST, ANEW])
    expect(await (await fromWorker(browser, link)).text()).toBe(`picture ${PATH}/a.jpg`);
  await expect(fromWorker(browser, OTHER)).rejects.toThrow('Failed to fetch');
  await forgetPictures(ME);
  await expect(fromWorker(browser, FIRST)).rejects.toThrow('Failed to fetch');
});
