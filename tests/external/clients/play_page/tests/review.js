/** Tests "Analyse this game": the page shows the findings of `soucie analyse`. */
const assert = require("node:assert/strict");
const { test, PHONE } = require("../support/fixture.js");
const { BLUNDERS, analyseQuickly } = require("../support/states.js");

/** The moves of the game that are bad beyond doubt. */
const BAD = [
  [2, "blunder"],
  [5, "blunder"],
];

const report = (page) => page.page.locator("#review-report");
const points = (page) => report(page).locator(".point");
const saved = (page) => page.button("Save analysis page");
const tab = (page, name) => page.page.getByRole("tab", { name }).click();

/** Opens a game with blunders on both sides, and begins its analysis. */
async function analyse(open) {
  const page = await open();
  await page.openText(BLUNDERS);
  await tab(page, "Game analysis");
  await page.button("Analyse this game").click();
  await page.page.getByRole("progressbar", { name: "Moves analysed" }).waitFor();
  return page;
}

/** The moves with a bad mark in the list of moves, by their place in the game. */
async function marked(page) {
  await tab(page, "Moves");
  const entries = await page.movesPanel.getByRole("listitem").all();
  const found = [];
  for (const [index, entry] of entries.entries()) {
    const mark = entry.getByRole("img", { name: /mistake|blunder|missed win/ });
    if (await mark.count()) found.push([index + 1, await mark.getAttribute("title")]);
  }
  return found;
}

/** Waits until the board shows the game after so many plies. */
async function shows(page, engine, plies) {
  const [, setup, , ...moves] = BLUNDERS.split(" ");
  const state = await engine.state("englishdraughts", moves.slice(0, plies), setup);
  const expected = await engine.named(state);
  await page.idle();
  assert.deepEqual(await page.pieces(), expected);
}

test("turning points are shown as they are found, with the progress in view", {
  context: PHONE,
  needsServer: true,
}, async ({ open, context }) => {
  // Slower, so that the list can be seen.
  await context.addInitScript(() => {
    const { send } = WebSocket.prototype;
    WebSocket.prototype.send = function (line) {
      const slow = line.replace("analyse {", 'analyse {"movetime":700,').replace(",}", "}");
      send.call(this, slow);
    };
  });
  const page = await analyse(open);
  await page.status.filter({ hasText: /^Analysing the game: \d of 6 moves …$/ }).waitFor();
  const { y, height } = await page.status.boundingBox();
  assert.ok(y >= 0 && y + height <= page.page.viewportSize().height);
  const found = page.page.locator("#review-found button");
  await found.filter({ hasText: "Black's move 3" }).waitFor();
  // The game is analysed from its end on.
  assert.equal(await found.count(), 1);
  await page.idle();
  await points(page).first().waitFor();
  assert.ok(!(await found.first().isVisible()));
});

test("turning points, marks, better moves, the graph; saved and kept", async ({
  open,
  engine,
  context,
}) => {
  await analyseQuickly(context);
  const page = await analyse(open);
  await page.idle();
  await saved(page).waitFor();
  await page.announcer.filter({ hasText: "analysed" }).waitFor();

  assert.deepEqual(await marked(page), BAD);
  await tab(page, "Game analysis");
  assert.equal(await points(page).count(), BAD.length);
  const again = await page.button("Analyse again").boundingBox();
  const save = await saved(page).boundingBox();
  assert.ok(again.x + again.width < save.x - 4 || again.y + again.height < save.y - 4);
  assert.equal(await report(page).locator(".graph").count(), 1);
  await report(page).getByRole("rowheader", { name: "Black", exact: true }).waitFor();

  // A turning point is shown before its move, with arrows for that move and the better one.
  await points(page).first().getByRole("link").first().click();
  await shows(page, engine, BAD[0][0] - 1);
  const arrows = page.page.locator("#board .arrow");
  const kinds = await arrows.evaluateAll((all) => all.map((e) => e.getAttribute("class")));
  assert.deepEqual(kinds, ["arrow played", "arrow better"]);

  // A place in the graph is a position.
  const plot = report(page).locator(".plot > svg");
  const { width, height } = await plot.boundingBox();
  await plot.click({ position: { x: width - 1, y: height / 2 } });
  await shows(page, engine, 6);

  // The page that `soucie analyse --html` writes is saved.
  const downloading = page.page.waitForEvent("download");
  await saved(page).click();
  const download = await downloading;
  assert.match(download.suggestedFilename(), /^analysis-[\d-]+\.html$/);
  const file = await context.newPage();
  const path = `${process.env.SCRATCH}/analysis.html`;
  await download.saveAs(path);
  await file.goto(`file://${path}`);
  assert.equal(await file.locator(".point").count(), await points(page).count());
  assert.ok((await file.locator("svg.board").count()) > 0);

  // The marks are in the record.
  const [record] = await page.saveRecord();
  const { games } = await engine.query([], `import ${JSON.stringify({ text: record })}`);
  assert.deepEqual(
    games[0].annotations.map(({ ply, nags }) => [ply, nags]),
    BAD.map(([ply]) => [ply, [4]]),
  );

  // The marks are kept over a reload.
  await page.page.reload();
  await page.ready();
  assert.deepEqual(await marked(page), BAD);
  await tab(page, "Game analysis");
  assert.equal(await points(page).count(), BAD.length);

  // The positions to solve have the percentages of the report.
  const [from, to] = (await points(page).last().textContent()).match(/\d+\s%/g);
  await page.page.getByLabel("Whose moves to learn from").selectOption("Black");
  await page.page.locator("#learn-start").click();
  await page.page
    .locator("#lesson-text", { hasText: `Black's chances fell from ${from} to ${to}.` })
    .waitFor();

  // The record has marks, and each is shown once if it is analysed again.
  await page.openText(record);
  await page.waitForMoves(6);
  await tab(page, "Game analysis");
  await page.button("Analyse this game").click();
  await page.idle();
  await saved(page).waitFor();
  assert.deepEqual(await marked(page), BAD);
  assert.match((await page.moves())[1], /^[\d-]+\?\?$/);
});

