/** Tests "Learn from this game": the worst moves as positions in which to find a better move. */
const assert = require("node:assert/strict");
const { test, share } = require("../support/fixture.js");
const { WAYS } = require("../support/play_page.js");
const { analyseQuickly, BOTH_WIN, MISSED } = require("../support/states.js");

const VARIANT = "linesofaction";
/** A move in a position in which all lose, which a short search does not see. */
const LOST = "fen 7l/3L1lL1/2l1l3/2llLll1/3lLL2/3LL1l1/8/8 w moves d3g3";
/** A game of draughts whose last move is a blunder, after which a draw is agreed. */
const DRAWN =
  '[GameType "21"]\n[Result "1/2-1/2"]\n1. 11-15 23-18 2. 8-11 18-14 3. 9x18 22-17 1/2-1/2';

/** Opens a record, analyses it, and begins a lesson. */
async function learn(page, record) {
  await page.openText(record);
  await page.page.getByRole("tab", { name: "Game analysis" }).click();
  await page.button("Analyse this game").click();
  await page.idle();
  await page.page.locator("#learn-start").click();
}

/** The classes of the arrows on the board. */
const arrows = (page) =>
  page.page
    .locator("#board .arrow")
    .evaluateAll((all) => all.map((e) => e.getAttribute("class").replace("arrow ", "")));

test("a missed win is tried, failed, tried again, shown and summarised", async ({
  open,
  engine,
}) => {
  const page = await open();
  await learn(page, MISSED);
  await page.waitForTitle("Position 1 of 1");
  await page.waitForLesson(/Black's move 1: after b1-b2 Black's chances fell from 100\s% to 0\s%/);
  const game = await page.moves();
  const { legal } = await engine.state(VARIANT, [], BOTH_WIN);
  const move = (coordinate) => legal.find((legal) => legal.coordinate === coordinate);
  assert.deepEqual(await arrows(page), ["played"]);
  assert.equal(await page.status.textContent(), "Find a better move.");
  // What would end the lesson is not offered.
  assert.ok(!(await page.button("Play from here").isVisible()));

  // A bad move is refuted on the board, by a move that is proved to win.
  await page.play(move("b1a2"), WAYS.keyboard);
  await page.waitForLesson(
    /^b1-a2 is not good enough: it loses: White wins in 1 move, which is proved\./,
  );
  await page.waitForLesson(/The best move wins at once\. White answers (\S+)\.$/);
  await page.status.filter({ hasText: "Not yet: try again." }).waitFor();
  assert.equal(await page.page.locator("#lesson-line").getByRole("button").count(), 1);
  assert.match(await page.page.locator("#lesson-line").textContent(), /^It may go on: /);

  // What was tried is not part of the game.
  await page.button("Try again").click();
  await page.idle();
  assert.deepEqual(await page.moves(), game);
  const { pieces } = await engine.state(VARIANT, [], BOTH_WIN);
  await page.idle();
  assert.deepEqual(Object.keys(await page.pieces()).sort(), pieces.map((p) => p.square).sort());

  // Another winning move is as good as the best one. It can also be typed.
  await page.page.getByRole("tab", { name: "Moves" }).click();
  await page.typeMove("d1-c2");
  await page.status.filter({ hasText: "Solved." }).waitFor();
  await page.typeMove("b1-a2");
  await page.page
    .locator("#typed-error")
    .filter({ hasText: "“Try again” in “Game analysis” goes back" })
    .waitFor();
  await page.page.getByRole("tab", { name: "Game analysis" }).click();
  await page.waitForLesson(/^d1-c2 is (the best move|as good as the best): it wins at once\.$/);
  await page.button("Solution").click();
  await page.waitForLesson(/^The best move is \S+: it leaves chances of 100\s%\.$/);
  assert.deepEqual(await arrows(page), ["played", "better"]);
  await page.page.locator("#lesson-line").getByRole("button").first().click();
  await page.status.filter({ hasText: "Black has won" }).waitFor();

  await page.page.setViewportSize({ width: 360, height: 700 });
  await page.button("Next").click();
  await page.waitForTitle("Summary");
  await page.waitForLesson("Solved: 1 of 1.");
  await page.page.getByText("better moves than those marked with ? or ??").waitFor();
  // On a phone, the buttons of the lesson are above those that stay at the bottom.
  const leave = await page.button("Leave").boundingBox();
  const controls = await page.page.locator(".controls").boundingBox();
  assert.ok(leave.y + leave.height <= controls.y, `${leave.y} to ${controls.y}`);
  await page.page.setViewportSize({ width: 1280, height: 900 });
  await page.page.getByRole("button", { name: "Black's move 1: solved at try 2" }).click();
  await page.waitForTitle("Position 1 of 1");
  await page.button("Leave").click();
  await page.page.locator("#review-report .graph").waitFor();
  await page.status.filter({ hasText: "White has won" }).waitFor();
  assert.deepEqual(await page.moves(), game);
});

