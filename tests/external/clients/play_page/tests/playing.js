/** Tests games: variants, sides, levels, time, and the actions beside the board. */
const assert = require("node:assert/strict");
const { test, LOA } = require("../support/fixture.js");
const { PlayPage, WAYS, END } = require("../support/play_page.js");
const { Server } = require("../support/server.js");
const { recordLines } = require("../support/socket.js");

const count = async (page, plies) => {
  await page.idle();
  assert.equal((await page.moves()).length, plies);
};

test("the dialog offers every game of the engine", async ({ open, engine }) => {
  const page = await open();
  for (const { name, title, start, rules } of await engine.variants()) {
    await page.button("New game").click();
    const dialog = page.page.getByRole("dialog");
    await dialog.getByRole("radio", { name: title, exact: true }).check();
    for (const rule of rules) assert.ok((await dialog.textContent()).includes(rule));
    await dialog.getByRole("radio", { name: "Two players" }).check();
    await dialog.getByRole("button", { name: "Start" }).click();
    await page.page.getByRole("heading", { level: 1, name: title, exact: true }).waitFor();
    await page.ready();
    const state = await engine.state(name, []);
    assert.equal(state.setup, start);
    assert.deepEqual(await page.pieces(), await engine.named(state));
  }
});

const SIDES = [
  ["Black", "Your turn", 0],
  ["White", "Your turn", 1],
  ["Two players", "Black to move", 0],
];
test("sides: one or both", async ({ open }) => {
  const page = await open(LOA);
  for (const [side, status, plies] of SIDES) {
    await page.newGame({ side });
    await page.status.filter({ hasText: status }).waitFor();
    await count(page, plies);
  }
});

test("a new game names the place of the one that it replaces, once", async ({ open }) => {
  const page = await open(LOA);
  const says = (text) => page.status.filter({ hasText: text }).waitFor();
  const kept = "The game before is kept: Open, Earlier games.";
  // None has begun.
  await page.newGame({ side: "Black" });
  await says(/^Your turn: [^.]*\.$/);
  await page.typeMove("b1b3");
  await count(page, 2);
  await page.newGame({ side: "White" });
  await says(`Your turn. ${kept}`);
  await page.announcer.filter({ hasText: kept }).waitFor();
  await page.newGame({ mode: "Two players" });
  await says(new RegExp(`^Black to move: [^.]*\\. ${kept}$`));
  await page.typeMove("b1b3");
  await says(/^White to move\.$/);
  await page.resign();
  await page.newGame({});
  await says(/^Black to move: [^.]*\.$/);
});

test("watching, with a pause", async ({ open }) => {
  const page = await open(LOA);
  await page.newGame({ side: "Watch Soucie" });
  await page.watch(3);
  await page.button("Pause").click();
  await page.button("Go on").waitFor();
  const paused = (await page.moves()).length;
  await page.page.reload();
  await page.button("Go on").waitFor();
  assert.equal((await page.moves()).length, paused);
  await page.button("Go on").click();
  await page.watch(paused + 1);
});

test("both sides by hand", async ({ open, engine }) => {
  const page = await open(LOA);
  await page.newGame({ side: "Two players" });
  await page.notation("coordinate");
  const moves = [];
  for (const side of ["Black", "White", "Black"]) {
    await page.status.filter({ hasText: `${side} to move` }).waitFor();
    const { legal } = await engine.state("linesofaction", moves);
    await page.play(legal[0], WAYS.click);
    moves.push(legal[0].coordinate);
    await count(page, moves.length);
  }
  assert.deepEqual(await page.coordinates(), moves);
});

