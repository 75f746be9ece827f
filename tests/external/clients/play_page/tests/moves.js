/** Tests the list of moves: notations, steps, branches, passes, the result. */
const assert = require("node:assert/strict");
const { test, share, LOA, DRAUGHTS } = require("../support/fixture.js");
const { WAYS } = require("../support/play_page.js");

const step = (page, name) => page.button(name).click();
const current = (page) => page.movesPanel.locator("[aria-current=true]").allTextContents();

for (const [variant, place] of [
  ["linesofaction", LOA],
  ["englishdraughts", DRAUGHTS],
]) {
  test(`${variant}: both notations, kept over a reload`, async ({ open, engine }) => {
    const page = await open(place);
    const moves = await page.playOn(engine, variant, 4);
    const standard = [];
    for (const plies of [1, 2, 3, 4]) {
      const { last } = await engine.state(variant, moves.slice(0, plies));
      standard.push(last.standard);
    }
    await page.notation("standard");
    assert.deepEqual(await page.moves(), standard);
    await page.notation("coordinate");
    await page.page.reload();
    await page.ready();
    assert.deepEqual(await page.moves(), moves);
  });
}

test("steps back and forth keep all moves", async ({ open, engine }) => {
  const page = await open(LOA);
  const moves = await page.playOn(engine, "linesofaction", 4);
  const at = async (plies) => {
    const state = await engine.state("linesofaction", moves.slice(0, plies));
    assert.deepEqual(await page.pieces(), await engine.named(state), `after ${plies}`);
    assert.deepEqual(await current(page), plies === 0 ? [] : [moves[plies - 1]]);
    assert.deepEqual(await page.coordinates(), moves);
  };
  await at(4);
  const steps = [
    ["One move back", 3],
    ["One move back", 2],
    ["One move forward", 3],
    ["To the start", 0],
    ["One move forward", 1],
    ["To the end", 4],
  ];
  for (const [name, plies] of steps) {
    await step(page, name);
    await at(plies);
  }
  await page.movesPanel.getByRole("button", { name: `1, White: ${moves[1]}` }).click();
  await at(2);
  await page.page.locator("body").press("ArrowRight");
  await at(3);
  await page.page.locator("body").press("ArrowLeft");
  await at(2);
});

test("another move makes a branch", async ({ open, engine }) => {
  const page = await open(LOA);
  const moves = await page.playOn(engine, "linesofaction", 4);
  await step(page, "To the start");
  const { legal } = await engine.state("linesofaction", []);
  const other = legal.find(({ coordinate }) => coordinate !== moves[0]);
  await page.play(other, WAYS.drag);
  await page.answer("Cancel");
  await page.idle();
  assert.deepEqual(await page.coordinates(), moves);
  assert.equal(await page.status.textContent(), "Start position.");
  await page.typeMove(other.coordinate);
  await page.answer("Play from here");
  await page.ready();
  const [first, ...branch] = await page.coordinates();
  const reply = branch.pop();
  assert.deepEqual([first, ...branch], [other.coordinate, ...moves]);
  // The game continues from the first line. The reply may have the same text as another move.
  await page.movesPanel.getByRole("list").getByRole("button").nth(moves.length).click();
  await step(page, "Play from here");
  await page.ready();
  const [replaced, ...rest] = moves;
  const listed = [replaced, other.coordinate, reply, ...rest];
  assert.deepEqual(await page.coordinates(), listed);
  assert.deepEqual(await current(page), [moves[3]]);
  await page.page.reload();
  await page.ready();
  assert.deepEqual(await page.coordinates(), listed);
});

test("the list ends with the outcome", async ({ open, engine }) => {
  const setup = "L6L/8/8/8/8/8/8/1l1l4 b";
  const page = await open(share("linesofaction", setup));
  await page.typeMove("b1c2");
  await page.status.filter({ hasText: "Black has won" }).waitFor();
  const { result } = await engine.state("linesofaction", ["b1c2"], setup);
  assert.equal(await page.result(), `Black has won: ${result.reason}.`);
});

test("a pass is shown and played", async ({ open, engine }) => {
  const setup = "lL6/LL6/8/8/8/8/6LL/3L2Ll w";
  const page = await open(share("linesofaction", setup));
  await page.notation("coordinate");
  await page.typeMove("d1d2");
  await page.status.filter({ hasText: "Black passes. White to move" }).waitFor();
  assert.deepEqual(await page.moves(), ["d1d2", "pass"]);
  await page.announcer.filter({ hasText: "pass" }).waitFor();
  const { plies, side } = await engine.state("linesofaction", await page.coordinates(), setup);
  assert.deepEqual([plies, side], [2, "white"]);
});
