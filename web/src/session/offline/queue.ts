/** What people send goes through here: it is stored on this device first, then sent in order, by one tab at a time, and
 * stays until the server has taken it or the person discards it. */
import dayjs from 'dayjs';
import { ApiError, untyped } from '@/api/client';
import { t } from '@/i18n';
import { alone } from '@/lib/alone';
import { WIRE } from '@/lib/dates';
import { randomKey } from '@/lib/random';
import { dropDraft, keepDraft } from '@/session/drafts';
import { net, unsentCount } from '@/session/net';
import { owner } from '@/session/own';
import { site } from '@/site';
import { type Database, databaseOf } from './db';
import type { Outcome, Refusal, Unsent } from './kinds';
import { forgetLinks, linkOf, photoId, refsIn, withLinks } from './photos';

const PATHS: Readonly<Record<Unsent['kind'], string>> = {
  start: '/yuzhu-equip/inspectorder/start',
  point: '/yuzhu-equip/inspectorderdetail/submit',
  report: '/yuzhu-equip/repairorder/save',
};
/** Refusals that say nothing about what was sent: the session is over, too much at once, the server is not there. */
const LATER = new Set([0, 401, 40001, 40002, 408, 429, 502, 503, 504]);
const FIRST_PAUSE = 5_000;
const LONGEST_PAUSE = 300_000;
/** Milliseconds for which a form waits for the server's word. */
const PATIENCE = 10_000;
/** Milliseconds for which what was sent is remembered: a task that was fetched before does not show it yet. */
const REMEMBERED = 3 * 86_400_000;
const LEASE = site.requestTimeout + 5_000;

export type Sent =
  | { state: 'accepted'; answer: unknown }
  | { state: 'refused'; error: ApiError }
  | { state: 'asks'; answer: unknown }
  | { state: 'waiting' };

export interface Snapshot {
  items: readonly Unsent[];
  /** What was sent lately, by what it was about. */
  outcomes: ReadonlyMap<string, Outcome>;
}

const NOTHING: Snapshot = { items: [], outcomes: new Map() };
let shown: { owner: string; snapshot: Snapshot } = { owner: '', snapshot: NOTHING };
const listeners = new Set<() => void>();
const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('xunwei.unsent');

/** What waits of whoever is signed in, as it was read last. */
export function snapshot(): Snapshot {
  return shown.owner === owner() ? shown.snapshot : NOTHING;
}

export function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Reads what waits anew, and tells whoever shows it. */
export async function readAnew(): Promise<void> {
  const person = owner();
  let next = NOTHING;
  if (person) {
    const db = await databaseOf(person);
    const [items, outcomes] = await Promise.all([db.getAll('unsent'), db.getAll('outcomes')]);
    next = { items, outcomes: new Map(outcomes.map((outcome) => [outcome.about, outcome])) };
  }
  if (person !== owner()) return;
  shown = { owner: person, snapshot: next };
  if (person) unsentCount.set(next.items.length);
  for (const listener of listeners) listener();
}

async function changed(): Promise<void> {
  await readAnew();
  channel?.postMessage('changed');
}

channel?.addEventListener('message', () => {
  readAnew().catch(() => undefined);
});

export const refusalOf = ({ code, msg, error, fields, requestId }: Refusal) =>
  new ApiError(code, msg, error, fields, requestId);

function itemWithId(db: Database, id: string): Promise<Unsent | undefined> {
  return db.getFromIndex('unsent', 'id', id);
}

/** Stores what a person sends, in place of what was refused of the same, and returns what came of it as far as that is
 * known soon. Where this device keeps nothing it is sent at once, or rejected. */
export async function submit(given: Omit<Unsent, 'seq' | 'state'>): Promise<Sent> {
  const person = owner();
  const item: Unsent = { ...given, state: 'waiting' };
  let db: Database;
  try {
    db = await databaseOf(person);
    // Another tab has sent the same a moment ago.
    if (!(await store(db, item))) return { state: 'waiting' };
  } catch {
    return { state: 'accepted', answer: await send(person, item) };
  }
  // What was entered outlives a device that is short of room, where the browser agrees.
  navigator.storage?.persist?.().catch(() => false);
  await changed();
  const sending = flush();
  if (net.isDown() || !navigator.onLine) return { state: 'waiting' };
  await Promise.race([sending, new Promise((resolve) => setTimeout(resolve, PATIENCE))]);
  if (owner() !== person) {
    // The session was over: the form keeps what was typed, and whoever signs in again submits it.
    const left = await itemWithId(db, item.id);
    if (left?.seq !== undefined) await db.delete('unsent', left.seq);
    return { state: 'refused', error: new ApiError(401, t('kit.error.unknown')) };
  }
  const outcome = await db.get('outcomes', item.about);
  if (outcome?.id === item.id) return { state: 'accepted', answer: outcome.answer };
  const now = await itemWithId(db, item.id);
  if (now?.asks !== undefined) return { state: 'asks', answer: now.asks };
  return now?.refusal ? { state: 'refused', error: refusalOf(now.refusal) } : { state: 'waiting' };
}

/** Stores it in place of what was refused of the same; returns false where the same waits already. */
async function store(db: Database, item: Unsent): Promise<boolean> {
  const write = db.transaction('unsent', 'readwrite');
  const before = (await write.store.getAll()).find(({ about }) => about === item.about);
  if (before?.state !== 'waiting') await write.store.put(before ? { ...item, seq: before.seq } : item);
  await write.done;
  return before?.state !== 'waiting';
}

/** Removes what was refused or waits, with its photos and what was typed. */
export async function discard(id: string): Promise<void> {
  const db = await databaseOf(owner());
  const item = await itemWithId(db, id);
  if (!item) return;
  await remove(db, item);
  if (item.form) dropDraft(item.form.name);
  await changed();
  flush();
}

