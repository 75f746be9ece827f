/**
 * Caches the files of the page and serves them from the cache: the page works offline, and all its
 * files are of one version. `build.mjs` fills in the version and the files. A new version is loaded
 * beside the old one, and replaces it at a reload when no other tab has the page open.
 */

/** The hash of all files. */
const VERSION = "";
/** The hash of each file, by its path in the folder. @type {Record<string, string>} */
const FILES = {};
/** The files that not every user needs: they are cached on first use. */
const ON_DEMAND = ["draughts.tables"];

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
/** The prefix of the caches. Another folder of the same host has its own ones. */
const CACHES = `soucie ${worker.registration.scope} `;
const CACHE = CACHES + VERSION;

worker.addEventListener("install", (event) => event.waitUntil(load()));
worker.addEventListener("activate", (event) => event.waitUntil(takeOver()));
worker.addEventListener("message", () => worker.skipWaiting());
worker.addEventListener("fetch", (event) => {
  const path = pathOf(event.request.url);
  if (path !== null && event.request.method === "GET") {
    event.respondWith(answer(event.request, path));
  }
});

/** The path of a file of the page; null for other addresses. @param {string} address */
function pathOf(address) {
  const [place = ""] = address.split(/[?#]/);
  const { scope } = worker.registration;
  const path = place === scope ? "index.html" : place.slice(scope.length);
  return place.startsWith(scope) && Object.hasOwn(FILES, path) ? path : null;
}

async function load() {
  const files = Object.keys(FILES).map(async (path) => {
    // Files on demand are cached again if an old version has them.
    if (!ON_DEMAND.includes(path) || (await isKept(path))) await keep(path);
  });
  await Promise.all(files);
}

/** Whether the cache of any version has a file. @param {string} path */
async function isKept(path) {
  const names = (await caches.keys()).filter((name) => name.startsWith(CACHES));
  const found = names.map(async (name) => (await caches.open(name)).match(path));
  return (await Promise.all(found)).some(Boolean);
}

/** Fetches a file and caches it. @param {string} path */
async function keep(path) {
  // Bypasses the HTTP cache; the hash rejects another version from a proxy.
  const place = path === "index.html" ? "./" : path;
  const response = await fetch(place, { cache: "no-cache", integrity: FILES[path] });
  if (!response.ok) throw new Error(`${path}: status ${response.status}`);
  await (await caches.open(CACHE)).put(path, response.clone());
  return response;
}

async function takeOver() {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(CACHES) && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
  // Serves the tab of the first visit, too, so that it works offline.
  await worker.clients.claim();
}

/** @param {Request} request @param {string} path */
async function answer(request, path) {
  if (request.mode === "navigate" && (await isReplaced(request))) {
    return new Response("", { headers: { Refresh: "0" } });
  }
  const cache = await caches.open(CACHE);
  const kept = await cache.match(path);
  if (kept || !ON_DEMAND.includes(path)) return kept ?? fetch(request);
  return keep(path).catch(() => Response.error());
}

/**
 * Activates a waiting new version, unless another tab uses the current one. Returns whether it did.
 * @param {Request & { isReloadNavigation?: boolean }} request
 */
async function isReplaced(request) {
  const { waiting } = worker.registration;
  if (!waiting) return false;
  const tabs = await worker.clients.matchAll({ type: "window" });
  if (tabs.length > (request.isReloadNavigation ? 1 : 0)) return false;
  waiting.postMessage("take over");
  return true;
}
