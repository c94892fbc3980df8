/** What works without a network: answers that are kept, what waits to be sent, and the worker that keeps the console. */
import { refsInText } from '@/lib/photoRefs';
import { draftsText } from '@/session/drafts';
import { net, reached } from '@/session/net';
import { owner } from '@/session/own';
import { forgetPictures } from './ahead';
import { clearAnswers, readTimes } from './answers';
import { databaseOf, removeDatabase } from './db';
import { clearPhotos, forgetUrls, refsIn } from './photos';
import { clearOutcomes, flush, flushNow, readAnew } from './queue';

export { fetchAhead, taskAddress } from './ahead';
export { find, keep, kept } from './answers';
export type { Unsent } from './kinds';
export { addFile, photoUrl } from './photos';
export {
  discard,
  flushNow,
  listen,
  refusalOf,
  retry,
  type Sent,
  type Snapshot,
  snapshot,
  submit,
} from './queue';

/** Milliseconds between two looks whether the server is there again. */
const LOOK = 15_000;

let begunFor = '';
let isWatching = false;

/** Begins for whoever is signed in; again for the same person it changes nothing. */
export async function begin(): Promise<void> {
  watch();
  const person = owner();
  if (person === begunFor) return;
  begunFor = person;
  forgetUrls();
  if (!person) {
    await readAnew();
    return;
  }
  await Promise.all([readAnew(), readTimes(person)]);
  flush();
  await clearAnswers(person);
  await clearOutcomes(person);
  const items = await (await databaseOf(person)).getAll('unsent');
  await clearPhotos(person, [...refsIn(items), ...refsInText(draftsText())]);
}

function watch(): void {
  if (isWatching) return;
  isWatching = true;
  if (import.meta.env.PROD) navigator.serviceWorker?.register('/sw.js').catch(() => undefined);
  window.addEventListener('online', () => look());
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') look();
  });
  net.listen(() => {
    if (!net.isDown()) flushNow();
  });
  setInterval(() => {
    if (net.isDown()) look();
  }, LOOK);
}

/** Looks whether the server is there, by a file that the worker does not keep. */
async function look(): Promise<void> {
  if (!net.isDown()) {
    await flushNow();
    return;
  }
  try {
    reached((await fetch('/sw.js', { method: 'HEAD', cache: 'no-store' })).ok);
  } catch {
    reached(false);
  }
}

/** Removes everything of a person from this device. */
export async function forget(person: string): Promise<void> {
  if (!person) return;
  forgetUrls();
  await Promise.all([removeDatabase(person), forgetPictures(person)]);
}
