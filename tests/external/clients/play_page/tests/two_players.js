/** Tests games of two players at one device, games that are watched, and the turned board. */
const assert = require("node:assert/strict");
const { test, DRAUGHTS } = require("../support/fixture.js");
const { recordLines } = require("../support/socket.js");

/** The square at the top left of the board. */
const corner = (page) => page.board.getByRole("gridcell").first().getAttribute("data-square");
const isTop = async (page, square) => {
  await page.idle();
  assert.equal(await corner(page), square);
};

test("two players: names, draw offers, results, the turned board", async ({ open }) => {
  const page = await open(DRAUGHTS);
  const dialog = page.page.getByRole("dialog", { name: "New game" });
  await page.button("New game").click();
  await dialog.getByRole("radio", { name: "Two players" }).check();
  assert.equal(await dialog.getByRole("group", { name: "Strength" }).isVisible(), false);
  await dialog.getByRole("textbox", { name: "Black" }).fill("Anna");
  await dialog.getByRole("textbox", { name: "White" }).fill("Ben");
  await dialog.getByRole("checkbox", { name: "Turn the board" }).check();
  await dialog.getByRole("button", { name: "Start" }).click();
  await page.status.filter({ hasText: "Anna to move: choose a piece, then its target." }).waitFor();
  await isTop(page, "h1");
  assert.match(await page.player("Black").textContent(), /Anna/);
  await page.typeMove("11-15");
  await page.status.filter({ hasText: "Ben to move." }).waitFor();
  await page.announcer.filter({ hasText: "Anna: 11-15. Ben to move." }).waitFor();
  await isTop(page, "a8");
  // The cursor stays on its square when the board is turned.
  await page.keyTo("a3");
  await page.keyTo("b4");
  await isTop(page, "h1");
  const focused = () => page.page.evaluate(() => document.activeElement.ariaLabel);
  assert.match(await focused(), /^17, /);

  await page.button("Offer draw").click();
  await page.answer("Decline");
  await page.status.filter({ hasText: "Ben declines the draw." }).waitFor();
  await page.button("Offer draw").click();
  await page.status.filter({ hasText: "A draw can be offered again at the next move." }).waitFor();
  await page.typeMove("8-11");
  await page.status.filter({ hasText: "Ben to move." }).waitFor();
  await page.button("Offer draw").click();
  await page.answer("Accept");
  assert.equal(await page.ready(), "Drawn: both players have agreed.");
  await page.button("Take back").click();
  await page.resign();
  const result = page.status.filter({ hasText: /^Anna has won: Ben has resigned\.$/ });
  await result.waitFor();
  await page.page.reload();
  await result.waitFor();
  const [text] = await page.saveRecord();
  assert.match(text, /\[Black "Anna"\]/);
});

test("the board is turned by a rule, the colour to play, or not", async ({ open }) => {
  const page = await open(DRAUGHTS);
  await isTop(page, "h1");
  const choose = async (label) => {
    await page.menu("Display");
    await page.page.getByLabel("At the bottom").selectOption({ label });
    await page.page.keyboard.press("Escape");
  };
  await choose("White");
  await isTop(page, "a8");
  await page.newGame({ side: "White" });
  await isTop(page, "a8");
  await page.newGame({ side: "Black" });
  await isTop(page, "a8");
  await choose("your side");
  await isTop(page, "h1");
  await page.page.reload();
  await isTop(page, "h1");
});

// Who plays, the setting, and the side at the bottom.
const BOTTOM = [
  ["Black", "own", "Black"],
  ["Black", "rule", "White"],
  ["White", "black", "Black"],
  ["White", "own", "White"],
  ["Two players", "mover", "Black"],
];
test("the label at the bottom is true in every game", { isLong: true }, async ({
  open,
  engine,
}) => {
  const page = await open(DRAUGHTS);
  const bottom = page.page.locator("#player-bottom b");
  const is = async (side) => {
    await page.idle();
    assert.equal(await bottom.textContent(), side);
  };
  /** Where the sides begin apart, the player's pieces are nearest to the player. */
  const isNear = async () => {
    const pieces = await page.pieces();
    const squares = await page.board.getByRole("gridcell").all();
    const at = (index) => squares.at(index).getAttribute("data-square");
    const side = pieces[await at(-2)] ?? pieces[await at(-1)];
    assert.equal(side, `${(await bottom.textContent()).toLowerCase()} man`);
  };
  const set = (value) =>
    page.display(() => page.page.getByLabel("At the bottom").selectOption(value));
  for (const { name, title: variant, numbered } of await engine.variants()) {
    for (const [side, setting, expected] of BOTTOM) {
      const mode = side === "Two players" ? side : "Against Soucie";
      if (setting !== "rule") await page.newGame({ variant, mode, side });
      await set(setting);
      await is(expected);
      if (numbered) await isNear();
    }
    const { legal } = await engine.state(name, []);
    await page.typeMove(legal[0].coordinate);
    await is("White");
  }
});

test("watching: a level for each side", { needsServer: true }, async ({ open, engine }) => {
  const page = await open(DRAUGHTS);
  const { sent } = recordLines(page.page);
  await page.page.reload();
  await page.ready();
  await page.button("New game").click();
  const dialog = page.page.getByRole("dialog", { name: "New game" });
  await dialog.getByRole("radio", { name: "Watch Soucie" }).check();
  await dialog.getByRole("combobox", { name: "Black" }).selectOption("easy");
  await dialog.getByRole("combobox", { name: "White" }).selectOption("hard");
  await dialog.getByLabel("Soucie thinks").fill("0.1");
  await dialog.getByRole("button", { name: "Start" }).click();
  await page.watch(2);
  await page.button("Pause").click();
  assert.match(await page.player("Black").textContent(), /Soucie, easy/);
  assert.match(await page.player("White").textContent(), /Soucie, hard/);
  const { levels } = (await engine.variants()).find(({ name }) => name === "englishdraughts");
  const elos = sent.filter((line) => line.includes("UCI_Elo")).slice(-2);
  const values = [levels.easy, levels.hard].map((elo) => `setoption name UCI_Elo value ${elo}`);
  assert.deepEqual(elos.sort(), values.sort());
});

test("watching: a choice of pace, which is kept", async ({ open }) => {
  const page = await open(DRAUGHTS);
  await page.button("New game").click();
  const dialog = page.page.getByRole("dialog", { name: "New game" });
  await dialog.getByRole("radio", { name: "Watch Soucie" }).check();
  await dialog.getByLabel("Pace").selectOption("2 seconds a move");
  await dialog.getByRole("button", { name: "Start" }).click();
  await page.watch(1);
  const start = Date.now();
  await page.page.reload();
  await page.watch(3);
  assert.ok(Date.now() - start > 3500, `two moves after ${Date.now() - start} ms`);
  await page.button("Pause").click();
  await page.button("New game").click();
  assert.equal(await dialog.getByLabel("Pace").inputValue(), "2");
});

test("Black at the bottom, also for White's player", async ({ open }) => {
  const page = await open(DRAUGHTS);
  await page.newGame({ mode: "Against Soucie", side: "White" });
  const bottom = page.page.locator("#player-bottom b");
  assert.equal(await bottom.textContent(), "White");
  await page.display(() => page.page.getByLabel("At the bottom").selectOption("Black"));
  await page.idle();
  assert.equal(await bottom.textContent(), "Black");
  await page.page.reload();
  await page.idle();
  await page.newGame({ mode: "Against Soucie", side: "White" });
  assert.equal(await bottom.textContent(), "Black");
});
