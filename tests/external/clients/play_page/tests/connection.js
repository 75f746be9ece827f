/** Tests a server that is killed and restarted, or has no free engine. */
const assert = require("node:assert/strict");
const { pathToFileURL } = require("node:url");
const { test, eventually } = require("../support/fixture.js");
const { PlayPage } = require("../support/play_page.js");
const { Server } = require("../support/server.js");

/** The messages of browsers about an unreachable server. */
const expected = /WebSocket connection to .* failed|ERR_CONNECTION_REFUSED/;
const VARIANT = "englishdraughts";

const EASY = `?variant=${VARIANT}&side=black&level=easy`;

test("between two moves", { expected }, async ({ open, engine, server }) => {
  const page = await open(EASY);
  await page.playOn(engine, VARIANT, 2);
  await server.kill();
  await page.notice.filter({ hasText: "No connection to the engine" }).waitFor();
  await server.restart();
  await page.notice.waitFor({ state: "hidden" });
  const moves = await page.playOn(engine, VARIANT, 4);
  const { pieces } = await engine.state(VARIANT, moves);
  assert.equal(Object.keys(await page.pieces()).length, pieces.length);
});

test("while the engine thinks", { expected }, async ({ open, engine, server }) => {
  const page = await open();
  await page.newGame({ variant: "English draughts", level: "Full strength", seconds: "600" });
  await page.playFirst(engine, VARIANT);
  await page.status.filter({ hasText: "White is thinking" }).waitFor();
  await server.kill();
  await page.notice.waitFor();
  await server.restart();
  await page.notice.waitFor({ state: "hidden" });
  await page.button("Move now").click();
  await page.waitForMoves(2);
  assert.match(await page.ready(), /Your turn/);
});

test("a move made while disconnected is answered afterwards", { expected }, async (tools) => {
  const { open, engine, server } = tools;
  const page = await open(EASY);
  await server.kill();
  await page.notice.waitFor();
  await page.playFirst(engine, VARIANT);
  await server.restart();
  await page.waitForMoves(2);
});

test("a command that is lost with the connection is repeated", async ({ open, engine }) => {
  const page = await open(EASY);
  let left = 1;
  await page.page.routeWebSocket(/\/ws$/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((line) => {
      if (line === "isready" && left > 0 && left--) socket.close({ reason: "lost" });
      else server.send(line);
    });
  });
  await page.page.reload();
  await page.ready();
  assert.equal(left, 0);
  await page.playOn(engine, VARIANT, 2);
});

test("the user connects again without waiting", { expected }, async ({ open, server }) => {
  const page = await open();
  // The clock is paused, so that no attempt follows automatically.
  await page.page.clock.install();
  await page.page.clock.pauseAt(Date.now() + 60_000);
  await server.kill();
  await page.notice.waitFor();
  await server.restart();
  await page.button("Try now").click();
  await page.notice.waitFor({ state: "hidden" });
});

test("a reload after the server was killed and started again", { expected }, async (tools) => {
  const { open, engine, server } = tools;
  const page = await open(EASY);
  const moves = await page.playOn(engine, VARIANT, 2);
  await server.kill();
  await page.notice.waitFor();
  await server.restart();
  await page.page.reload();
  await page.ready();
  assert.deepEqual(await page.moves(), moves);
});

test("a page that is refused repeatedly tries again", { isLong: true }, async ({
  context,
  server,
}) => {
  const page = new PlayPage(await context.newPage(), server);
  let left = 4;
  await page.page.routeWebSocket(/\/ws$/, (socket) => {
    if (left === 0) socket.connectToServer();
    else {
      left -= 1;
      socket.onMessage(() => socket.close({ code: 1013, reason: "no engine to spare" }));
    }
  });
  await page.open();
  assert.equal(left, 0);
});

test("a fifth board is refused until one is closed", async ({ open, context, server }) => {
  const pages = [];
  for (let i = 0; i < 4; i++) pages.push(await open());
  const fifth = await context.newPage();
  await fifth.goto(server.address);
  const notice = fifth.getByRole("alert").filter({ hasText: "boards are open already" });
  await notice.waitFor();
  await pages[0].page.close();
  await notice.waitFor({ state: "hidden" });
  await fifth
    .locator("#status")
    .filter({ hasText: /Your turn|to move/ })
    .waitFor();
});

test("the browser is opened with a file that leads to the page", async ({ context }) => {
  const [server, opened] = await Server.withBrowser("--variant", "draughts", "--white");
  try {
    const file = await eventually(async () => {
      const path = opened();
      assert.ok(path);
      return path;
    });
    const { origin, pathname } = new URL(server.address);
    assert.ok(!file.includes(pathname));
    const page = new PlayPage(await context.newPage(), server);
    await page.page.goto(pathToFileURL(file).href);
    await page.page.getByRole("heading", { name: "English draughts" }).waitFor();
    await page.waitForMoves(1);
    // The address can be reloaded, and be a bookmark.
    assert.equal(page.page.url(), origin + pathname);
    const moves = await page.moves();
    await page.page.reload();
    await page.ready();
    assert.deepEqual(await page.moves(), moves);
  } finally {
    await server.kill();
  }
});

test("a job that ends before its start is confirmed has failed", async ({ open }) => {
  const page = await open();
  const failures = await page.page.evaluate(async () => {
    const { Engine } = await import(new URL("engine.js", location.href).href);
    const answers = {
      fail: ["info string error fail: no memory", "last"],
      end: ["last"],
      isready: ["readyok"],
    };
    const engine = new Engine(({ onOpen, onLine }) => {
      setTimeout(onOpen);
      const send = (line) => {
        for (const answer of answers[line] ?? []) setTimeout(onLine, 0, answer);
      };
      return { send };
    }, []);
    engine.connect();
    const position = { variant: "linesofaction", setup: null, moves: [] };
    const failure = (command) => {
      const { promise, resolve } = Promise.withResolvers();
      engine.run(position, {}, command, resolve, (line) => line === "last");
      setTimeout(resolve, 5000, { message: "none" });
      return promise;
    };
    const errors = [await failure("end"), await failure("fail"), await failure("end")];
    return errors.map(({ message }) => message);
  });
  const unfinished = "the engine has not finished";
  assert.deepEqual(failures, [unfinished, "fail: no memory", unfinished]);
});

test("what needs the engine looks inert while there is none", { expected }, async ({
  open,
  server,
}) => {
  const page = await open(EASY);
  const opacity = () => page.button("Hint").evaluate((button) => getComputedStyle(button).opacity);
  assert.ok(await page.button("Hint").isEnabled());
  assert.equal(await opacity(), "1");
  await server.kill();
  await page.notice.waitFor();
  for (const name of ["Hint", "Offer draw"]) assert.ok(await page.button(name).isDisabled(), name);
  assert.notEqual(await opacity(), "1");
  // Also on a page that never had an engine.
  await server.restart();
  await page.page.routeWebSocket(/\/ws$/, (socket) => socket.close());
  await page.page.reload();
  await page.notice.waitFor();
  await eventually(async () => assert.notEqual(await opacity(), "1"));
});
