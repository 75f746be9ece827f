/** Keeps the page for use without a network. Where the browser cannot do so, it works with one. */

navigator.serviceWorker?.register("service-worker.js").catch(() => {});
