// Checks the package in headless Chromium, from a static server: node browser.mjs FOLDER SIGNATURE
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { chromium } from "playwright-core";

const [folder, signature] = process.argv.slice(2);
const TYPES = { ".js": "text/javascript", ".html": "text/html", ".wasm": "application/wasm" };
const ISOLATED = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

/** A plain static server, with these additional headers. */
const serve = async (headers) => {
  const server = createServer(async ({ url }, response) => {
    try {
      const body =
        url === "/" ? "<!doctype html><title>x</title>" : await readFile(join(folder, url));
      const type = TYPES[extname(url)] ?? "text/html";
      response.writeHead(200, { "Content-Type": type, ...headers }).end(body);
    } catch {
      response.writeHead(url === "/favicon.ico" ? 204 : 404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
};

/** Runs in the page: bench, a game of each variant, and the times from `stop` to `bestmove`. */
const useEngine = async () => {
  const { Soucie } = await import("/soucie.js");
  const engine = await Soucie.create();
  const line = (pattern) =>
    new Promise((resolve) => {
      engine.onLine = (text) => pattern.test(text) && resolve(text);
    });
  engine.send("bench");
  const bench = await line(/ nodes \d+ nps$/);
  const games = [];
  for (const variant of ["linesofaction", "scrambledeggs", "englishdraughts"]) {
    engine.send(`setoption name UCI_Variant value ${variant}`);
    const moves = [];
    for (;;) {
      const { bestmove } = await engine.search({ position: { moves }, limits: { nodes: 500 } });
      if (bestmove === "(none)") break;
      moves.push(bestmove);
    }
    engine.send("d");
    games.push(`${variant}, ${moves.length} plies: ${await line(/^Game over/)}`);
  }
  const times = [];
  for (let round = 0; round < 10; round++) {
    engine.send("position startpos");
    engine.send("go infinite");
    await line(/ pv /);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const stopped = performance.now();
    const answer = line(/^bestmove \w/);
    engine.send("stop");
    await answer;
    times.push(performance.now() - stopped);
  }
  await engine.quit();
  return { isShared: crossOriginIsolated, bench, games, times: times.sort((a, b) => a - b) };
};

const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
try {
  for (const headers of [{}, ISOLATED]) {
    const server = await serve(headers);
    const page = await browser.newPage();
    const faults = [];
    page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
    page.on("pageerror", (error) => faults.push(error.message));
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    const { isShared, bench, games, times } = await page.evaluate(useEngine);
    assert.equal(isShared, headers === ISOLATED);
    assert.deepEqual(faults, []);
    assert.equal(bench.split(" ")[0], signature);
    // The median, because a busy machine may delay any thread.
    assert.ok(times[times.length >> 1] <= 50, `stop took ${times} ms`);
    const stop = `stop within ${times.at(-1).toFixed(1)} ms`;
    console.log(`Chromium, shared memory ${isShared}: ${bench}; ${stop}`);
    for (const game of games) console.log(`  ${game}`);
    await page.close();
    server.close();
  }
} finally {
  await browser.close();
}