/** Sends what was refused once more: as it is, or as another request that answers the server's question with yes. */
export async function retry(id: string): Promise<void> {
  const db = await databaseOf(owner());
  const item = await itemWithId(db, id);
  if (item?.state === 'refused') {
    const { refusal: _, asks, ...rest } = item;
    const forced = asks === undefined ? {} : { id: randomKey(), body: { ...item.body, force: 1 } };
    await db.put('unsent', { ...rest, ...forced, state: 'waiting' });
    await changed();
  }
  await flushNow();
}

async function remove(db: Database, item: Unsent, outcome?: Outcome): Promise<void> {
  const write = db.transaction(['unsent', 'outcomes', 'photos'], 'readwrite');
  await Promise.all([
    write.objectStore('unsent').delete(item.seq as number),
    ...(outcome ? [write.objectStore('outcomes').put(outcome)] : []),
    ...refsIn(item.body).map((ref) => write.objectStore('photos').delete(photoId(ref))),
    write.done,
  ]);
}

// --- sending ---

let current: Promise<void> | undefined;
let next: Promise<void> | undefined;
let pauses = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Sends what waits. Resolves when all that waited at the call was tried, here or in another tab. */
export function flush(): Promise<void> {
  if (!current) {
    clearTimeout(timer);
    current = sendAll().finally(() => {
      current = undefined;
    });
    return current;
  }
  next ??= current.then(() => {
    next = undefined;
    return flush();
  });
  return next;
}

/** The same at once, although it failed just now: there is reason to think that it goes. */
export function flushNow(): Promise<void> {
  pauses = 0;
  return flush();
}

/** Tries again later, each time after a longer pause. */
function later(): void {
  clearTimeout(timer);
  timer = setTimeout(flush, Math.min(FIRST_PAUSE * 2 ** pauses, LONGEST_PAUSE));
  pauses += 1;
}

async function sendAll(): Promise<void> {
  const person = owner();
  if (!person) return;
  try {
    let isDone = true;
    await alone(`xunwei.sending.${person}`, LEASE, async () => {
      isDone = await sendInOrder(person);
    });
    if (isDone) pauses = 0;
    else if (person === owner()) later();
  } catch {
    // Storage is shut: what waits stays where it is.
    later();
  }
}

/** Returns whether nothing is left that could be sent. */
async function sendInOrder(person: string): Promise<boolean> {
  const db = await databaseOf(person);
  /** What the server could not work with just now: the next try is later. */
  const passed = new Set<string>();
  while (person === owner()) {
    const item = nextOf(await db.getAll('unsent'), passed);
    if (!item) return passed.size === 0;
    try {
      await settle(person, db, item, await send(person, item));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (LATER.has(error.code)) return false;
      if (error.code >= 500 && error.code < 600) passed.add(item.id);
      else await refuse(person, db, item, error);
    }
  }
  return true;
}

/** The first that may be sent: what comes behind a refused one of its chain waits for it. */
function nextOf(items: readonly Unsent[], passed: ReadonlySet<string>): Unsent | undefined {
  const shut = new Set<string>();
  for (const item of items) {
    const waits = item.state === 'waiting' && !passed.has(item.id);
    if (waits && !(item.chain && shut.has(item.chain))) return item;
    if (item.chain) shut.add(item.chain);
  }
  return undefined;
}

/** Photos first, then what they belong to. */
async function send(person: string, item: Unsent): Promise<unknown> {
  const links = new Map<string, string>();
  for (const ref of refsIn(item.body)) {
    const link = await linkOf(person, ref);
    if (link) links.set(ref, link);
  }
  const body = withLinks(item.body, links);
  // The server reckons by its own clock how long ago it was entered.
  const times = { clientTime: dayjs(item.at).format(WIRE), sentTime: dayjs().format(WIRE) };
  const headers = item.kind === 'report' ? { 'Idempotency-Key': item.id } : undefined;
  return untyped.postFor(person, PATHS[item.kind], { ...times, ...body }, headers);
}

async function settle(person: string, db: Database, item: Unsent, answer: unknown): Promise<void> {
  if ((answer as { needConfirm?: boolean } | null)?.needConfirm) {
    await put(person, db, { ...item, state: 'refused', asks: answer });
    return;
  }
  await remove(db, item, { about: item.about, id: item.id, at: Date.now(), answer });
  if (person !== owner()) return;
  if (item.form) dropDraft(item.form.name);
  await changed();
}

async function refuse(person: string, db: Database, item: Unsent, error: ApiError): Promise<void> {
  const { code, msg, fields, requestId } = error;
  // A task is begun by its first point too: that says what is wrong.
  if (
    item.kind === 'start' &&
    (await db.getAll('unsent')).some(({ id, task }) => id !== item.id && task === item.task)
  ) {
    await remove(db, item);
    await changed();
    return;
  }
  const refusal = { code, msg, error: error.error, fields, requestId };
  // The server may have cleared away what it was sent long before: the next try sends the photos again.
  if (Object.keys(fields).some((name) => /(images|voice|files)$/.test(name)))
    await forgetLinks(person, item.body);
  await put(person, db, { ...item, state: 'refused', refusal });
}

async function put(person: string, db: Database, item: Unsent): Promise<void> {
  await db.put('unsent', item);
  if (person !== owner()) return;
  // The form opens with what was typed.
  if (item.form) keepDraft(item.form.name, item.form.draft);
  await changed();
}

/** Forgets what was sent long ago. */
export async function clearOutcomes(person: string): Promise<void> {
  const db = await databaseOf(person);
  for (const { about, at } of await db.getAll('outcomes'))
    if (Date.now() - at > REMEMBERED) await db.delete('outcomes', about);
}
