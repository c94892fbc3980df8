// The console's service worker: what one needs on a walk is there without a network. `scripts/shell.ts` writes the list
// of files and the name of this build in, so that a new build is another worker.
/* global self, caches, fetch, clients */
const BUILD = '__BUILD__';
/** Paths of the files that are fetched ahead. */
const FILES = ['__FILES__'];
const SHELLS = 'xunwei.shell.';
const SHELL = SHELLS + BUILD;
const PAGE = '/';
const PICTURE = '/api/blade-resource/attach/file/';
/** Milliseconds after which a page that does not come is taken from here. */
const PATIENCE = 4_000;
const AT_ONCE = 4;

/** A file under `/assets/` is named after its content. */
const isNamedByContent = (path) => path.startsWith('/assets/');

async function fetchAhead(cache, path) {
  const kept = isNamedByContent(path) && (await caches.match(path, { ignoreVary: true }));
  const answer = kept || (await fetch(path, { cache: isNamedByContent(path) ? 'default' : 'no-cache' }));
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  await cache.put(path, answer);
}

async function install() {
  const cache = await caches.open(SHELL);
  const left = [PAGE, ...FILES];
  const fetchRest = async () => {
    for (let path = left.pop(); path; path = left.pop()) await fetchAhead(cache, path);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, fetchRest));
  await self.skipWaiting();
}

/** The build before this one stays: pages of it may still be open. */
async function activate() {
  const shells = (await caches.keys()).filter((name) => name.startsWith(SHELLS) && name !== SHELL);
  await Promise.all(shells.slice(0, -1).map((name) => caches.delete(name)));
  await clients.claim();
}

async function fromHere(request) {
  const shell = await caches.open(SHELL);
  return (
    (await shell.match(request, { ignoreVary: true })) ?? (await caches.match(request, { ignoreVary: true }))
  );
}

/** The newest page where there is a network, so that a new build is seen at once; else the one kept here. */
async function page(event) {
  const asked = fetch(event.request);
  const late = new Promise((resolve) => {
    setTimeout(resolve, PATIENCE);
  });
  try {
    const answer = await Promise.race([asked, late]);
    if (answer) return answer;
  } catch {
    // No network: the page is kept here.
  }
  return (await fromHere(PAGE)) ?? asked;
}

async function file(request) {
  const kept = await fromHere(request);
  if (kept) return kept;
  const answer = await fetch(request);
  // What was opened once is there without a network too.
  if (answer.ok && isNamedByContent(new URL(request.url).pathname)) {
    const cache = await caches.open(SHELL);
    await cache.put(request, answer.clone());
  }
  return answer;
}

self.addEventListener('install', (event) => event.waitUntil(install()));
self.addEventListener('activate', (event) => event.waitUntil(activate()));
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (request.mode === 'navigate') {
    // A frame shows a page of another kind, and what has an ending is a file.
    const isConsole = request.destination === 'document' && !/^\/api\/|^\/healthz|\.\w+$/.test(pathname);
    if (isConsole) event.respondWith(page(event));
  } else if (isNamedByContent(pathname) || FILES.includes(pathname) || pathname.startsWith(PICTURE))
    event.respondWith(file(request));
});
