/** Tests what is in reach on a phone, and what is printed. */
const assert = require("node:assert/strict");
const { readFileSync } = require("node:fs");
const path = require("node:path");
const { test, eventually, DESKTOP, PHONE, DRAUGHTS } = require("../support/fixture.js");

/** A game of 29 moves. */
const SGF = readFileSync(path.join(__dirname, "../../browser_page/loa.sgf"), "utf8");

test("the board, its status and the controls are on the first screen", { context: PHONE }, async ({
  open,
}) => {
  const page = await open(DRAUGHTS);
  assert.equal(await page.status.textContent(), "Your turn: choose a piece, then its target.");
  const { height } = PHONE.viewport;
  const edges = async (locator) => {
    const box = await locator.boundingBox();
    return [box.y, box.y + box.height];
  };
  const [statusTop, statusBottom] = await edges(page.status);
  const [controlsTop] = await edges(page.page.locator(".controls"));
  assert.ok((await edges(page.page.locator("#board")))[1] <= statusTop);
  assert.ok(statusBottom <= controlsTop);
  // The menus take one row.
  const tops = ["New game", "Display"].map((name) =>
    page.page.locator(".toolbar > *").filter({ hasText: name }).first(),
  );
  assert.equal((await edges(tops[0]))[0], (await edges(tops[1]))[0]);
  // The controls stay under the thumb while the moves are read.
  for (const end of [0, 1e4]) {
    await page.page.evaluate((y) => scrollTo(0, y), end);
    const [top, bottom] = await edges(page.page.locator(".controls"));
    assert.ok(top > height / 2 && bottom <= height, `${top} to ${bottom} of ${height}`);
  }
});

test("what a tab shows comes into view above the controls", { context: PHONE }, async ({
  open,
}) => {
  const page = await open(DRAUGHTS);
  for (const name of ["Rules", "Game analysis", "Explorer", "Moves"]) {
    await page.page.evaluate(() => scrollTo(0, 0));
    await page.page.getByRole("tab", { name }).click();
    const panel = await page.page.getByRole("tabpanel", { name }).boundingBox();
    const controls = await page.page.locator(".controls").boundingBox();
    assert.ok(panel.y + Math.min(panel.height, 60) <= controls.y, `${name}: ${panel.y}`);
    const tabs = await page.page.getByRole("tablist").boundingBox();
    assert.ok(tabs.y >= -1, `${name}: the tabs are at ${tabs.y}`);
  }
});

test("the buttons of a dialog are in a row", {
  context: { ...PHONE, viewport: { width: 320, height: 568 } },
}, async ({ open }) => {
  const page = await open(DRAUGHTS);
  await page.button("New game").click();
  const dialog = page.page.getByRole("dialog", { name: "New game" });
  const [cancel, start] = await Promise.all(
    ["Cancel", "Start"].map((name) => dialog.getByRole("button", { name }).boundingBox()),
  );
  assert.equal(cancel.y, start.y);
  assert.ok(cancel.x + cancel.width < start.x);
});

test("the dialog for a new game fits", { context: PHONE }, async ({ open }) => {
  const page = await open(DRAUGHTS);
  await page.button("New game").click();
  await page.page.getByRole("radio", { name: "A number" }).check();
  const field = await page.page.getByLabel("A number as in ratings").boundingBox();
  assert.ok(field.x + field.width <= PHONE.viewport.width, `${field.x} + ${field.width}`);
});

test("the moves of a line of analysis can be read", { context: PHONE }, async ({ open }) => {
  const page = await open(DRAUGHTS);
  await page.page.getByRole("switch", { name: "Analyse position" }).check();
  for (const viewport of [DESKTOP.viewport, PHONE.viewport]) {
    await page.page.setViewportSize(viewport);
    const line = page.page.getByRole("list", { name: "Best lines" }).getByRole("listitem").first();
    // Runs in the page: the moves of a line inside its frame, and those that its edge cuts.
    const visible = (element) => {
      const frame = element.getBoundingClientRect();
      const boxes = [...element.querySelectorAll("button")]
        .filter(({ textContent }) => textContent)
        .map((button) => button.getBoundingClientRect());
      const inside = boxes.filter((box) => box.right <= frame.right && box.bottom <= frame.bottom);
      const cut = boxes.filter((box) => box.top < frame.bottom - 1 && !inside.includes(box));
      return { inside: inside.length, cut: cut.length };
    };
    // A line has so many moves once the search is deep.
    await eventually(async () => {
      const { inside, cut } = await line.evaluate(visible);
      assert.ok(inside >= 6, `${inside} moves`);
      assert.equal(cut, 0);
    });
  }
});

test("the first line of an analysis comes above the controls", { context: PHONE }, async ({
  open,
}) => {
  const page = await open("?variant=linesofaction&side=black&level=easy");
  await page.page.getByRole("switch", { name: "Analyse position" }).check();
  const line = page.page.getByRole("list", { name: "Best lines" }).getByRole("listitem").first();
  await page.idle();
  const { y, height } = await line.boundingBox();
  const controls = await page.page.locator(".controls").boundingBox();
  assert.ok(y + height <= controls.y, `${y + height} of ${controls.y}`);
});

