/** Tests that every move that is not legal is answered with the engine's reason. */
const assert = require("node:assert/strict");
const { test, PHONE, LOA, DRAUGHTS } = require("../support/fixture.js");
const { WAYS } = require("../support/play_page.js");

/** Black has to capture: 15x24. */
const CAPTURE = "B:W19,21,22,29,32:B1,2,5,15";

/** The sentence for a reason of the engine. */
const sentence = (reason) => `${reason[0].toUpperCase()}${reason.slice(1)}.`;

/** Waits until the status line and the announcement have the reason of the engine. */
async function shows(page, { reason }) {
  assert.ok(reason);
  await page.status.filter({ hasText: sentence(reason) }).waitFor();
  await page.announcer.filter({ hasText: sentence(reason) }).waitFor();
}

test("reasons: clicks, drags, keys and typed moves", async ({ open, engine }) => {
  const page = await open(LOA);
  const check = (text) => engine.check("linesofaction", [], text);
  const before = await page.board.boundingBox();

  for (const way of [WAYS.click, WAYS.drag, WAYS.keyboard]) {
    await page.play({ path: ["b1", "b4"] }, way);
    await shows(page, await check("b1b4"));
    assert.match(await page.status.textContent(), /line holds/);
    // The piece stays chosen.
    assert.deepEqual(await page.squares("chosen"), ["b1"]);
    await page.page.keyboard.press("Escape");
    await page.play({ path: ["b1", "c1"] }, WAYS.drag);
    await shows(page, await check("b1c1"));
    await page.page.keyboard.press("Escape");
  }
  await page.typeMove("b1b4");
  await shows(page, await check("b1b4"));
  // A drag of a piece that cannot be moved.
  await page.play({ path: ["a2", "c2"] }, WAYS.drag);
  await shows(page, await check("a2c2"));
  assert.deepEqual(await page.board.boundingBox(), before);
  assert.deepEqual(await page.moves(), []);
  // The next move removes the reason.
  await page.typeMove("b1b3");
  await page.waitForMoves(2);
  await page.ready();
});

test("reasons: one square begins no move", async ({ open, engine }) => {
  const page = await open(LOA);
  const check = (text) => engine.check("linesofaction", [], text);
  for (const square of ["d4", "a3"]) {
    await page.square(square).click();
    await shows(page, await check(square));
  }
  // The same click again is announced again.
  await page.page.evaluate(() => document.getElementById("announcer").replaceChildren());
  await page.square("a3").click();
  await shows(page, await check("a3"));
  // A piece that is chosen removes the reason; another click on it only cancels.
  await page.square("b1").click();
  await page.status
    .filter({ hasText: /^b1: choose a marked square\. The numbers count each line’s stones\.$/ })
    .waitFor();
  await page.announcer.filter({ hasText: "b1 to " }).waitFor();
  await page.square("b1").click();
  await page.status.filter({ hasText: /^Your turn: / }).waitFor();
});

test("the chosen stone shows the numbers of stones on its lines", async ({ open, engine }) => {
  const page = await open(LOA);
  const { lines } = await engine.state("linesofaction", []);
  const through = lines.filter(({ squares }) => squares.includes("b1"));
  await page.square("b1").click();
  const label = await page.square("b1").getAttribute("aria-label");
  for (const { squares, stones } of through) {
    assert.ok(label.includes(`${stones} on ${squares[0]} to ${squares.at(-1)}`), label);
  }
  const shown = await page.page.locator("#board .count text").allTextContents();
  // On both sides of the stone, where there are squares.
  const expected = through.flatMap(({ squares, stones }) =>
    squares[0] === "b1" || squares.at(-1) === "b1" ? [stones] : [stones, stones],
  );
  assert.deepEqual(shown.map(Number).sort(), expected.sort());
  await page.page.getByRole("tab", { name: "Rules" }).click();
  await page.page.getByText("Numbers in circles: ").waitFor();
  await page.page.getByText("the stone on b1 may move up two squares, to b3").waitFor();
  await page.page.keyboard.press("Escape");
  assert.equal(await page.page.locator("#board .count").count(), 0);
});

test("reasons: the engine's turn", async ({ open }) => {
  const page = await open(LOA);
  await page.newGame({ level: "Full strength", seconds: "60" });
  await page.typeMove("b1b3");
  await page.status.filter({ hasText: "thinking" }).waitFor();
  await page.square("b8").click();
  await page.status.filter({ hasText: "It is the engine's turn." }).waitFor();
});

