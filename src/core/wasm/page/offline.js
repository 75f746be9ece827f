/** Keeps the page for offline use. If the browser cannot do so, the page needs a network. */

navigator.serviceWorker?.register("service-worker.js").catch(() => {});
