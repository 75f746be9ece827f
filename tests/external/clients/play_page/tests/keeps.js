/** Tests what a reload, a crash of the tab and a second tab preserve. */
const assert = require("node:assert/strict");
const { test, eventually } = require("../support/fixture.js");
const { PlayPage, WAYS } = require("../support/play_page.js");

/** Returns the visible state of a game. */
async function view(page) {
  await page.ready();
  return {
    moves: await page.moves(),
    pieces: await page.pieces(),
    status: await page.status.textContent(),
    title: await page.page.getByRole("heading", { level: 1 }).textContent(),
    first: await page.board.getByRole("gridcell").first().getAttribute("aria-label"),
  };
}

const VARIANTS = ["linesofaction", "englishdraughts"];

for (const variant of VARIANTS) {
  test(`${variant}: a reload in mid-game`, async ({ open, engine }) => {
    const page = await open(`?variant=${variant}&side=black&level=easy`);
    await page.playOn(engine, variant, 4);
    await page.button("Flip").click();
    const before = await view(page);
    await page.page.reload();
    assert.deepEqual(await view(page), before);
    const moves = await page.playOn(engine, variant, 6);
    const { pieces } = await engine.state(variant, moves);
    assert.equal(Object.keys(await page.pieces()).length, pieces.length);
  });
}

test("a reload while the engine thinks", async ({ open, engine }) => {
  const page = await open("?variant=linesofaction&side=black&level=full");
  await page.newGame({ level: "Full strength", seconds: "600" });
  const { legal } = await engine.state("linesofaction", []);
  await page.play(legal[0], WAYS.click);
  await page.status.filter({ hasText: "White is thinking" }).waitFor();
  await page.page.reload();
  await page.button("Move now").click();
  await page.waitForMoves(2);
});

test("a reload while an earlier position is shown", async ({ open, engine }) => {
  const page = await open("?variant=linesofaction&side=black&level=easy");
  const moves = await page.playOn(engine, "linesofaction", 4);
  await page.button("To the start").click();
  await page.page.reload();
  await page.status.filter({ hasText: "Start position" }).waitFor();
  assert.deepEqual(await page.moves(), moves);
});

test("a crash of the tab", { expected: /crash/ }, async ({ open, engine, context, server }) => {
  const page = await open("?variant=englishdraughts&side=white&level=easy");
  await page.playOn(engine, "englishdraughts", 5);
  const before = await view(page);
  const crashed = page.page.waitForEvent("crash");
  page.page.goto("chrome://crash").catch(() => {});
  await crashed;
  const again = new PlayPage(await context.newPage(), server);
  await again.open();
  assert.deepEqual(await view(again), before);
});

test("two tabs have a game each", async ({ open, engine }) => {
  const one = await open("?variant=linesofaction&side=black&level=easy");
  await one.playOn(engine, "linesofaction", 2);
  const two = await open("?variant=englishdraughts&side=black&level=easy");
  await two.playOn(engine, "englishdraughts", 4);
  const [first, second] = [await view(one), await view(two)];
  assert.notDeepEqual(first.moves, second.moves);
  for (const page of [one, two]) await page.page.reload();
  assert.deepEqual([await view(one), await view(two)], [first, second]);
  // A new tab continues the game of the closed tab, although that of the open tab was stored later.
  await two.page.close();
  await one.playOn(engine, "linesofaction", 4);
  const three = await open("");
  assert.deepEqual(await view(three), second);
});

test("a second tab says which game it shows", async ({ open, engine }) => {
  const one = await open("?variant=linesofaction&side=black&level=easy");
  await one.playOn(engine, "linesofaction", 2);
  const told = (page, text) => page.page.locator("#notice", { hasText: text }).waitFor();
  const two = await open("");
  await told(two, "“Lines of Action, 1 move” is open in another tab. This tab shows a new game.");
  await two.menu("Open");
  await two.page.getByRole("button", { name: /^Lines of Action, 1 move/ }).click();
  await told(two, "“Lines of Action, 1 move” is open in another tab. This tab shows a copy.");
  await two.newGame({ variant: "English draughts" });
  await two.playOn(engine, "englishdraughts", 2);
  await two.page.close();
  await one.playOn(engine, "linesofaction", 4);
  const three = await open("");
  await told(
    three,
    "“Lines of Action, 2 moves” is open in another tab. This tab shows English draughts",
  );
});

test("earlier games are listed and opened", async ({ open, engine }) => {
  const shown = await open("?variant=linesofaction&side=black&level=easy");
  await shown.playOn(engine, "linesofaction", 2);
  const before = await view(shown);
  await shown.page.goto(`${shown.server.address}?variant=englishdraughts&side=black`);
  await shown.page.getByRole("heading", { name: "English draughts" }).waitFor();
  await shown.menu("Open");
  await shown.page.getByRole("button", { name: /^Lines of Action, 1 move/ }).click();
  assert.deepEqual(await view(shown), before);
});

test("games that have not begun take no place of others", { isLong: true }, async ({
  open,
  engine,
}) => {
  const page = await open("?variant=englishdraughts&side=black&level=easy");
  await page.playOn(engine, "englishdraughts", 2);
  for (let game = 0; game < 32; game++) await page.newGame({});
  await page.menu("Open");
  await page.page.getByRole("button", { name: /^English draughts, 1 move/ }).click();
  await page.waitForMoves(2);
});