test("reasons: an earlier position, with the engine to move", async ({ open }) => {
  const page = await open(LOA);
  await page.typeMove("b1b3");
  await page.waitForMoves(2);
  await page.ready();
  await page.button("One move back").click();
  const moves = await page.moves();
  await page.typeMove("a2c2");
  const earlier = /^This is an earlier position, in which (.*): “Play from here” lets the game go/;
  await page.status.filter({ hasText: earlier }).waitFor();
  assert.match(await page.status.textContent(), /it is the engine's turn/);
  await page.newGame({ mode: "Watch Soucie" });
  await page.watch(2);
  await page.button("Pause").click();
  await page.square("b1").click();
  await page.status.filter({ hasText: "The engine plays both sides." }).waitFor();
  await page.button("To the start").click();
  await page.square("b1").click();
  await page.status.filter({ hasText: earlier }).waitFor();
  assert.match(await page.status.textContent(), /the engine plays both sides/);
  assert.equal(moves.length, 2);
});

for (const [way, context] of [["click"], ["keyboard"], ["touch", PHONE]]) {
  test(
    `a refused target leaves the piece chosen: ${way}`,
    context ? { context } : {},
    async ({ open, engine }) => {
      const page = await open(LOA);
      await WAYS[way].begin(page, "b8");
      for (const target of ["a6", "b7", "a7"]) {
        await WAYS[way].extend(page, "b8", target);
        await shows(page, await engine.check("linesofaction", [], `b8${target}`));
        assert.deepEqual(await page.squares("chosen"), ["b8"]);
      }
      // Another piece that can move is chosen instead, and the first one again cancels.
      await WAYS[way].extend(page, "b8", "c1");
      assert.deepEqual(await page.squares("chosen"), ["c1"]);
      await WAYS[way].extend(page, "c1", "c1");
      assert.deepEqual(await page.squares("chosen"), []);
      await page.status.filter({ hasText: /^Your turn: / }).waitFor();
      // Also directly after a reason, which then goes.
      await WAYS[way].begin(page, "b8");
      await WAYS[way].extend(page, "b8", "b7");
      await shows(page, await engine.check("linesofaction", [], "b8b7"));
      await WAYS[way].extend(page, "b8", "b8");
      await page.status.filter({ hasText: /^Your turn: / }).waitFor();
      await WAYS[way].begin(page, "b8");
      await WAYS[way].extend(page, "b8", "b7");
      await WAYS[way].extend(page, "b8", "b6");
      await page.waitForMoves(2);
    },
  );
}

test("reasons: a piece of the other side dragged by a finger", { context: PHONE }, async ({
  open,
  engine,
  context,
}) => {
  const page = await open(LOA);
  const touch = await context.newCDPSession(page.page);
  const send = (type, points) =>
    touch.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: points.map(([x, y]) => ({ x, y })),
    });
  // Upwards, a finger would move the page.
  const [from, to] = [await page.center("a4"), await page.center("a6")];
  await send("touchStart", [from]);
  for (const part of [0.2, 0.4, 0.6, 0.8, 1])
    await send("touchMove", [from.map((at, axis) => at + part * (to[axis] - at))]);
  await send("touchEnd", []);
  await shows(page, await engine.check("linesofaction", [], "a4a6"));
  assert.equal(await page.page.locator("#board .marks > *").count(), 0);
});

/** The choices that a button drops, as nothing more is to be done with the piece. */
const DROPPING = { Hint: /^Hint: /, Flip: /^Your turn: / };
for (const [name, status] of Object.entries(DROPPING)) {
  test(`a chosen piece is dropped: ${name}`, async ({ open }) => {
    const page = await open(LOA);
    const marks = page.page.locator("#board .marks > *");
    await page.square("c8").click();
    await marks.first().waitFor();
    await page.button(name).click();
    await page.status.filter({ hasText: status }).waitFor();
    assert.equal(await marks.count(), 0);
    assert.deepEqual(await page.squares("chosen"), []);
    // A reason takes its place until the next choice is dropped.
    await page.square("c8").click();
    await page.square("c7").click();
    await page.status.filter({ hasText: /line holds/ }).waitFor();
    await page.square("c8").click();
    await page.status.filter({ hasText: status }).waitFor();
  });
}

test("reasons name squares by number where the board has no letters", async ({ open }) => {
  const page = await open(DRAUGHTS);
  await page.square("f6").click();
  await page.square("f4").click();
  await page.status
    .filter({ hasText: "Illegal for the piece on square 11; its moves: 11-15, 11-16." })
    .waitFor();
  // Also of a light square, which has no number, with a chosen piece.
  for (const light of ["d5", "a8"]) {
    await page.page.evaluate(() => document.getElementById("announcer").replaceChildren());
    await page.square(light).click();
    await page.status.filter({ hasText: /^That is a light square; [^\d]*$/ }).waitFor();
    await page.announcer.filter({ hasText: "11 is still chosen." }).waitFor();
  }
  await page.page.keyboard.press("Escape");
  await page.announcer.filter({ hasText: /11 is no longer chosen\. Your turn/ }).waitFor();
  // Without a complaint as well.
  await page.square("f6").click();
  await page.announcer.filter({ hasText: "11 chosen, to 15, 16." }).waitFor();
  await page.square("f6").click();
  await page.announcer.filter({ hasText: /11 is no longer chosen\. Your turn/ }).waitFor();
  await page.square("a8").click();
  await page.status.filter({ hasText: "That is a light square" }).waitFor();
  await page.display(() => page.page.getByLabel("Letters around the board").check());
  await page.square("a8").click();
  await page.status.filter({ hasText: /^a8 is a light square/ }).waitFor();
});

for (const reducedMotion of ["no-preference", "reduce"]) {
  const context = { ...PHONE, reducedMotion };
  test(`reasons: a compulsory capture, motion ${reducedMotion}`, { context }, async (tools) => {
    const page = await tools.open(DRAUGHTS);
    await page.openText(CAPTURE);
    await page.square("e5").waitFor();
    await page.idle();
    assert.deepEqual(await page.squares("must capture"), ["e5"]);
    await page.page.evaluate(() => {
      globalThis.pulses = 0;
      const animate = Element.prototype.animate;
      Element.prototype.animate = function (...all) {
        if (this.classList.contains("must")) globalThis.pulses += 1;
        return animate.apply(this, all);
      };
    });
    await page.square("b8").tap();
    await page.status.filter({ hasText: /capture is compulsory.*15x24/ }).waitFor();
    const pulses = await page.page.evaluate(() => globalThis.pulses);
    assert.equal(pulses, reducedMotion === "reduce" ? 0 : 1);
  });
}