// The value of `UCI_Elo` that the page sends; null for full strength.
const LEVELS = [
  ["Beginner", (levels) => levels.beginner],
  ["Easy", (levels) => levels.easy],
  ["Medium", (levels) => levels.medium],
  ["Hard", (levels) => levels.hard],
  ["A number", () => 700, "700"],
  ["Full strength", () => null],
];
test("levels", { needsServer: true }, async ({ engine, context, server }) => {
  const [, , { levels }] = await engine.variants();
  const page = new PlayPage(await context.newPage(), server);
  const { sent } = recordLines(page.page);
  await page.open();
  const choices = { variant: "English draughts", side: "White", time: "Without clocks" };
  for (const [level, elo, typed] of LEVELS) {
    await page.newGame({ ...choices, level, elo: typed, seconds: "0.3" });
    await page.ready();
    await count(page, 1);
    // Options that have not changed since the last search are not sent again.
    const expected = elo(levels);
    const last = (name) => sent.findLast((line) => line.startsWith(`setoption name ${name} `));
    const isLimited = expected !== null;
    assert.match(last("UCI_LimitStrength"), new RegExp(`value ${isLimited}$`), level);
    if (isLimited) assert.match(last("UCI_Elo"), new RegExp(`value ${expected}$`), level);
    const searches = sent.slice(sent.lastIndexOf("ucinewgame")).filter((line) => /^go /.test(line));
    assert.deepEqual(searches, ["go movetime 300"], level);
  }
});

test("the buttons are inert until the page has started", async ({ context, server }) => {
  const page = await context.newPage();
  // All scripts are one file, or with the engine inside, files of their own.
  await page.route(/\/(all|keyboard)\.js$/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 500));
    await route.continue();
  });
  await page.goto(server.address, { waitUntil: "commit" });
  await page.getByRole("button", { name: "New game" }).click();
  await page.getByRole("dialog", { name: "New game" }).waitFor();
});

test("a clock with increment", { needsServer: true }, async ({ open, engine }) => {
  const page = await open(LOA);
  const { sent } = recordLines(page.page);
  await page.page.reload();
  await page.idle();
  await page.newGame({ time: "With clocks", minutes: "2", increment: "30", side: "Black" });
  const clock = (side) => page.player(side).getByRole("timer").textContent();
  assert.deepEqual([await clock("Black"), await clock("White")], ["2:00", "2:00"]);
  await page.typeMove("b1b3");
  await count(page, 2);
  assert.match(
    sent.findLast((line) => line.startsWith("go ")),
    /^go btime \d+ wtime \d+ binc 30000 winc 30000$/,
  );
  await page.playOn(engine, "linesofaction", 4);
  await page.idle();
  assert.match(await clock("White"), /^(2:[345]\d|3:00)$/);
});

test("the time of a player runs out", async ({ open }) => {
  const page = await open(LOA);
  await page.page.clock.install();
  await page.newGame({ time: "With clocks", minutes: "1", increment: "0", side: "Black" });
  await page.typeMove("b1b3");
  await count(page, 2);
  await page.ready();
  await page.page.clock.fastForward(61_000);
  await page.status.filter({ hasText: END }).waitFor();
  assert.equal(await page.result(), "You have lost: your time is up.");
});

// A result, the only human, and its text on the page.
const RESULTS = [
  [
    { winner: "white", reason: "the opponent has no pieces" },
    "black",
    "You have lost: you have no pieces",
  ],
  [
    { winner: "white", reason: "the opponent cannot move" },
    "black",
    "You have lost: you cannot move",
  ],
  [
    { winner: "white", reason: "the opponent's time is up" },
    "black",
    "You have lost: your time is up",
  ],
  [
    { winner: "white", reason: "the opponent's time is up" },
    "white",
    "You have won: Black's time is up",
  ],
  [
    { winner: "white", reason: "the opponent has resigned" },
    null,
    "White has won: Black has resigned",
  ],
  [
    { winner: "white", reason: "all its stones are connected" },
    "black",
    "You have lost: all White's stones are connected",
  ],
  [
    { winner: "black", reason: "all its stones are connected" },
    "black",
    "You have won: all your stones are connected",
  ],
  [{ winner: "black", reason: "by the record" }, null, "Black has won, as recorded"],
  [{ winner: null, reason: "by the record" }, null, "Drawn, as recorded"],
];
test("a result is told to its reader", async ({ open }) => {
  const page = await open(LOA);
  const told = await page.page.evaluate(async (rows) => {
    const { resultText } = await import(new URL("text.js", location.href).href);
    return rows.map(([result, humanSide]) => resultText(result, { humanSide, setting: {} }));
  }, RESULTS);
  assert.deepEqual(
    told,
    RESULTS.map(([, , text]) => text),
  );
});

