/** Tests the page with the engine inside: offline, in new versions, as an installed program. */
const assert = require("node:assert/strict");
const { test, eventually } = require("../../clients/play_page/support/fixture.js");
const { PlayPage } = require("../../clients/play_page/support/play_page.js");

const VARIANTS = ["linesofaction", "englishdraughts"];
const easy = (variant) => `?variant=${variant}&side=black&level=easy`;

/** Waits until all files of the page are cached. @param {import("playwright-core").Page} page */
const hasAll = (page) => page.evaluate(() => navigator.serviceWorker.ready.then(() => true));

/**
 * Runs a part of a test without a network. The host is down as well, because the emulation of the
 * browser does not block the requests for a new version of the service worker.
 */
async function withoutNetwork({ context, server }, body) {
  const { length } = server.requests;
  server.isDown = true;
  try {
    await context.setOffline(true);
    await body();
  } finally {
    server.isDown = false;
  }
  const missed = server.requests.slice(length).filter((url) => !url.endsWith("service-worker.js"));
  assert.deepEqual(missed, []);
}

for (const variant of VARIANTS) {
  test(`${variant} after a reload without a network`, async (tools) => {
    const { open, engine } = tools;
    const page = await open(easy(variant));
    const moves = await page.playOn(engine, variant, 2);
    assert.ok(await hasAll(page.page));
    await withoutNetwork(tools, async () => {
      await page.page.reload();
      await page.ready();
      assert.deepEqual(await page.coordinates(), moves);
      await page.playOn(engine, variant, 6);
    });
  });
}

test("a link to a position without a network", async (tools) => {
  const { open, engine } = tools;
  const first = await open(easy("englishdraughts"));
  assert.ok(await hasAll(first.page));
  await withoutNetwork(tools, async () => {
    const page = await open("#variant=englishdraughts&moves=11-15+23-19");
    assert.equal((await page.coordinates()).length, 2);
    const { pieces } = await engine.state("englishdraughts", ["11-15", "23-19"]);
    assert.equal(Object.keys(await page.pieces()).length, pieces.length);
  });
});

/** A win in 40 moves, which no search finds soon. */
const ENDING = `#variant=englishdraughts&setup=${encodeURIComponent("W:WK13,K22:B28,8")}`;

/** Waits for a best line with this text. @param {RegExp} text */
async function analyse({ page }, text) {
  await page.getByRole("switch", { name: "Analyse position" }).check();
  const lines = page.getByRole("list", { name: "Best lines" }).getByRole("listitem");
  await eventually(async () => assert.match(await lines.first().textContent(), text));
}

/** Returns how often the tables have been requested. */
const tableRequests = ({ requests }) =>
  requests.filter((url) => url.endsWith("/draughts.tables")).length;

test("endgame tables when few pieces are left", async (tools) => {
  const { open, server } = tools;
  const before = tableRequests(server);
  const first = await open(easy("englishdraughts"));
  assert.ok(await hasAll(first.page));
  assert.equal(tableRequests(server), before);
  const page = await open(ENDING);
  await analyse(page, /White wins in 40/);
  assert.equal(tableRequests(server), before + 1);
  await withoutNetwork(tools, async () => {
    await page.page.reload();
    await page.ready();
    await analyse(page, /White wins in 40/);
  });
});

test("an ending without tables", { expected: /Failed to load/ }, async ({ open, server }) => {
  const before = tableRequests(server);
  server.missing = "draughts.tables";
  try {
    const page = await open(ENDING);
    await eventually(() => assert.equal(tableRequests(server), before + 1));
    await analyse(page, /\d\s%/);
  } finally {
    server.missing = null;
  }
});

test("a search is stopped", async ({ open, engine }) => {
  const page = await open();
  await page.newGame({ variant: "English draughts", level: "Full strength", seconds: "600" });
  await page.playFirst(engine, "englishdraughts");
  await page.status.filter({ hasText: "White is thinking" }).waitFor();
  await page.button("Move now").click();
  await page.waitForMoves(2);
  assert.match(await page.ready(), /Your turn/);
});

