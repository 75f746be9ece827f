/** Tests the analysis of the position on the board. */
const assert = require("node:assert/strict");
const { test, eventually, share, LOA } = require("../support/fixture.js");
const { PlayPage } = require("../support/play_page.js");
const { recordLines } = require("../support/socket.js");

const analysis = (page) => page.page.getByRole("switch", { name: "Analyse position" });
const lines = (page) => page.page.getByRole("list", { name: "Best lines" }).getByRole("listitem");
const arrows = (page) => page.page.locator("#board .arrows .arrow");
const speed = (page) => page.page.locator("#analysis-speed");
const bar = (page) => page.page.getByRole("meter");

test("scores, depth, nodes a second and arrows of one to five lines", async ({ open, engine }) => {
  const page = await open(LOA);
  await analysis(page).check();
  const { legal } = await engine.state("linesofaction", []);
  for (const count of [1, 5, 2, 3, 4]) {
    await page.page.getByLabel("Number of lines").selectOption(String(count));
    await page.idle();
    // The search reports its lines one after the other.
    await eventually(async () => {
      assert.equal(await lines(page).count(), count);
      assert.equal(await arrows(page).count(), count);
    });
    assert.match(
      await speed(page).textContent(),
      /^depth \d+ · (\d+ k|\d+\.\d M|\d+) nodes\/s · \+ and % for Black, between players of level easy$/,
    );
    const firsts = await lines(page).evaluateAll((all) =>
      all.map((line) => line.querySelector("button").textContent),
    );
    const known = firsts.filter((first) => legal.some(({ standard }) => standard === first));
    assert.equal(new Set(known).size, count);
    for (const line of await lines(page).all()) {
      assert.match(await line.textContent(), /^[+−±-]?\d/);
      assert.match(await line.textContent(), /\d\s%/);
    }
  }
  await analysis(page).uncheck();
  assert.equal(await lines(page).count(), 0);
  assert.equal(await arrows(page).count(), 0);
  assert.equal(await bar(page).count(), 0);
});

test("the percentages are the chances of players of the level", async ({ open }) => {
  const rows = [
    ["beginner", "between players of level beginner"],
    ["hard", "between players of level hard"],
    ["full", "between two perfect players"],
  ];
  const values = [];
  for (const [level, words] of rows) {
    const page = await open(`?variant=linesofaction&side=black&level=${level}`);
    await analysis(page).check();
    await page.idle();
    assert.ok((await speed(page).textContent()).endsWith(`% for Black, ${words}`));
    values.push(Number(await bar(page).getAttribute("aria-valuenow")));
    await analysis(page).uncheck();
  }
  // Black, who moves first, is ahead by little: beginners do not notice.
  const [beginner, hard, full] = values;
  assert.ok(50 <= beginner && beginner < hard && hard < full, String(values));
});

test("the bar shows who is ahead, on both views", async ({ open }) => {
  // One side has so many more men that a king of the other side makes no difference.
  const places = [
    ["B:W32:B1,2,3,5,6,7,9,10", (value) => value > 80],
    ["B:W21,22,23,24,29,30,31,32:B1", (value) => value < 20],
  ];
  for (const [setup, isRight] of places) {
    const page = await open(share("englishdraughts", setup));
    await analysis(page).check();
    const value = async () => Number(await bar(page).getAttribute("aria-valuenow"));
    await page.idle();
    assert.ok(isRight(await value()), String(await value()));
    await page.button("Flip").click();
    assert.ok(isRight(await value()));
    await analysis(page).uncheck();
  }
});

test("the analysis follows the board while the engine plays", async ({ open, engine }) => {
  const page = await open(LOA);
  await analysis(page).check();
  const moves = await page.playOn(engine, "linesofaction", 2);
  const { legal } = await engine.state("linesofaction", moves);
  const first = await lines(page).first().getByRole("button").first().textContent();
  assert.ok(
    legal.some(({ coordinate }) => coordinate === first),
    first,
  );
});

