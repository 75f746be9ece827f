/**
 * Tests of the page. Each file has one browser, one server and one engine on a pipe; each test has
 * a browser context of its own, as an empty profile. The server is `soucie play`, or with SITE in
 * the environment a static host with the page in that folder, which has the engine inside.
 */
const assert = require("node:assert/strict");
const { existsSync } = require("node:fs");
const { test: nodeTest, before, after } = require("node:test");
const { chromium } = require("playwright-core");
const { Engine } = require("./engine.js");
const { PlayPage } = require("./play_page.js");
const { Server } = require("./server.js");
const { StaticHost } = require("./static_host.js");

/** The build without windows, if it is there: see `headless`. */
const CHROMIUM = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"].find(existsSync);
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // Simulates DNS rebinding: this name resolves to this computer, and no other name resolves.
  "--host-resolver-rules=MAP rebound.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];
const LOOPBACK = new Set(["127.0.0.1", "rebound.test"]);
/** Milliseconds, also for each step of a test. */
const TEST_TIME = 150_000;
const STEP_TIME = 60_000;

const DESKTOP = { viewport: { width: 1280, height: 900 } };
/** Whether the tested page has the engine inside. */
const IS_STATIC = Boolean(process.env.SITE);
/** Whether tests that take minutes run as well. */
const IS_ALL = process.env.ALL === "all";
/** Queries of the page: games as Black against the level easy. */
const LOA = "?variant=linesofaction&side=black&level=easy";
const DRAUGHTS = "?variant=englishdraughts&side=black&level=easy";
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

let browser;
let server;
let engine;

before(async () => {
  const launched = chromium.launch({
    executablePath: CHROMIUM,
    headless: true,
    args: FLAGS,
  });
  const started = IS_STATIC ? StaticHost.start() : Server.start();
  [browser, server] = await Promise.all([launched, started]);
  engine = new Engine();
});

after(async () => {
  engine?.quit();
  await server?.kill();
  await browser?.close();
});

/**
 * A test, which also fails if a page prints to the console, breaks the content security policy,
 * opens a dialog of the browser or sends a request to another computer.
 * @param {string} name
 * @param {{ context?: object, expected?: RegExp, needsServer?: boolean, isFirstVisit?: boolean,
 *     isLong?: boolean }} options may be left out: the kind of context, what pages print because of
 *     what the test does, whether the test is about the server or its WebSockets, whether the browser
 *     has never had a game on the page, and whether the test takes so long that it runs with `all`
 * @param {(fixture: object) => Promise<void>} body
 */
function test(name, options, body = options) {
  const { context: kind = DESKTOP, expected, isFirstVisit = false } = options;
  const skip = (options.needsServer && IS_STATIC) || (options.isLong && !IS_ALL);
  nodeTest(name, { timeout: TEST_TIME, skip }, async (t) => {
    if (!server.isAlive) await server.restart();
    const context = await browser.newContext(kind);
    context.setDefaultTimeout(STEP_TIME);
    if (!isFirstVisit) await context.addInitScript(chooseGame);
    const faults = [];
    watch(context, (fault) => {
      if (!expected?.test(fault)) faults.push(fault);
    });
    const open = async (place) => {
      const page = new PlayPage(await context.newPage(), server);
      await page.open(place);
      return page;
    };
    try {
      await body({ t, context, server, engine, open });
      assert.deepEqual(faults, []);
    } catch (error) {
      for (const [index, page] of context.pages().entries()) {
        const file = `${process.env.SCRATCH}/failed-${name.replace(/\W+/g, "_")}-${index}.png`;
        await page.screenshot({ path: file }).catch(() => {});
      }
      for (const fault of faults) t.diagnostic(fault);
      throw error;
    } finally {
      await context.close();
    }
  });
}

/** Runs in a page: the last game was one of the default variant. */
function chooseGame() {
  try {
    localStorage["soucie.settings"] ??= '{"next":{"variant":"linesofaction"}}';
  } catch {
    // Pages of other origins may have no storage.
  }
}

/** Reports everything that a page must not do. */
function watch(context, report) {
  const check = (url) => {
    const { protocol, hostname } = new URL(url);
    if (/^(http|ws)/.test(protocol) && !LOOPBACK.has(hostname)) report(`request to ${url}`);
  };
  context.on("console", (message) => report(`console ${message.type()}: ${message.text()}`));
  context.on("weberror", (error) => report(`script: ${error.error()}`));
  context.on("dialog", (dialog) => {
    report(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  context.on("request", (request) => check(request.url()));
  context.on("page", (page) => page.on("websocket", (socket) => check(socket.url())));
}

/** The fragment of a shared game. */
function share(variant, setup, moves = "") {
  return `#${new URLSearchParams({ variant, setup, moves })}`;
}

/** Repeats a check until it passes; throws its last error after `time`. */
async function eventually(check, time = STEP_TIME) {
  const end = Date.now() + time;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

module.exports = { test, eventually, share, DESKTOP, PHONE, LOA, DRAUGHTS, IS_ALL };