test("the page has the height of the window, and its buttons stay", async ({ open }) => {
  const page = await open("?variant=linesofaction&side=black&level=easy");
  await page.page.setViewportSize({ width: 1280, height: 800 });
  const excess = () =>
    page.page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
  assert.equal(await excess(), 0);
  const flip = await page.button("Flip").boundingBox();
  await page.typeMove("b1b3");
  await page.waitForMoves(2);
  await page.ready();
  await page.resign();
  await page.button("Learn from this game").first().waitFor();
  assert.deepEqual(await page.button("Flip").boundingBox(), flip);
  assert.equal(await excess(), 0);
});

/** Runs in the page: whether an entry is whole in the frame of the list of moves. */
function isInFrame(entry) {
  const [inner, outer] = [entry, entry.closest(".moves-frame")].map((e) =>
    e.getBoundingClientRect(),
  );
  return inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1;
}

test("the current move and the result stay in view", async ({ open }) => {
  const page = await open();
  const shows = async (selector) => {
    await page.idle();
    assert.ok(await page.page.locator(`#moves ${selector}`).evaluate(isInFrame), selector);
  };
  await page.openText(SGF);
  await page.waitForMoves(58);
  // At the end there are more buttons.
  await page.button("To the end").click();
  await page.button("Learn from this game").first().waitFor();
  await shows("[aria-current]");
  await shows(".outcome");
  await page.button("One move back").click();
  await shows("[aria-current]");
  // Smaller, and then with the lines of the engine.
  await page.page.setViewportSize({ width: 1366, height: 768 });
  await shows("[aria-current]");
  await page.page.getByRole("switch", { name: "Analyse position" }).check();
  await page.page.getByRole("list", { name: "Best lines" }).waitFor();
  await shows("[aria-current]");
});

test("a game is printed with its diagram, names and moves", async ({ open }) => {
  const page = await open();
  await page.openText(
    '[Rules "Repetition Draw: 2"]\n[Event "Cup"]\n[Black "Anna"]\n[White "Ben"]\n[Result "1-0"]\n1. 11-15 22-18 {good} 2. 15x22 25x18 1-0',
  );
  await page.button("To the end").click();
  // What is offered at the end, and beside a move, is there.
  for (const id of ["learn-now", "puzzles-now", "delete-variation"]) {
    await page.page.locator(`#${id}`).waitFor();
  }
  await page.page.getByRole("tab", { name: "Rules" }).click();
  await page.page.evaluate(() => {
    globalThis.print = () => document.body.classList.add("printed");
  });
  await page.menu("Save");
  await page.button("Print").click();
  await page.page.locator("body.printed").waitFor();
  await page.page.emulateMedia({ media: "print" });
  const rules = "Other rules in this game: repetition draw 2.";
  const caption = "White's move 2: 25x18. Black has won, as recorded.";
  for (const text of ["Anna", "Ben", "Cup", "good", "11-15", "25x18", rules, caption]) {
    assert.ok(await page.page.getByText(text, { exact: true }).first().isVisible(), text);
  }
  assert.ok(await page.page.locator("#board").isVisible());
  // Of all buttons, only the moves.
  assert.equal(await page.page.locator("button:not(.move):visible").count(), 0);
  assert.ok(!(await page.page.getByRole("tablist").isVisible()));
  // The moves of both sides are on one row.
  const y = async (text) => (await page.page.getByText(text, { exact: true }).boundingBox()).y;
  assert.equal(await y("15x22"), await y("25x18"));
});

test("a game begins from a record or a position, with one button", async ({ open }) => {
  const page = await open(DRAUGHTS);
  await page.openText("[GameType 21]\n1. 11-15 22-18 2. 15x22 25x18 *".replace("21", '"21"'));
  await page.button("One move forward").click();
  await page.status.filter({ hasText: "White to move" }).waitFor();
  const before = await page.pieces();
  await page.button("Play from here").click();
  const dialog = page.page.getByRole("dialog", { name: "New game" });
  // The side to move and the lowest level are chosen.
  assert.ok(await dialog.getByRole("radio", { name: /against Soucie/i }).isChecked());
  assert.ok(await dialog.getByRole("radio", { name: "White", exact: true }).isChecked());
  assert.ok(await dialog.getByRole("radio", { name: "Beginner" }).isChecked());
  await page.page.keyboard.press("Enter");
  await page.status.filter({ hasText: "Your turn" }).waitFor();
  assert.deepEqual(await page.pieces(), before);
  await page.player("Black").getByText("Soucie, beginner").waitFor();
  await page.openText("W:WK14,K15:BK1,K6");
  await page.status.filter({ hasText: "White to move" }).waitFor();
  await page.button("Play from here").waitFor();
});

test("a touch leaves no mark on a button", { context: PHONE }, async ({ open }) => {
  const page = await open(DRAUGHTS);
  const style = () =>
    page.button("Flip").evaluate((button) => getComputedStyle(button).borderTopColor);
  const before = await style();
  await page.button("Flip").tap();
  await page.idle();
  assert.equal(await style(), before);
});
