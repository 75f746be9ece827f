/** Tests how the board shows a position and an incomplete move. */
const assert = require("node:assert/strict");
const { test, share, DESKTOP } = require("../support/fixture.js");
const { WAYS } = require("../support/play_page.js");

/** Black has three captures: of one piece, and of two and three by the same man. */
const JUMPS = "B:WK10,18,26,27:B1,14,15";

test("pieces, letters and ranks are drawings", async ({ open }) => {
  const page = await open("?variant=linesofaction&side=black&level=easy");
  const board = page.page.locator("#board svg.board");
  assert.equal(await board.locator("image").count(), 0);
  assert.equal(await board.locator(".men use").count(), 24);
  assert.equal(await board.locator("use[href='#labels']").count(), 1);
  assert.equal(await board.locator("use[href^='#numbers']").count(), 0);
  await page.button("Flip").click();
  assert.equal(await board.locator("use[href='#labels-flipped']").count(), 1);
  const letters = await page.page.locator("#labels text").allTextContents();
  assert.deepEqual(letters.sort(), [..."12345678abcdefgh"]);
});

test("squares have numbers in draughts", async ({ open }) => {
  const page = await open("?variant=englishdraughts&side=white&level=easy");
  assert.equal(await page.page.locator("#board use[href='#numbers']").count(), 1);
  const numbers = await page.page.locator("#numbers text").allTextContents();
  assert.deepEqual(
    numbers.map(Number).sort((a, b) => a - b),
    Array.from({ length: 32 }, (_, i) => i + 1),
  );
});

test("the targets of every piece are those of the engine", async ({ open, engine }) => {
  const page = await open("?variant=linesofaction&side=black&level=easy");
  const { legal, pieces } = await engine.state("linesofaction", []);
  for (const { square, side } of pieces) {
    await page.square(square).click();
    const targets = legal.filter(({ path }) => path[0] === square).map(({ path }) => path[1]);
    assert.deepEqual(await page.squares("target"), [...new Set(targets)].sort(), square);
    assert.deepEqual(await page.squares("chosen"), side === "black" ? [square] : []);
    assert.equal(await page.page.locator(".marks .target").count(), new Set(targets).size);
    await page.page.keyboard.press("Escape");
  }
});

test("a target with a piece to capture looks different", async ({ open }) => {
  const page = await open(share("linesofaction", "L7/8/8/8/3L4/8/1l1l4/8 b"));
  await page.square("d2").click();
  assert.ok((await page.squares("target")).includes("d4"));
  assert.equal(await page.page.locator(".marks .target.capture").count(), 1);
});

test("pieces that must capture are shown", async ({ open, engine }) => {
  const page = await open(share("englishdraughts", JUMPS));
  const { legal } = await engine.state("englishdraughts", [], JUMPS);
  const mustCapture = [...new Set(legal.map(({ path }) => path[0]))].sort();
  assert.deepEqual(await page.squares("must capture"), mustCapture);
  assert.equal(await page.page.locator(".marks .must").count(), mustCapture.length);
  assert.match(await page.status.textContent(), /a capture is compulsory/);
  const quiet = await open("?variant=englishdraughts&side=black&level=easy");
  assert.deepEqual(await quiet.squares("must capture"), []);
});

for (const way of ["click", "drag", "keyboard"]) {
  test(`several jumps square by square by ${way}`, async ({ open, engine }) => {
    const page = await open(share("englishdraughts", JUMPS));
    await page.notation("coordinate");
    const { legal } = await engine.state("englishdraughts", [], JUMPS);
    const move = legal.find(({ path }) => path.length > 2);
    const [from, first] = move.path;
    await page.play({ path: [from, first] }, WAYS[way]);
    // After the first jump the piece is on its target, the captured piece is faint, and the move is
    // incomplete.
    assert.deepEqual(await page.moves(), []);
    assert.deepEqual(await page.squares("chosen"), [from, first].sort());
    const nexts = legal.filter(({ path }) => path[0] === from && path[1] === first && path[2]);
    assert.deepEqual(
      await page.squares("target"),
      [...new Set(nexts.map(({ path }) => path[2]))].sort(),
    );
    assert.equal(await page.page.locator(".men .taken").count(), 1);
    await page.page.keyboard.press("Escape");
    assert.deepEqual(await page.squares("chosen"), []);
    assert.equal(await page.page.locator(".men .taken").count(), 0);
    await page.play(move, WAYS[way]);
    await page.idle();
    assert.deepEqual(await page.coordinates(), [move.coordinate]);
    const state = await engine.state("englishdraughts", [move.coordinate], JUMPS);
    const expected = await engine.named(state);
    await page.idle();
    assert.deepEqual(await page.pieces(), expected);
    assert.equal(await page.page.locator(".men use").count(), state.pieces.length);
  });
}

test("the last move is marked", async ({ open }) => {
  const page = await open("?variant=linesofaction&side=black&level=easy");
  await page.newGame({ side: "Two players" });
  await page.play({ path: ["b1", "b3"] }, WAYS.click);
  await page.status.filter({ hasText: "White to move" }).waitFor();
  const marks = await page.page
    .locator(".lit .last")
    .evaluateAll((all) => all.map((e) => `${e.getAttribute("x")},${e.getAttribute("y")}`));
  assert.deepEqual(marks, ["1,7", "1,5"]);
});

test("a drag off the board or to no target puts the piece back", async ({ open }) => {
  const page = await open("?variant=linesofaction&side=black&level=easy");
  const man = page.page.locator(".men use[x='1'][y='7']");
  const { mouse } = page.page;
  for (const target of [await page.center("b2"), [5, 5]]) {
    await mouse.move(...(await page.center("b1")));
    await mouse.down();
    await mouse.move(...target, { steps: 3 });
    assert.notEqual(await man.evaluate((e) => e.style.transform), "");
    await mouse.up();
    assert.equal(await man.evaluate((e) => e.style.transform), "");
    assert.deepEqual(await page.moves(), []);
  }
});

for (const [reducedMotion, moves] of [
  ["no-preference", true],
  ["reduce", false],
]) {
  test(`animation with prefers-reduced-motion: ${reducedMotion}`, {
    context: { ...DESKTOP, reducedMotion },
  }, async ({ open, context }) => {
    await context.addInitScript(() => {
      globalThis.animations = 0;
      const { animate } = Element.prototype;
      Element.prototype.animate = function (...rest) {
        globalThis.animations += 1;
        return animate.apply(this, rest);
      };
    });
    const page = await open("?variant=linesofaction&side=black&level=easy");
    await page.play({ path: ["b1", "b3"] }, WAYS.click);
    await page.idle();
    assert.equal((await page.moves()).length, 2);
    assert.equal((await page.page.evaluate(() => globalThis.animations)) > 0, moves);
  });
}