test("the engine answers during a search", async ({ open }) => {
  const page = await open(easy("linesofaction"));
  await page.page.getByRole("switch", { name: "Analyse position" }).check();
  const lines = page.page.getByRole("list", { name: "Best lines" }).getByRole("listitem");
  await eventually(async () => {
    assert.match(await lines.first().textContent(), /\d\s%.*-.*-/);
  });
  // The moves of a line are read while the search continues.
  await lines.first().getByRole("button").nth(1).click();
  await page.status.filter({ hasText: /After White's move 1 of/ }).waitFor();
});

test("a new version takes over at a reload", async ({ open, context, server }) => {
  const rename = (name) => {
    const hash = JSON.stringify(name);
    server.edit("service-worker.js", (text) => text.replace(/(VERSION = ).*;/, `$1${hash};`));
  };
  const caches = (page) =>
    page.evaluate(async () => (await globalThis.caches.keys()).map((key) => key.split(" ").at(-1)));
  const waiting = (page) =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      await registration.update();
      return registration.waiting !== null;
    });

  rename("one");
  const { page } = await open();
  assert.ok(await hasAll(page));
  assert.deepEqual(await caches(page), ["one"]);
  rename("two");
  await eventually(async () => assert.ok(await waiting(page)));

  // The old version stays active while another tab uses it.
  const other = await open();
  assert.deepEqual((await caches(page)).sort(), ["one", "two"]);
  await other.page.close();
  await page.reload();
  await new PlayPage(page, server).ready();
  assert.deepEqual(await caches(page), ["two"]);
  await withoutNetwork({ context, server }, async () => {
    await page.reload();
    await new PlayPage(page, server).ready();
  });
});

test("a file of another version is not kept", { expected: /digest|integrity/i }, async (tools) => {
  const { context, server } = tools;
  server.edit("text.js", (text) => `${text}// changed\n`);
  const page = new PlayPage(await context.newPage(), server);
  await page.open();
  const isKept = () =>
    page.page.evaluate(async () => {
      const { installing, active } = (await navigator.serviceWorker.getRegistration()) ?? {};
      return installing ? "loading" : Boolean(active);
    });
  await eventually(async () => assert.equal(await isKept(), false));
  server.edit("text.js", (text) => text.replace("// changed\n", ""));
});

test("browsers offer to install it", async ({ open, context }) => {
  const { page } = await open();
  assert.ok(await hasAll(page));
  const session = await context.newCDPSession(page);
  const { errors, data } = await session.send("Page.getAppManifest");
  assert.deepEqual(errors, []);
  for (const { src, sizes } of JSON.parse(data).icons) {
    const size = await page.evaluate(async (address) => {
      const image = new Image();
      image.src = address;
      await image.decode();
      return `${image.naturalWidth}x${image.naturalHeight}`;
    }, src);
    assert.ok(sizes === "any" || sizes === size, `${src}: ${size}`);
  }
  const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
  // A profile for tests is an incognito window, where nothing is installed.
  const ids = installabilityErrors.map(({ errorId }) => errorId);
  assert.deepEqual(
    ids.filter((id) => id !== "in-incognito"),
    [],
  );
});

test("a host without HTTPS", async ({ context, engine, server }) => {
  const page = new PlayPage(await context.newPage(), server);
  const address = server.address.replace("127.0.0.1", "rebound.test");
  await page.page.goto(address + easy("linesofaction"));
  await page.ready();
  assert.equal(await page.page.evaluate(() => isSecureContext), false);
  await page.playOn(engine, "linesofaction", 2);
});

/** The message of the browser about a violation of the policy. */
const expected = /Content Security Policy/;

test("only the page's own files, no server", { expected }, async ({ open, server }) => {
  const { length } = server.requests;
  const page = await open(easy("linesofaction"));
  assert.ok(await hasAll(page.page));
  for (const url of server.requests.slice(length)) assert.match(url, /^\/games\/soucie\//);
  const text = await page.page.evaluate(() => document.body.textContent);
  assert.doesNotMatch(text, /connection|server|thread/i);
  const policy = await page.page.evaluate(async () => {
    const found = [];
    document.addEventListener("securitypolicyviolation", (e) => found.push(e.effectiveDirective));
    document.body.setAttribute("onclick", "globalThis.hasRun = true");
    document.body.click();
    await fetch("http://127.0.0.1:1/").catch(() => {});
    await new Promise((resolve) => setTimeout(resolve));
    return [globalThis.hasRun ?? false, found.sort()];
  });
  assert.deepEqual(policy, [false, ["connect-src", "script-src-attr"]]);
});

test("an engine that cannot be loaded is started later", { expected: /404/ }, async (tools) => {
  const { context, server } = tools;
  const page = new PlayPage(await context.newPage(), server);
  await page.page.route("**/soucie.wasm", (route) => route.fulfill({ status: 404 }));
  await page.page.goto(server.address);
  await page.page
    .getByRole("alert")
    .filter({ hasText: /engine does not run: cannot load/ })
    .waitFor();
  await page.page.unroute("**/soucie.wasm");
  await page.ready();
});
