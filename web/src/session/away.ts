/** Fetches what works without a network, once the first page is there or as soon as it is needed. */
import { watchCalls } from '@/api/client';
import { language } from '@/i18n';
import { net, reached, unsentCount } from './net';
import { owner } from './own';
import { onSession } from './session';

/** Reading calls whose answers are kept: what a walk and the report of a fault are made of. */
const KEPT =
  /^\/(blade-system\/(menu\/|dict-biz\/dictionary\?)|yuzhu-equip\/(inspectorder\/(getOrderNowTask|task|list)\?|required\/|repairorder\/form|(inspectmachine|equiptags)\/(select|getList)\?))/;
/** Milliseconds: the first page comes first. */
const REST = 5_000;

type Offline = typeof import('./offline');
let loading: Promise<Offline> | undefined;

export function away(): Promise<Offline> {
  loading ??= import('./offline').catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

const rested = new Promise<void>((resolve) => {
  window.addEventListener('load', () => setTimeout(resolve, REST));
});
const quietly = async (work: (offline: Offline) => unknown) => {
  try {
    await work(await away());
  } catch {
    // Without it everything that has a network works.
  }
};

/** Sends what waits, and keeps what will be needed. */
function begin() {
  if (owner()) quietly(({ begin }) => begin());
}

watchCalls({
  reached,
  place: (address) => {
    const person = owner();
    if (!person || !KEPT.test(address)) return undefined;
    const name = `${language()} ${address}`;
    return {
      keep: (data) => {
        const at = Date.now();
        const keep = () => quietly((offline) => offline.keep(person, name, { at, data }));
        if (net.isDown() || loading) keep();
        else rested.then(keep);
      },
      find: async () => {
        try {
          return await (await away()).find(person, name);
        } catch {
          return undefined;
        }
      },
    };
  },
});

if (unsentCount.get() > 0) begin();
rested.then(() => {
  begin();
  onSession(begin);
});

/** Removes everything of a person from this device. */
export async function forget(person: string): Promise<void> {
  await quietly((offline) => offline.forget(person));
}
