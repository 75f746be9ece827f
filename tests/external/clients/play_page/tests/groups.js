/** Tests the groups of stones, and what the engine threatens at the levels for learners. */
const assert = require("node:assert/strict");
const { test, share, LOA, DRAUGHTS, PHONE } = require("../support/fixture.js");

/** White threatens a5 to d5. */
const THREAT = "4l3/ll6/8/L4LL1/4L3/5l2/8/8 b - - 0 1";
const JUMP = "B:W18,22,32:B2,15";

/** Begins a game as Black against the engine from a setup. */
async function playFrom(page, setup, level) {
  await page.openText(setup);
  await page.newGame({
    mode: "Against Soucie",
    side: "Black",
    level,
    from: "Position on the board",
  });
  await page.ready();
}

test("both numbers of groups stand beside the names", async ({ open, engine }) => {
  const page = await open(LOA);
  await page.player("Black").filter({ hasText: "2 groups" }).waitFor();
  await page.player("White").filter({ hasText: "2 groups" }).waitFor();
  const announced = await page.listen();
  await page.typeMove("c1a3");
  await page.waitForMoves(2);
  await page.ready();
  const moves = (await page.coordinates()).map((text) => text.replace(/[-x]/, ""));
  const { groups } = await engine.state("linesofaction", moves);
  for (const side of ["black", "white"]) {
    const { length } = groups[side];
    const name = side === "black" ? "Black" : "White";
    const text = `${length} group${length === 1 ? "" : "s"}`;
    await page.player(name).filter({ hasText: text }).waitFor();
  }
  // The move has split White.
  assert.match((await announced()).join(" "), /White has 3 groups/);
  await page.status.click();
  await page.page.keyboard.press("p");
  await page.announcer.filter({ hasText: /Black: 12 stones on .*, in \d groups\./ }).waitFor();
});

for (const [name, context] of [
  ["", undefined],
  [" on a phone", PHONE],
]) {
  test(
    `groups have colours and numbers on request${name}`,
    context ? { context } : {},
    async ({ open }) => {
      const page = await open(share("linesofaction", THREAT));
      const marks = page.page.locator("#board .groups rect");
      assert.equal(await marks.count(), 0);
      await page.display(() => page.page.getByLabel("Groups in colours").check());
      assert.equal(await marks.count(), 8);
      const label = (square) => page.square(square).getAttribute("aria-label");
      assert.match(await label("a7"), /^a7, black stone, group 1$/);
      assert.match(await label("e8"), /group 3$/);
      assert.match(await label("a5"), /white stone, group 2$/);
      // What is chosen hides no colour.
      await page.square("e8").click();
      const chosen = page.page.locator("#board .chosen");
      assert.equal(await chosen.evaluate((mark) => getComputedStyle(mark).fill), "none");
      await page.page.keyboard.press("Escape");
      await page.display(() => page.page.getByLabel("Groups in colours").uncheck());
      assert.equal(await marks.count(), 0);
      assert.doesNotMatch(await label("a7"), /group/);
    },
  );
}

/** Twelve stones a side, each alone among its colour. */
const SCATTERED = "lLlLlLlL/8/lLlLlLlL/8/lLlLlLlL/8/8/8 b - - 0 1";
test("twelve groups a side have colours of their own, and numbers on the stones", {
  context: PHONE,
}, async ({ open }) => {
  const page = await open(share("linesofaction", SCATTERED));
  await page.display(() => page.page.getByLabel("Groups in colours").check());
  const fills = await page.page
    .locator("#board .groups rect")
    .evaluateAll((all) => all.map((field) => getComputedStyle(field).fill));
  assert.equal(new Set(fills).size, 24);
  const numbers = page.page.locator("#board .group-numbers text");
  for (const number of await numbers.all()) {
    const { x, y, width, height } = await number.boundingBox();
    const square = await page.page.evaluate(
      ([x, y]) => document.elementFromPoint(x, y).getAttribute("aria-label"),
      [x + width / 2, y + height / 2],
    );
    const side = await number.getAttribute("class");
    assert.match(square, new RegExp(`${side} stone, group ${await number.textContent()}$`));
    assert.ok(height >= 14, `${height}`);
  }
});

test("draughts have no groups", async ({ open }) => {
  const page = await open(DRAUGHTS);
  assert.ok(!(await page.player("Black").textContent()).includes("group"));
  await page.menu("Display");
  assert.ok(!(await page.page.getByLabel("Groups in colours").isVisible()));
});

/** What the key G reads out, at a level in a position. */
const ASKED = [
  [
    LOA,
    "Easy",
    THREAT,
    /^Black has 3 groups: group 1 on (a7, b7|b7, a7); group 2 on f3; group 3 on e8\. White has 2 groups: group 1 on .*; group 2 on a5\. White threatens to connect \(a5-d5\)\.$/,
  ],
  [DRAUGHTS, "Easy", JUMP, /^White threatens to jump \(18x11\)\.$/],
  [DRAUGHTS, "Easy", "B:W21,32:B2,15", /^No threat is shown\.$/],
  [DRAUGHTS, "Medium", JUMP, /^No threat is shown\.$/],
];
test("a key reads out the groups and the threat", async ({ open }) => {
  for (const [query, level, setup, text] of ASKED) {
    const page = await open(query);
    await playFrom(page, setup, level);
    await page.status.click();
    const announced = await page.listen();
    await page.page.keyboard.press("g");
    await page.idle();
    assert.match((await announced()).at(-1), text);
    await page.page.keyboard.press("?");
    await page.page.locator("dt", { hasText: /^G$/ }).waitFor();
    await page.page.close();
  }
});

const THREATS = [
  [LOA, THREAT, "beginner", true, "White threatens to connect (a5-d5)"],
  [LOA, THREAT, "easy", true, "White threatens to connect (a5-d5)"],
  [LOA, THREAT, "medium", false, "threatens"],
  [DRAUGHTS, JUMP, "easy", true, "White threatens to jump (18x11)"],
  [DRAUGHTS, JUMP, "full", false, "threatens"],
];
test("a threat is named and shown at the levels for learners, and can be switched off", async ({
  open,
}) => {
  for (const [query, setup, level, isNamed, text] of THREATS) {
    const page = await open(query);
    const label = { full: "Full strength" }[level] ?? `${level[0].toUpperCase()}${level.slice(1)}`;
    await playFrom(page, setup, label);
    const status = await page.status.textContent();
    assert.equal(status.includes(text), isNamed, `${level}: ${status}`);
    const arrows = page.page.locator("#board .arrow.played");
    assert.equal(await arrows.count(), Number(isNamed), level);
    if (!isNamed) {
      await page.page.close();
      continue;
    }
    assert.equal(status, `Your turn: ${text}.`);
    await page.announcer.filter({ hasText: `${text}.` }).waitFor();
    const threats = page.page.getByLabel("Threats of a beginner or easy Soucie");
    await page.display(() => threats.uncheck());
    await page.status.filter({ hasText: /^Your turn: choose a piece/ }).waitFor();
    assert.equal(await arrows.count(), 0);
    await page.display(() => threats.check());
    await page.status.filter({ hasText: text }).waitFor();
    await page.page.close();
  }
});