test("a move of a line is shown on the board", async ({ open }) => {
  const page = await open(LOA);
  await analysis(page).check();
  await eventually(async () => {
    assert.match(await lines(page).first().textContent(), /\d\s%.*-.*-/);
  });
  await lines(page).first().getByRole("button").nth(1).click();
  await page.status.filter({ hasText: "After White's move 1 of a branch" }).waitFor();
  // The game itself is unchanged.
  assert.equal(await page.movesPanel.locator("li.branch").count(), 1);
  assert.equal(await page.movesPanel.locator("li:not(.branch) button").count(), 0);
  await page.button("Back to the game").click();
  await page.status.filter({ hasText: "Your turn" }).waitFor();
  assert.equal(await page.button("Back to the game").isVisible(), false);
});

test("full strength at any level of the game", { needsServer: true }, async (tools) => {
  const { context, server } = tools;
  const page = new PlayPage(await context.newPage(), server);
  const { sent } = recordLines(page.page);
  await page.open(LOA);
  await analysis(page).check();
  await page.idle();
  assert.ok(sent.includes("setoption name UCI_LimitStrength value false"));
  assert.ok(sent.includes("go infinite"));
  await analysis(page).uncheck();
  await page.idle();
  assert.equal(sent.at(-1), "stop");
});

test("the layout below the lines does not move", async ({ open }) => {
  // In the second position one move is legal.
  const places = [];
  for (const setup of ["B:W32:B1,2,3,5", "B:W18:B14"]) {
    const page = await open(share("englishdraughts", setup));
    await analysis(page).check();
    await page.page.getByLabel("Number of lines").selectOption("3");
    await page.idle();
    const { y } = await page.page.getByRole("tablist").boundingBox();
    places.push([y, await lines(page).count()]);
  }
  const [[three], [one, count]] = places;
  assert.equal(count, 1);
  assert.equal(one, three);
});

test("the choice is kept over a reload", async ({ open }) => {
  const page = await open(LOA);
  await analysis(page).check();
  await page.page.getByLabel("Number of lines").selectOption("3");
  await page.page.reload();
  await lines(page).nth(2).waitFor();
  assert.equal(await lines(page).count(), 3);
});

const WON = "B:W32:B27";
test("the best move is announced once it is stable, and lines have words", async ({ open }) => {
  const page = await open(LOA);
  const announced = await page.listen();
  await analysis(page).check();
  const best = /^Best: \S+, (Black|White) \d+ percent, depth \d+\.$/;
  const found = async () => (await announced()).filter((text) => best.test(text));
  await eventually(async () => assert.equal((await found()).length, 1));
  const words = await lines(page).first().locator(".unseen").textContent();
  assert.match(words, /^(Black|White) \d+ percent: $/);
  for (const part of [".score", ".soft"])
    assert.equal(await lines(page).first().locator(part).getAttribute("aria-hidden"), "true");
  assert.match(await speed(page).getAttribute("title"), /Depth: .*Nodes: .*percentages/);
});

test("a proved win is in words", async ({ open }) => {
  const page = await open(share("englishdraughts", WON));
  const announced = await page.listen();
  await analysis(page).check();
  await eventually(async () => {
    const score = await lines(page).first().locator(".score").textContent();
    assert.match(score, /^(Black|White) wins( in \d+)?$/);
    const words = new RegExp(`^Best: \\S+, ${score}, depth \\d+\\.$`);
    assert.ok(
      (await announced()).some((text) => words.test(text)),
      (await announced()).join(),
    );
  });
});

test("the focus stays on the line whose move was followed", async ({ open }) => {
  const page = await open(LOA);
  await analysis(page).check();
  await eventually(async () => {
    assert.match(await lines(page).nth(1).textContent(), /\d\s%.*-.*-/);
  });
  const focused = () =>
    page.page.evaluate(
      () => document.activeElement.closest("#engine-lines li:nth-child(2)") !== null,
    );
  await lines(page).nth(1).getByRole("button").nth(1).press("Enter");
  // The lines are those of the new position.
  await page.idle();
  assert.match(await page.status.textContent(), /of a branch/);
  assert.match(await speed(page).textContent(), /^depth/);
  assert.ok(await focused());
});
