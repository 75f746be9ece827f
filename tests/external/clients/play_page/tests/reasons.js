/** Tests that every move that is not legal is answered with the engine's reason. */
const assert = require("node:assert/strict");
const { test } = require("../support/fixture.js");
const { WAYS } = require("../support/play_page.js");

const LOA = "?variant=linesofaction&side=black&level=easy";

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

test("reasons: the engine's turn and the end of the game", async ({ open }) => {
  const page = await open(LOA);
  await page.newGame({ level: "Full strength", seconds: "60" });
  await page.typeMove("b1b3");
  await page.status.filter({ hasText: "thinking" }).waitFor();
  await page.square("b8").click();
  await page.status.filter({ hasText: "It is the engine's turn." }).waitFor();
  await page.resign();
  await page.ready();
  await page.square("b8").click();
  await page.status.filter({ hasText: "The game is over." }).waitFor();
});