test("what the analysis says of a move stays, also of a draw that gives a win away", async ({
  open,
  context,
}) => {
  await analyseQuickly(context);
  const page = await open();
  await learn(page, DRAWN);
  await page.waitForTitle("Position 1 of 1");
  const [, fallen] = /to (\d+)\s%/.exec(await page.lesson.textContent());
  await page.page.getByRole("tab", { name: "Moves" }).click();
  await page.typeMove("22-17");
  await page.page.getByRole("tab", { name: "Game analysis" }).click();
  await page.waitForLesson(
    new RegExp(`^22-17 is not good enough: it leaves chances of ${fallen}\\s%`),
  );
  await page.button("Next").click();
  await page.waitForTitle("Summary");
  await page.waitForLesson(/The draw was given although Black stood better \(\d+\s%\)\./);
  await page.button("Leave").click();
  await page.page.getByText("Average loss: how much of a point").waitFor();
});

test("a mark is taken back once the lesson proves that every move loses", {
  needsServer: true,
}, async ({ open, context }) => {
  await analyseQuickly(context, 20);
  const page = await open();
  await learn(page, LOST);
  await page.waitForTitle("Position 1 of 1");
  const marks = page.page.locator("#moves .sign");
  assert.equal(await marks.count(), 1);
  await page.page.getByRole("tab", { name: "Moves" }).click();
  await page.typeMove("e4h4");
  await page.page.getByRole("tab", { name: "Game analysis" }).click();
  await page.waitForLesson(
    /^Every move loses: Black wins in \d moves, which is proved\. The move of the game was no mistake/,
  );
  await page.status.filter({ hasText: "Solved." }).waitFor();
  assert.equal(await marks.count(), 0);
  await page.button("Leave").click();
  await page.page.locator("#review-report .graph").waitFor();
  assert.equal(await page.page.locator("#review-report .point:visible").count(), 0);
});

test("White's moves alone, none of which was bad", async ({ open }) => {
  const page = await open();
  await learn(page, MISSED);
  await page.waitForTitle("Position 1 of 1");
  await page.button("Leave").click();
  await page.page.getByLabel("Whose moves to learn from").selectOption("White");
  await page.page.locator("#learn-start").click();
  await page.waitForLesson("No single move of White cost much.");
  for (const name of ["Try again", "Solution", "Next"])
    assert.ok(!(await page.button(name).isVisible()), name);
  assert.ok(!(await page.page.getByText("marked with ? or ??").isVisible()));
});

test("a lesson from a finished game, and a new game in it", async ({ open }) => {
  const page = await open(share(VARIANT, BOTH_WIN));
  await page.newGame({ from: "Position on the board", side: "Black", level: "Full strength" });
  await page.typeMove("b1a2");
  await page.status.filter({ hasText: "You have lost" }).waitFor();
  await page.button("Learn from this game").first().click();
  await page.waitForTitle("Position 1 of 1");
  await page.waitForLesson(/^Your move 1: after b1-a2 your chances fell /);
  const name = "Game analysis";
  assert.equal(await page.page.getByRole("tab", { name, selected: true }).count(), 1);
  // What is tried is not kept with the game.
  await page.play({ path: ["d1", "c2"] }, WAYS.click);
  await page.waitForLesson(/^d1-c2 is /);
  await page.page.reload();
  await page.ready();
  assert.equal((await page.moves()).length, 2);
  await page.button("Learn from this game").first().click();
  await page.waitForTitle("Position 1 of 1");
  // The board takes moves for the lesson alone.
  await page.square("a2").click();
  assert.deepEqual(await page.squares("chosen"), []);
  await page.newGame({ from: "Start position", level: "Easy" });
  await page.page.locator("#lesson").waitFor({ state: "hidden" });
  await page.play({ path: ["b1", "b3"] }, WAYS.click);
  await page.idle();
  assert.equal((await page.pieces()).b3, "black stone");
});