test("take back", async ({ open, engine }) => {
  const page = await open(LOA);
  assert.equal(await page.button("Take back").isDisabled(), true);
  await page.typeMove("b1b3");
  await count(page, 2);
  await page.button("Take back").click();
  await page.status.filter({ hasText: "Your turn" }).waitFor();
  const { pieces } = await engine.state("linesofaction", []);
  const squares = pieces.map(({ square }) => square).sort();
  assert.deepEqual(Object.keys(await page.pieces()).sort(), squares);
  // What was taken back leaves no branch.
  await page.typeMove("g1g3");
  await page.idle();
  const moves = await page.moves();
  assert.ok(moves[0] === "g1-g3" && moves.length === 2, moves.join(" "));
});

test("hint", async ({ open, engine }) => {
  const page = await open(LOA);
  await page.button("Hint").click();
  await page.status.filter({ hasText: "Hint: " }).waitFor();
  const hinted = (await page.status.textContent()).match(/^Hint: (\S+?)[.,]?( |$)/)[1];
  const { legal } = await engine.state("linesofaction", []);
  const move = legal.find(({ standard }) => standard === hinted);
  const arrow = page.page.locator(".board .arrow.better .shaft");
  const points = (await arrow.getAttribute("points")).split(/[ ,]+/).map(Number);
  const centres = move.path.flatMap((at) => ["abcdefgh".indexOf(at[0]) + 0.5, 8.5 - at[1]]);
  assert.deepEqual(points, centres);
  await page.play(move, WAYS.click);
  await count(page, 2);
  assert.equal(await arrow.count(), 0);
});

test("resign", async ({ open }) => {
  const page = await open(LOA);
  await page.typeMove("b1b3");
  await count(page, 2);
  // The result is shown where the game ends, and the turn is that of the position on the board.
  await page.button("One move back").click();
  await page.player("White").getByText("to move").waitFor();
  assert.ok(await page.button("Offer draw").isEnabled());
  await page.resign();
  assert.equal(await page.ready(), "You have lost: you have resigned.");
  assert.equal(await page.result(), "You have lost: you have resigned.");
  await page.announcer.filter({ hasText: "You have lost: you have resigned" }).waitFor();
  assert.deepEqual(await page.squares("target"), []);
});

test("a move in a finished game is a variation, which can be deleted", async ({ open, engine }) => {
  const page = await open(LOA);
  await page.typeMove("b1b3");
  await count(page, 2);
  await page.resign();
  const [first, reply] = await page.moves();
  // At the end, also for the other side, and typed. The reply decides which moves there are.
  const [end] = (await engine.state("linesofaction", [first, reply])).legal;
  await page.play(end, WAYS.click);
  await page.status.filter({ hasText: "of a branch" }).waitFor();
  await page.button("Back to the game").click();
  assert.equal(await page.button("Take back").isDisabled(), false);
  await page.button("To the start").click();
  // Looking back leaves the result.
  assert.equal(await page.button("Take back").isDisabled(), true);
  await page.play({ path: ["d1", "b3"] }, WAYS.drag);
  await page.typeMove("h4-f2");
  await count(page, 5);
  assert.deepEqual(await page.moves(), [first, "d1-b3", "h4-f2", reply, end.standard]);
  assert.equal(await page.page.locator("#ask-dialog").isVisible(), false);
  await page.page.reload();
  await page.status.filter({ hasText: "of a branch" }).waitFor();
  await page.button("Delete this variation").click();
  await page.answer("Cancel");
  await page.button("Delete this variation").click();
  await page.answer("Delete");
  await page.idle();
  assert.deepEqual(await page.moves(), [first, reply, end.standard]);
  assert.equal(await page.button("Delete this variation").isVisible(), false);
  assert.equal(await page.movesPanel.locator(".outcome").textContent(), "White won.");
});

test("play again exchanges the colours", async ({ open }) => {
  const page = await open(LOA);
  assert.equal(await page.button("Play again, colours exchanged").isVisible(), false);
  await page.resign();
  await page.button("Play again, colours exchanged").click();
  await page.player("White").getByText("you").waitFor();
  await page.player("Black").getByText("Soucie, easy").waitFor();
  await count(page, 1);
  assert.equal(await page.button("Play again, colours exchanged").isVisible(), false);
});

