/** Tests what a browser meets that has never had a game on the page. */
const assert = require("node:assert/strict");
const { test, PHONE } = require("../support/fixture.js");

const options = { isFirstVisit: true };
const touched = { ...options, context: PHONE };

test("the page has the answers of the engine to variants and state", async ({ open, engine }) => {
  const { page } = await open();
  const known = JSON.parse(await page.locator("#variants").textContent());
  const variants = await engine.variants();
  const firsts = [];
  for (const { name } of variants) firsts.push(await engine.state(name, []));
  // The order of names counts too: levels are offered in it.
  assert.equal(JSON.stringify(known), JSON.stringify({ variants, firsts }));
});

test("the board is drawn before the engine answers", { needsServer: true }, async (tools) => {
  const page = await tools.context.newPage();
  await page.routeWebSocket(/ws$/, () => {});
  await page.goto(tools.server.address);
  await page.locator("#board .men use").first().waitFor();
});

test("the first visit asks for the game, a later one continues it", options, async (tools) => {
  const { open, engine } = tools;
  const page = await open();
  const dialog = page.page.getByRole("dialog", { name: "Which game?" });
  const variants = await engine.variants();
  for (const { title, goal } of variants) {
    assert.ok(goal.endsWith("."));
    await dialog.getByRole("button", { name: `${title} ${goal}` }).waitFor();
  }
  const { title, goal, levels } = variants.at(-1);
  await dialog.getByRole("button", { name: `${title} ${goal}` }).press("Enter");
  await dialog.waitFor({ state: "hidden" });
  const heading = page.page.getByRole("heading", { level: 1, name: title });
  await heading.waitFor();
  await page
    .player("White")
    .filter({ hasText: Object.keys(levels)[0] })
    .waitFor();
  await page.ready();
  await page.page.reload();
  await page.ready();
  assert.equal(await heading.isVisible(), true);
  assert.equal(await dialog.isVisible(), false);

  // Another tab begins a game of the same kind.
  const other = await open();
  assert.equal(await other.page.getByRole("heading", { level: 1 }).textContent(), title);
  assert.equal(await other.page.getByRole("dialog").isVisible(), false);
});

test("a touch on the first visit leaves no frame on the board", touched, async ({ open }) => {
  const page = await open();
  const dialog = page.page.getByRole("dialog", { name: "Which game?" });
  await dialog.locator("#welcome-games").getByRole("button").last().tap();
  await dialog.waitFor({ state: "hidden" });
  await page.ready();
  assert.equal(await page.board.locator(":focus").count(), 0);
});

test("the first visit without a choice, and with one in the address", options, async ({ open }) => {
  const page = await open();
  const dialog = page.page.getByRole("dialog", { name: "Which game?" });
  await dialog.waitFor();
  await page.page.keyboard.press("Escape");
  await page.typeMove("b1b3");
  await page.waitForMoves(2);
  const other = await open("?variant=englishdraughts");
  assert.equal(await other.page.getByRole("dialog").isVisible(), false);
});

test("the first visit offers puzzles", options, async ({ open }) => {
  const page = await open();
  const puzzles = page.page.locator("#welcome-puzzles");
  await puzzles.getByRole("button", { name: "Puzzles of English draughts", exact: true }).waitFor();
  // Two variants have the same.
  const offered = await puzzles.getByRole("button").allTextContents();
  assert.deepEqual(offered, ["Puzzles of Lines of Action", "Puzzles of English draughts"]);
  await puzzles.getByRole("button", { name: "Puzzles of English draughts" }).click();
  await page.page.getByRole("heading", { name: /^Puzzle 1 of / }).waitFor();
  await page.page.getByRole("heading", { level: 1, name: "English draughts" }).waitFor();
  assert.ok(!(await page.page.getByRole("dialog").isVisible()));
  await page.button("Leave").click();
  await page.status.filter({ hasText: "Your turn" }).waitFor();
});