const GAME = "1. 11-15 22-18 2. 15x22 25x18 *";
// Texts opened one after the other, and the comments of the earlier games then, the last one first.
const OPENED = [
  [`{A} ${GAME}`, ["A"]],
  [`{B} ${GAME}`, ["B", "A"]],
  [`{A} ${GAME}`, ["A", "B"]],
  ['[Result "1-0"]\n{A} 1. 11-15 22-18 2. 15x22 25x18 1-0', ["A", "A", "B"]],
  [`{A} ${GAME}`, ["A", "A", "B"]],
];
test("a record that is opened again moves up", async ({ open }) => {
  const page = await open("?variant=linesofaction");
  const comments = () =>
    page.page.evaluate(() => {
      const entries = Object.entries(localStorage).filter(([key]) => /^soucie\.game\./.test(key));
      return entries
        .map(([, text]) => JSON.parse(text))
        .sort((a, b) => b.saved - a.saved)
        .flatMap(({ game }) => game.nodes[0].comment || []);
    });
  for (const [text, expected] of OPENED) {
    await page.openText(text);
    assert.deepEqual(await comments(), expected);
    await page.button("To the end").click();
  }
});

test("opened records take no place of games that were played", { isLong: true }, async ({
  open,
  engine,
}) => {
  const page = await open("?variant=linesofaction&side=black&level=easy");
  await page.playOn(engine, "linesofaction", 2);
  for (let game = 0; game < 32; game++) await page.openText(`{${game}} 1. 11-15 *`);
  await page.menu("Open");
  await page.page.getByRole("button", { name: /^Lines of Action, 1 move/ }).click();
  await page.waitForMoves(2);
});

/** Runs in a page: keeps copies of the stored game until there are so many. */
function keepCopies(number) {
  const [[key, text]] = Object.entries(localStorage).filter(([key]) => /^soucie\.game\./.test(key));
  for (let copy = 1; copy < number; copy++)
    localStorage[`${key}${copy}`] = JSON.stringify({ ...JSON.parse(text), saved: copy });
}

test("the game whose place the next one takes is told before, and all are deleted", async ({
  open,
  engine,
}) => {
  const page = await open("?variant=linesofaction&side=black&level=easy");
  await page.playOn(engine, "linesofaction", 2);
  await page.page.evaluate(keepCopies, 29);
  const kept = () => page.page.locator("#earlier-games li").count();
  await page.menu("Open");
  assert.equal(await kept(), 28);
  assert.equal(await page.page.getByText("The next game takes its place.").count(), 0);
  await page.page.keyboard.press("Escape");
  await page.newGame({});
  await page.playOn(engine, "linesofaction", 2);
  await page.newGame({});
  await page.page
    .locator("#notice", {
      hasText: "takes the place of the oldest one kept here: Lines of Action, 1",
    })
    .waitFor();
  await page.menu("Open");
  await page.page.getByText("The next game takes its place.").waitFor();
  assert.equal(await kept(), 30);
  await page.button("Delete all …").click();
  await page.answer("Cancel");
  await page.menu("Open");
  assert.equal(await kept(), 30);
  await page.button("Delete all …").click();
  await page.answer("Delete");
  await page.menu("Open");
  assert.equal(await kept(), 0);
  assert.ok(!(await page.button("Delete all …").isVisible()));
});

test("a position that was set up is an earlier game", async ({ open }) => {
  const page = await open("");
  await page.openText("W:WK14,K15:BK1,K6");
  await page.status.filter({ hasText: "White to move" }).waitFor();
  const before = await page.pieces();
  await page.newGame({});
  await page.menu("Open");
  await page.page.getByRole("button", { name: /^English draughts, position/ }).click();
  await page.idle();
  assert.deepEqual(await page.pieces(), before);
});

test("a clock continues after a reload", async ({ open }) => {
  const page = await open("?variant=linesofaction&side=black&level=easy");
  await page.newGame({ time: "With clocks", minutes: "5", increment: "0" });
  await page.typeMove("b1b3");
  await page.waitForMoves(2);
  const clock = () => page.player("Black").getByRole("timer").textContent();
  await eventually(async () => assert.match(await clock(), /^4:5[0-8]$/));
  const before = await clock();
  await page.page.reload();
  await page.ready();
  assert.ok((await clock()) <= before);
  assert.match(await clock(), /^4:5/);
});

// Addresses that lead to draughts: other names of the game are accepted.
for (const place of ["#variant=draughts", "#variant=Checkers", "?variant=draughts&side=black"]) {
  test(`another name of a game in the address: ${place}`, async ({ open, engine }) => {
    const page = await open(place);
    await page.page.getByRole("heading", { level: 1, name: "English draughts" }).waitFor();
    await page.playFirst(engine, "englishdraughts");
    await page.page.reload();
    await page.ready();
    assert.ok((await page.moves()).length > 0);
  });
}

test("links are followed on an open page", async ({ open, engine }) => {
  const page = await open("?variant=linesofaction&side=black&level=easy");
  const follow = (link) => page.page.evaluate((hash) => (location.hash = hash), link);
  await follow("#variant=draughts&moves=11-15+23-19");
  await page.page.getByRole("heading", { level: 1, name: "English draughts" }).waitFor();
  await page.waitForMoves(2);
  const before = await view(page);
  for (const bad of ["#variant=chess", "#variant=draughts&setup=x", "#variant=loa&moves=a1a9"]) {
    await follow(bad);
    await page.page.getByRole("alert").filter({ hasText: "is refused" }).waitFor();
    assert.deepEqual(await view(page), before);
  }
  await follow("#game=x");
  await page.page.getByRole("alert").filter({ hasText: "is refused" }).waitFor();
  await follow("#variant=loa");
  await page.page.getByRole("heading", { level: 1, name: "Lines of Action" }).waitFor();
  await page.playFirst(engine, "linesofaction");
});