test("flip", async ({ open, engine }) => {
  const page = await open(LOA);
  const corner = page.board.getByRole("gridcell").first();
  assert.equal(await corner.getAttribute("aria-label"), "a8, empty");
  await page.button("Flip").click();
  assert.equal(await corner.getAttribute("aria-label"), "h1, empty");
  const { legal } = await engine.state("linesofaction", []);
  await page.play(legal[0], WAYS.drag);
  await count(page, 2);
  await page.notation("coordinate");
  assert.equal((await page.coordinates())[0], legal[0].coordinate);
});

test("the engine moves at once on demand", async ({ open }) => {
  const page = await open(LOA);
  await page.newGame({ level: "Full strength", time: "Without clocks", seconds: "600" });
  await page.typeMove("b1b3");
  await page.button("Move now").click();
  await count(page, 2);
});

test("a game from the position on the board", async ({ open }) => {
  const page = await open(LOA);
  await page.typeMove("b1b3");
  await count(page, 2);
  await page.ready();
  const before = await page.pieces();
  await page.newGame({ from: "Position on the board" });
  await page.ready();
  assert.deepEqual(await page.pieces(), before);
  await count(page, 0);
});

test("a game from a position that the engine still reads", {
  needsServer: true,
  isLong: true,
}, async ({ context, server }) => {
  const page = new PlayPage(await context.newPage(), server);
  await page.page.routeWebSocket(/./, (socket) => {
    const engine = socket.connectToServer();
    engine.onMessage((line) => setTimeout(() => socket.send(line), 500));
  });
  await page.open(LOA);
  await page.typeMove("b1b3");
  await page.watch(2);
  await page.newGame({ from: "Position on the board" });
  await count(page, 0);
  const pieces = await page.pieces();
  assert.deepEqual([pieces.b1, pieces.b3], [undefined, "black stone"]);
});

test("the choices of the command line", { needsServer: true }, async ({ open }) => {
  const other = await Server.start("--variant", "draughts", "--elo", "900", "--white");
  const page = await open();
  await page.page.goto(other.address);
  await page.page.getByRole("heading", { name: "English draughts" }).waitFor();
  await count(page, 1);
  assert.match(await page.player("Black").textContent(), /Soucie, strength 900 \(Elo\)/);
  assert.equal(page.page.url().includes("?"), false);
  await other.kill();
});

test("the dialog closes before the first move of the engine", async ({ open }) => {
  const page = await open(LOA);
  await page.newGame({ side: "White", level: "Full strength", seconds: "10" });
  assert.equal((await page.moves()).length, 0);
});

test("a typed move after a draw by repetition is refused", async ({ open }) => {
  const page = await open(LOA);
  await page.newGame({ side: "Two players" });
  const moves = "b1b3 a2c2 b3b1 c2a2 b1b3 a2c2 b3b1 c2a2".split(" ");
  for (const [index, move] of moves.entries()) {
    await page.typeMove(move);
    await count(page, index + 1);
    await page.ready();
  }
  assert.equal(await page.result(), "Drawn: repetition.");
  await page.typeMove("b1b3");
  await page.page.locator("#typed-error").filter({ hasText: "the game is over" }).waitFor();
});

test("a typed move that cannot be played leaves its reason until the next position", async ({
  open,
}) => {
  const page = await open(LOA);
  const fault = page.page.locator("#typed-error");
  await page.newGame({ side: "Two players" });
  await page.typeMove("d1-b3");
  await count(page, 1);
  await page.typeMove("d1-d2");
  await fault.filter({ hasText: "no White stone on d1" }).waitFor();
  await page.page.locator("#step-back").click();
  await page.idle();
  assert.equal(await fault.textContent(), "");
});

test("each level has its Elo beside it, which describes it", async ({ open, engine }) => {
  const page = await open();
  const [{ levels }] = await engine.variants();
  await page.button("New game").click();
  for (const [name, elo] of Object.entries(levels)) {
    const label = page.page.locator("#level-choices label", { hasText: new RegExp(name, "i") });
    assert.match(await label.textContent(), new RegExp(`^${name}Elo ${elo}$`, "i"));
    const button = label.getByRole("radio", { name: new RegExp(`^${name}$`, "i") });
    assert.equal(await button.evaluate((radio) => radio.ariaDescription), `Elo ${elo}`);
  }
});
