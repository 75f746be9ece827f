/** Tests the lessons in which the rules are learnt by playing. */
const assert = require("node:assert/strict");
const { test, eventually, LOA, DRAUGHTS, PHONE } = require("../support/fixture.js");
const { WAYS } = require("../support/play_page.js");

const GAMES = { linesofaction: LOA, englishdraughts: DRAUGHTS };

/** The lessons of a variant, by the engine. */
function lessonsOf(engine, variant) {
  return engine.query([`setoption name UCI_Variant value ${variant}`], "lessons");
}

/** The path of a legal move of a lesson. */
async function pathOf(engine, variant, { setup }, move) {
  const lines = [`setoption name UCI_Variant value ${variant}`, `position fen ${setup}`];
  return (await engine.query(lines, `check ${move}`)).move;
}

/** Begins from the tab with the rules. */
async function learn(page) {
  await page.page.getByRole("tab", { name: "Rules" }).click();
  await page.button("Learn the rules").last().click();
  await page.idle();
}

const title = (page) => page.page.locator("#lesson-title");

for (const [variant, query] of Object.entries(GAMES)) {
  test(`all lessons of ${variant} are solved`, async ({ open, engine }) => {
    const page = await open(query);
    const lessons = await lessonsOf(engine, variant);
    assert.ok(lessons.length >= 6 && lessons.length <= 8);
    await learn(page);
    for (const [index, lesson] of lessons.entries()) {
      await title(page)
        .filter({ hasText: `${index + 1} of ${lessons.length}: ${lesson.title}` })
        .waitFor();
      await page.waitForLesson(lesson.text);
      await page.status.filter({ hasText: /^Your turn\.$/ }).waitFor();
      const way = [WAYS.click, WAYS.drag, WAYS.keyboard][index % 3];
      await page.play(await pathOf(engine, variant, lesson, lesson.solution[0]), way);
      await page.waitForLesson(lesson.right);
      await page.status.filter({ hasText: /^Right\.$/ }).waitFor();
      await title(page).filter({ hasText: "✓" }).waitFor();
      await page.announcer.filter({ hasText: lesson.right }).waitFor();
      if (index + 1 < lessons.length) await page.button("Next").click();
    }
    await page.waitForLesson("“Leave” goes to your game.");
    await page.button("Leave").click();
    await page.ready();
    assert.deepEqual(await page.moves(), []);
    // What is done is kept, also over a reload.
    await page.page.reload();
    await page.ready();
    await learn(page);
    await title(page)
      .filter({ hasText: /^1 of \d: .* ✓$/ })
      .waitFor();
  });
}

test("wrong and illegal moves in lessons are answered, and the board comes back", async ({
  open,
  engine,
}) => {
  const page = await open(LOA);
  const [first] = await lessonsOf(engine, "linesofaction");
  await learn(page);
  const before = await page.pieces();
  const [wrong] = first.wrong;
  await page.play(await pathOf(engine, "linesofaction", first, wrong.move), WAYS.click);
  // The task can still be read.
  const below = (text) => page.page.locator("#lesson-line").filter({ hasText: text }).waitFor();
  await below(wrong.text);
  await page.waitForLesson(first.text);
  // The board comes back by itself.
  await page.status.filter({ hasText: /^Not yet: make another move\.$/ }).waitFor();
  await eventually(async () => assert.deepEqual(await page.pieces(), before));
  await page.play(await pathOf(engine, "linesofaction", first, "g4-g5"), WAYS.click);
  await below(first.other);
  await eventually(async () => assert.deepEqual(await page.pieces(), before));
  // The engine judges what is legal.
  await page.play({ path: ["c2", "c3"] }, WAYS.click);
  await page.status.filter({ hasText: "the line holds 2 stones, so it moves 2" }).waitFor();
  await page.page.keyboard.press("Escape");
  await page.page.locator("#lesson-hint").click();
  await below(`Hint: ${first.hint}`);
  await page.page.locator("#lesson-hint").click();
  await below(/^Hint: move the stone on c2 to c4\.$/);
  await page.waitForLesson(first.text);
  await page.button("Solution").click();
  await below(/^The solution: c2-c4$/);
  await page.announcer.filter({ hasText: "The solution: c2-c4" }).waitFor();
  // It can be skipped and left.
  await page.button("Next").click();
  await title(page)
    .filter({ hasText: /^2 of / })
    .waitFor();
  await page.button("Previous").click();
  await title(page)
    .filter({ hasText: /^1 of / })
    .waitFor();
  await page.button("Leave").click();
  await page.ready();
});

test("in a lesson, each jump of a move is made by the learner", async ({ open, engine }) => {
  const variant = "englishdraughts";
  const page = await open(DRAUGHTS);
  const lessons = await lessonsOf(engine, variant);
  const lesson = lessons.find(({ id }) => id === "double");
  await learn(page);
  for (const { id } of lessons) {
    if (id === lesson.id) break;
    await page.button("Next").click();
    await page.idle();
  }
  const { path } = await pathOf(engine, variant, lesson, lesson.solution[0]);
  for (const way of [WAYS.click, WAYS.drag, WAYS.keyboard]) {
    await page.play({ path: path.slice(0, 2) }, way);
    await page.status
      .filter({ hasText: /^The piece must jump on from 19: choose a marked square\.$/ })
      .waitFor();
    await page.announcer.filter({ hasText: "The piece must jump on from 19 to 26." }).waitFor();
    assert.match(await page.square(path[1]).getAttribute("aria-label"), /black man/);
    assert.deepEqual(await page.squares("target"), [path[2]]);
    await page.waitForLesson(lesson.text);
    await way.extend(page, path[1], path[2]);
    await page.waitForLesson(lesson.right);
    assert.ok(await page.page.locator("#lesson-hint").isDisabled());
    await page.button("Try again").click();
    await page.waitForLesson(lesson.text);
  }
});

test("the welcome offers the lessons of each game", { isFirstVisit: true }, async ({ open }) => {
  const page = await open();
  const dialog = page.page.getByRole("dialog", { name: "Which game?" });
  await dialog.getByRole("button", { name: "Learn the rules of English draughts" }).waitFor();
  assert.equal(await dialog.getByRole("button", { name: /^Learn the rules/ }).count(), 2);
  await dialog.getByRole("button", { name: "Learn the rules of English draughts" }).click();
  await title(page).filter({ hasText: "1 of 8: How men move" }).waitFor();
  await page.button("Leave").click();
  await page.status.filter({ hasText: /^Your turn/ }).waitFor();
});

const SMALL = [
  { width: 320, height: 568 },
  { width: 360, height: 740 },
  { width: 740, height: 360 },
];
test("on phones, the board, the task and the buttons of a lesson are in one screen", {
  context: PHONE,
}, async ({ open, engine }) => {
  const page = await open(LOA);
  const lessons = await lessonsOf(engine, "linesofaction");
  for (const viewport of SMALL) {
    await page.page.setViewportSize(viewport);
    await learn(page);
    for (const [index] of lessons.entries()) {
      await page.idle();
      for (const id of ["board", "lesson-text", "lesson-next", "lesson-title"]) {
        const box = await page.page.locator(`#${id}`).boundingBox();
        const where = `${id} of ${index + 1} at ${viewport.width}: ${JSON.stringify(box)}`;
        assert.ok(box.y > -2 && box.y + box.height <= viewport.height + 2, where);
      }
      if (index + 1 < lessons.length) await page.button("Next").click();
    }
    await page.button("Leave").click();
    await page.ready();
  }
});