test("the analysis of a game is stopped", async ({ open }) => {
  const page = await analyse(open);
  await page.page
    .locator("#review-message", { hasText: /^Analysing the game: \d of 6 moves$/ })
    .waitFor();
  // The focus goes on from a button that is hidden.
  const focus = (id) => page.page.locator(`#${id}:focus`).waitFor();
  await focus("review-stop");
  await page.page.keyboard.press("Enter");
  await page.page.locator("#review-message", { hasText: "Stopped." }).waitFor();
  await focus("review-start");
  // The end of the stopped one does not end the next one.
  await page.page.keyboard.press("Enter");
  await page.page.getByRole("progressbar", { name: "Moves analysed" }).waitFor();
  await page.idle();
  await saved(page).waitFor();
  await focus("learn-start");
  // A finished analysis stays when another one is stopped.
  const count = await points(page).count();
  await page.button("Analyse again").click();
  await page.button("Stop").click();
  await page.page.locator("#review-message", { hasText: "Stopped." }).waitFor();
  await saved(page).waitFor();
  assert.equal(await points(page).count(), count);
});

test("another game ends the analysis without a message", async ({ open }) => {
  const page = await analyse(open);
  await page.newGame({});
  await page.ready();
  await page.page.getByRole("progressbar").waitFor({ state: "hidden" });
  assert.doesNotMatch(await page.announcer.textContent(), /nalys|Stopped/);
  assert.match(await page.page.locator("#review-message").textContent(), /no moves yet/);
});

/**
 * Replaces the analyses of a page, from the second line of each on.
 * @param {(socket: import("playwright-core").WebSocketRoute) => void} fail
 * @param {number} times
 */
async function failAnalyses(page, fail, times) {
  let left = times;
  await page.page.routeWebSocket(/\/ws$/, (socket) => {
    const server = socket.connectToServer();
    let hasFailed = false;
    socket.onMessage((line) => server.send(line));
    server.onMessage((line) => {
      const isOfAnalysis = String(line).startsWith("analyse ");
      if (isOfAnalysis && left > 0 && !hasFailed) {
        left -= 1;
        hasFailed = true;
        fail(socket);
        server.send("stop");
      } else if (!isOfAnalysis || !hasFailed) socket.send(line);
      else if (/null|"final"/.test(line)) hasFailed = false;
    });
  });
  await page.page.reload();
  await page.ready();
}

// What fails, how often, and the message: while the analysis runs, without a reason, and with the
// engine each time.
const FAILURES = [
  [
    (socket) => {
      socket.send("info string error analyse: the disk is full");
      socket.send("analyse null");
    },
    1,
    "The analysis has failed: the disk is full",
  ],
  [
    (socket) => socket.send("analyse null"),
    1,
    "The analysis has failed: the engine has not finished",
  ],
  [
    (socket) => socket.close({ reason: "the engine has failed" }),
    3,
    "The analysis has failed: the engine has failed",
  ],
];
test("an analysis that fails is reported, and can be repeated", {
  needsServer: true,
  isLong: true,
}, async ({ open, context }) => {
  await analyseQuickly(context);
  const page = await open();
  await page.openText(BLUNDERS);
  await page.page.getByRole("heading", { name: "English draughts" }).waitFor();
  for (const [fail, times, message] of FAILURES) {
    await failAnalyses(page, fail, times);
    await tab(page, "Game analysis");
    await page.page.locator("#review-start").click();
    await page.idle();
    await page.page.locator("#review-message", { hasText: message }).waitFor();
    await page.announcer.filter({ hasText: "has failed" }).waitFor();
    await page.page.getByRole("progressbar").waitFor({ state: "hidden" });
  }
  await page.button("Analyse again").click();
  await page.idle();
  await saved(page).waitFor();
});

test("a finished game can be analysed", async ({ open, engine, context }) => {
  await analyseQuickly(context);
  const page = await open("?variant=linesofaction&side=black&level=easy");
  await page.playOn(engine, "linesofaction", 4);
  await page.resign();
  await tab(page, "Game analysis");
  await page.button("Analyse this game").click();
  await page.idle();
  await saved(page).waitFor();
});
