/** Tests hints, draw offers to the engine, and the rules that can be chosen. */
const assert = require("node:assert/strict");
const { test, LOA, DRAUGHTS, PHONE } = require("../support/fixture.js");

/** Begins a game as Black against the engine from a setup. */
async function playFrom(page, setup) {
  await page.openText(setup);
  await page.newGame({ mode: "Against Soucie", side: "Black", from: "Position on the board" });
  await page.ready();
}

// What a hint says, by the setup: counted facts and proved results, the weightiest first.
const HINTS = [
  [
    DRAUGHTS,
    "B:W19,21,22,29,32:B1,2,5,15",
    /^Hint: 15x24 is the only legal move and captures a man\.$/,
  ],
  [DRAUGHTS, "B:W32:B27", /./],
  [DRAUGHTS, "B:WK18,K15:B5,1", /loses in at most \d+ moves, as every move does\.$/],
  [DRAUGHTS, "B:WK1,25:BK2", /^Hint: 2-7 is the only move that stops a win in one/],
  [LOA, "l7/2l5/7L/8/8/6L1/8/8 b - - 0 1", /^Hint: a8-b[78] wins at once and connects all of/],
];
test("a hint always has a reason", async ({ open, engine }) => {
  for (const [query, setup, pattern] of HINTS) {
    const page = await open(query);
    await playFrom(page, setup);
    await page.button("Hint").click();
    await page.status.filter({ hasText: /^Hint: / }).waitFor();
    const text = await page.status.textContent();
    assert.match(text, pattern);
    const [, move] = text.match(/^Hint: (\S+) \w/);
    const variant = query === LOA ? "linesofaction" : "englishdraughts";
    const lines = [`setoption name UCI_Variant value ${variant}`, `position fen ${setup}`];
    const { facts } = await engine.query(lines, `facts ${move}`);
    assert.ok(
      facts.length === 0 || facts.some((fact) => text.includes(fact.text)),
      `${text}: ${JSON.stringify(facts)}`,
    );
    await page.announcer.filter({ hasText: text }).waitFor();
    await page.page.close();
  }
});

test("hints from the start of both games have a reason", async ({ open }) => {
  for (const query of [LOA, DRAUGHTS]) {
    const page = await open(query);
    await page.button("Hint").click();
    await page.status.filter({ hasText: /^Hint: \S+ \w+ .*\.$/ }).waitFor();
  }
});

test("no move is broken at its hyphen", { context: PHONE }, async ({ open }) => {
  const page = await open(DRAUGHTS);
  await page.button("Hint").click();
  await page.status.filter({ hasText: /^Hint: / }).waitFor();
  const move = page.page.locator("#status .whole");
  const text = await page.status.textContent();
  assert.equal(await move.textContent(), text.match(/^Hint: (\S+)/)[1]);
  for (const width of [360, 340, 320, 300, 280]) {
    await page.page.setViewportSize({ width, height: 740 });
    assert.equal(await move.evaluate((element) => element.getClientRects().length), 1, `${width}`);
  }
});

test("draw offers: the engine accepts unless it stands better", async ({ open }) => {
  const page = await open(DRAUGHTS);
  // It is said at once, without a question.
  await page.button("Offer draw").click();
  await page.status.filter({ hasText: /^It is too early for a draw before move 11\.$/ }).waitFor();
  assert.ok(!(await page.page.getByRole("dialog").isVisible()));
  await playFrom(page, "B:WK32,K31,K27:B5");
  await page.button("Offer draw").click();
  await page.answer("Play on");
  await page.button("Offer draw").click();
  await page.answer("Offer draw");
  await page.status.filter({ hasText: "Soucie declines the draw." }).waitFor();
  await page.announcer.filter({ hasText: "Soucie declines the draw." }).waitFor();
  // A second offer in the same position is answered with the rule.
  await page.button("Offer draw").click();
  await page.status
    .filter({ hasText: /^A draw can be offered again at the next move\.$/ })
    .waitFor();
  await playFrom(page, "B:W32:BK1,K2,K6");
  await page.button("Offer draw").click();
  await page.answer("Offer draw");
  await page.status.filter({ hasText: /^Drawn: both players have agreed\.$/ }).waitFor();
  await page.announcer.filter({ hasText: "Drawn: both players have agreed." }).waitFor();
});

test("after the end, no capture is compulsory and no hint offered", async ({ open }) => {
  const page = await open(DRAUGHTS);
  await playFrom(page, "B:W18,32:B15,1");
  assert.equal((await page.squares("must capture")).length, 1);
  assert.ok(await page.button("Hint").isEnabled());
  await page.resign();
  await page.ready();
  assert.deepEqual(await page.squares("must capture"), []);
  assert.ok(await page.button("Hint").isDisabled());
});

test("rules can be chosen, and hold for the game", async ({ open, engine }) => {
  const page = await open(LOA);
  const { options } = (await engine.variants())[0];
  await page.button("New game").click();
  const dialog = page.page.getByRole("dialog", { name: "New game" });
  await dialog.locator("summary", { hasText: "More" }).click();
  for (const { description, choices, labels } of options) {
    await dialog.getByLabel(description).waitFor();
    if (!choices) continue;
    // The choices are phrases, and their values the names in the protocol.
    const all = await dialog.getByLabel(description).locator("option").all();
    const texts = await Promise.all(all.map((option) => option.textContent()));
    const values = await Promise.all(all.map((option) => option.getAttribute("value")));
    assert.deepEqual([texts, values], [labels, choices]);
  }
  const { description } = options.find(({ name }) => name === "Move Limit");
  const more = (text) => dialog.locator("summary", { hasText: text });
  await dialog.getByLabel(description).fill("1");
  await more(/^More: other rules \(1 changed\)$/).waitFor();
  await dialog.getByRole("button", { name: "Usual rules" }).click();
  await more(/^More: other rules$/).waitFor();
  assert.ok(!(await dialog.getByRole("button", { name: "Usual rules" }).isVisible()));
  await dialog.getByLabel(description).fill("1");
  await dialog.getByRole("radio", { name: "Two players" }).check();
  await dialog.getByRole("button", { name: "Start" }).click();
  await dialog.waitFor({ state: "hidden" });
  await page.typeMove("b1b3");
  await page.waitForMoves(1);
  await page.page.reload();
  await page.ready();
  // The rules are named beside the moves and above the rules of every game.
  const others = page.page.getByText("Other rules in this game: move limit 1.");
  await others.first().waitFor();
  await page.page.getByRole("tab", { name: "Rules" }).click();
  await others.last().waitFor();
  await page.page.getByRole("tab", { name: "Moves" }).click();
  // The next game has them too, which is marked.
  await page.button("New game").click();
  await more(/^More: other rules \(1 changed\)$/).waitFor();
  await page.page.keyboard.press("Escape");
  await page.typeMove("a2c2");
  await page.status.filter({ hasText: /^Drawn: / }).waitFor();
  // The next game has the usual rules, unless they are chosen again.
  await page.newGame({ variant: "English draughts" });
  await page.newGame({ variant: "Lines of Action" });
  assert.equal(await others.count(), 0);
  await page.typeMove("b1b3");
  await page.waitForMoves(1);
  await page.typeMove("a2c2");
  await page.status.filter({ hasText: "Black to move" }).waitFor();
});
