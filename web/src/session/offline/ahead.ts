/** Fetching tasks before they are walked: their pages with all points, the pictures that show what to look at, and what the
 * report of a fault asks for. */
import type { Params } from '@/api/calls';
import { api, query, untyped } from '@/api/client';
import { net } from '@/session/net';
import { owner } from '@/session/own';
import { kept } from './answers';

const TASK = '/yuzhu-equip/inspectorder/task';
/** Milliseconds after which a task is fetched anew. */
const FRESH = 10 * 60_000;
/** The same of what changes less. */
const LASTS = 6 * 3_600_000;
/** What the company asks for of a point, and the readings of the report's form: symptoms, what is asked for, assets. */
const FORMS: readonly [path: string, params: Params][] = [
  ['/yuzhu-equip/required/requiredDetails', { scene: 4 }],
  ['/yuzhu-equip/equiptags/select', { type: 4, size: 50 }],
  ['/yuzhu-equip/required/requiredDetails', { scene: 1 }],
  ['/yuzhu-equip/inspectmachine/select', { size: 50 }],
  ['/yuzhu-equip/inspectmachine/getList', { nodeType: 4, mine: 1 }],
];
/** The same of an asset that is reported from the walk. */
const reportOf = (machineId: string): typeof FORMS => [
  ['/yuzhu-equip/equiptags/select', { type: 4, machineId, size: 50 }],
  ['/yuzhu-equip/inspectmachine/select', { ids: machineId }],
];
const PICTURES = 'xunwei.pictures.';

export const taskAddress = (id: string) => `${TASK}?id=${id}`;
const picturesOf = (person: string) => PICTURES + person;

let running = false;

/** Fetches the tasks one after the other, quietly; what was fetched a moment ago is left as it is. */
export async function fetchAhead(ids: readonly string[]): Promise<void> {
  if (running || net.isDown()) return;
  running = true;
  try {
    const person = owner();
    const links = new Set<string>();
    const machines = new Set<string>();
    for (const id of ids) {
      if (owner() !== person || net.isDown()) return;
      if (Date.now() - (kept.at(taskAddress(id)) ?? 0) < FRESH) continue;
      const { details } = await api.get(TASK, { id });
      for (const { machineId, items } of details) {
        machines.add(machineId);
        for (const { tipImages } of items) for (const link of tipImages) links.add(link);
      }
    }
    await fetchPictures(person, [...links]);
    for (const [path, params] of [...FORMS, ...[...machines].flatMap(reportOf)]) {
      if (owner() !== person) return;
      const address = path + query(params);
      if (Date.now() - (kept.at(address) ?? 0) > LASTS) await untyped.get(path, params);
    }
  } catch {
    // What could not be fetched now is fetched at the next look.
  } finally {
    running = false;
  }
}

/** A link changes each hour, its picture never does: it is fetched once and kept under each link. */
async function fetchPictures(person: string, links: readonly string[]): Promise<void> {
  if (!('caches' in window)) return;
  const cache = await caches.open(picturesOf(person));
  for (const link of links) {
    if (await cache.match(link)) continue;
    const answer = (await cache.match(link, { ignoreSearch: true })) ?? (await fetch(link));
    if (answer.ok) await cache.put(link, answer);
  }
}

export async function forgetPictures(person: string): Promise<void> {
  if ('caches' in window) await caches.delete(picturesOf(person));
}
