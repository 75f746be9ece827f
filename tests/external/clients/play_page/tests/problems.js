/** Tests the problems to solve: of both games, by mouse and keyboard, on a desktop and a phone. */
const assert = require("node:assert/strict");
const { test, PHONE } = require("../support/fixture.js");
const { WAYS } = require("../support/play_page.js");
const { PROBLEMS, problemsOf, useProblems } = require("../support/problems.js");

const grade = (page) => page.page.getByLabel("Grade");
const number = (page) => page.page.getByLabel("Number of the problem");
/** The grades with what is solved in each. */
const grades = (page) => grade(page).locator("option").allTextContents();
const isFocused = (locator) => locator.evaluate((element) => element === document.activeElement);

/** Opens the page with a new game, and its problems. */
async function problems(open, context, variant) {
  await useProblems(context);
  const page = await open(`?variant=${variant}&side=black&level=easy`);
  await begin(page);
  return page;
}

async function begin(page) {
  await page.menu("Open");
  await page.button("Problems to solve").click();
  await page.waitForTitle(/^Problem /);
}

/** Plays moves of the solution from a ply to another one, each after the defence before it. */
async function solve(page, engine, variant, problem, [from, to] = [], way = WAYS.click) {
  const { setup, solution } = problem;
  const played = [];
  for (const [ply, move] of solution.slice(0, to).entries()) {
    const { legal, side } = await engine.state(variant, played, setup);
    const { coordinate, path } = legal.find(({ standard }) => standard === move);
    const name = side === "black" ? "Black" : "White";
    const answer = `${solution[ply - 1]} is right. ${name} answers ${move}.`;
    if (ply >= (from ?? 0) && ply % 2 === 0) await page.play({ path }, way);
    else if (ply >= (from ?? 0)) await page.waitForLesson(answer);
    played.push(coordinate);
  }
}

/** A move in place of the third one of the solution, which is neither right nor a dual. */
async function other(engine, variant, { setup, solution, duals }) {
  const right = [solution[2], ...duals.map(({ move }) => move)];
  const played = solution.slice(0, 2);
  const { legal } = await engine.state(variant, played, setup);
  return legal.find(({ standard }) => !right.includes(standard));
}

/** The squares with pieces in a setup. */
async function occupied(engine, variant, setup) {
  const { pieces } = await engine.state(variant, [], setup);
  return pieces.map(({ square }) => square).sort();
}

async function shows(page, squares) {
  await page.idle();
  assert.deepEqual(Object.keys(await page.pieces()).sort(), squares);
}

const GAMES = [
  {
    variant: "englishdraughts",
    asked: "White to play and win in 3.",
    bottom: "White",
    wrong: [
      "24-19",
      /^24-19 is too slow: it wins in \d+ moves, which is proved\. The task is to win in 3\. Black answers 2x9\.$/,
    ],
    dual: ["1-6", "1-6: solved. Themes: crowning, shot."],
    solved: "20x11: solved. Themes: crowning, shot.",
    noThemes: "19x12: solved.",
  },
  {
    variant: "linesofaction",
    asked: "Black to play and win in 2.",
    bottom: "Black",
    wrong: [
      "g3-g4",
      /^g3-g4 does not solve it: it loses: White wins in 1 move, which is proved\. White answers e3-c3\.$/,
    ],
    dual: ["g3xe5", "g3xe5: solved. Themes: quiet move."],
    solved: "f7-d5: solved. Themes: quiet move.",
    noThemes: "g5-e5: solved. Themes: double threat.",
  },
];

for (const { variant, asked, bottom, wrong, dual, solved, noThemes } of GAMES) {
  const [first, second] = PROBLEMS[variant];

  test(`${variant}: right, wrong, dual, solution, progress and back`, {
    needsServer: true,
    isLong: variant !== "linesofaction",
  }, async ({ open, engine, context }) => {
    await useProblems(context);
    const page = await open(`?variant=${variant}&side=black&level=easy`);
    const moves = await page.playOn(engine, variant, 2);
    const game = await page.pieces();
    await page.notation("standard");
    await begin(page);

    // The first problem of the first grade is asked, with nothing that helps.
    await page.waitForTitle("Problem 1 of 2");
    await page.waitForLesson(asked);
    assert.ok(await isFocused(page.page.locator("#lesson-title")));
    // It is read out, its number before its task.
    await page.announcer.filter({ hasText: `Problem 1 of 2. ${asked}` }).waitFor();
    assert.deepEqual(await grades(page), ["Grade 1: 0 of 2 solved", "Grade 3: 0 of 1 solved"]);
    const start = await occupied(engine, variant, first.setup);
    await shows(page, start);
    assert.match(
      await page.page.locator("#player-bottom").textContent(),
      new RegExp(`^${bottom}you`),
    );
    for (const name of ["Hint", "Offer draw", "Resign", "Take back", "Try again"])
      assert.ok(await page.button(name).isDisabled(), name);
    for (const name of ["Analyse this game", "Play from here", "Move now", "Pause"])
      assert.ok(!(await page.button(name).isVisible()), name);

    // A wrong move is refuted on the board. No other one is taken until the position is back.
    await page.page.getByRole("tab", { name: "Moves" }).click();
    // A comment would not be kept.
    assert.ok(!(await page.page.locator(".comment-box").isVisible()));
    await page.typeMove(wrong[0]);
    await page.page.getByRole("tab", { name: "Problems" }).click();
    await page.waitForLesson(wrong[1]);
    assert.match(await page.page.locator("#lesson-line").textContent(), /^It may go on: /);
    assert.deepEqual(await page.squares("can move"), []);
    await page.page.getByRole("tab", { name: "Moves" }).click();
    await page.typeMove(wrong[0]);
    await page.page
      .locator("#typed-error")
      .filter({ hasText: "in “Problems” goes back" })
      .waitFor();
    await page.page.getByRole("tab", { name: "Problems" }).click();
    await page.button("Try again").click();
    await page.waitForLesson(asked);
    await shows(page, start);

    // After the first move and the defence, "Try again" returns to that position.
    await solve(page, engine, variant, first, [0, 2]);
    assert.ok(await page.button("Try again").isDisabled());
    const later = Object.keys(await page.pieces()).sort();
    await page.play(await other(engine, variant, first), WAYS.click);
    await page.waitForLesson(/does not solve it|is too slow: .* The task is to win sooner\./);
    await page.button("Try again").click();
    await page.waitForLesson(`${bottom} to play and win.`);
    await shows(page, later);

    // There, a dual solves it.
    await page.page.getByRole("tab", { name: "Moves" }).click();
    await page.typeMove(dual[0]);
    await page.page.getByRole("tab", { name: "Problems" }).click();
    await page.waitForLesson(dual[1]);
    await page.waitForTitle("Problem 1 of 2, solved");
    assert.equal((await grades(page))[0], "Grade 1: 1 of 2 solved");

    // It can be solved again.
    await page.button("Try again").click();
    await page.waitForLesson(asked);
    await solve(page, engine, variant, first);
    await page.waitForLesson(solved);
    assert.equal((await grades(page))[0], "Grade 1: 1 of 2 solved");

    // The solution is a line to click. What is solved afterwards does not count.
    await page.button("Next").click();
    await page.waitForTitle("Problem 2 of 2");
    await page.button("Solution").click();
    await page.waitForLesson("The solution, with the best defence.");
    const line = page.page.locator("#lesson-line").getByRole("button");
    await page.idle();
    assert.deepEqual(await line.allTextContents(), second.solution);
    await line.last().click();
    const listed = page.page.locator("#moves .move");
    await page.idle();
    assert.deepEqual(await listed.allTextContents(), second.solution);
    await page.button("Try again").click();
    await solve(page, engine, variant, second);
    await page.waitForLesson(
      noThemes.replace("solved", "solved, with the solution shown, so it does not count"),
    );
    await page.waitForTitle("Problem 2 of 2");
    assert.equal((await grades(page))[0], "Grade 1: 1 of 2 solved");
    await page.button("Previous").click();
    await page.waitForTitle("Problem 1 of 2, solved");

    // The game is there again, and continues.
    await page.button("Leave").click();
    assert.ok(await isFocused(page.page.locator("#open-menu summary")));
    await page.status.filter({ hasText: "Your turn" }).waitFor();
    assert.deepEqual(await page.pieces(), game);
    await page.notation("coordinate");
    assert.deepEqual(await page.coordinates(), moves);
    await page.page.getByRole("tab", { name: "Game analysis" }).waitFor();
    await page.playOn(engine, variant, 4);
    await page.notation("standard");

    // A reload keeps the game and what is solved; the next problem is the first one that is not.
    await page.page.reload();
    await page.ready();
    assert.equal((await page.moves()).length, 4);
    await begin(page);
    await page.waitForTitle("Problem 2 of 2");
    // A reload comes back to the problem, and leaving it to the game.
    await number(page).selectOption("1 ✓");
    await page.waitForTitle("Problem 1 of 2, solved");
    await page.page.reload();
    await page.waitForTitle("Problem 1 of 2, solved");
    await page.waitForLesson(asked);
    await page.button("Leave").click();
    await page.ready();
    assert.equal((await page.moves()).length, 4);
    await page.page.reload();
    await page.ready();
    assert.ok(!(await page.page.locator("#lesson").isVisible()));
    await begin(page);
    await solve(page, engine, variant, second);
    await page.waitForLesson(noThemes);
    assert.deepEqual(await grades(page), ["Grade 1: 2 of 2 solved", "Grade 3: 0 of 1 solved"]);

    // The last grade is kept.
    await grade(page).selectOption({ index: 1 });
    await page.waitForTitle("Problem 1 of 1");
    // Nothing follows the last problem, and nothing is before the first one.
    assert.ok(await page.button("Next").isDisabled());
    await page.button("Previous").click();
    await page.waitForTitle("Problem 2 of 2, solved");
    await number(page).selectOption("1 ✓");
    await page.waitForTitle("Problem 1 of 2, solved");
    assert.ok(await page.button("Previous").isDisabled());
    await grade(page).selectOption({ index: 1 });
    await page.waitForTitle("Problem 1 of 1");
    await page.button("Leave").click();
    await page.ready();
    await begin(page);
    await page.waitForTitle("Problem 1 of 1");
    assert.equal(await grade(page).inputValue(), "3");
    // A new game ends it.
    await page.newGame({});
    await page.page.locator("#lesson").waitFor({ state: "hidden" });
    await page.ready();
    assert.deepEqual(await page.moves(), []);
  });
}

test("a problem by the keyboard alone", { needsServer: true }, async ({
  open,
  engine,
  context,
}) => {
  await useProblems(context);
  const page = await open("?variant=linesofaction&side=black&level=easy");
  const { keyboard } = page.page;
  await page.page.locator("#open-menu summary").focus();
  await keyboard.press("Enter");
  for (let presses = 0; presses < 5; presses++) {
    await keyboard.press("Tab");
    if (await isFocused(page.button("Problems to solve"))) break;
  }
  await keyboard.press("Enter");
  await page.waitForTitle("Problem 1 of 2");
  const [first] = PROBLEMS.linesofaction;
  await solve(page, engine, "linesofaction", first, [], WAYS.keyboard);
  await page.waitForLesson("f7-d5: solved.");
  await page.announcer.filter({ hasText: "You have won" }).waitFor();
  await page.button("Next").press("Enter");
  await page.waitForTitle("Problem 2 of 2");
  await page.announcer.filter({ hasText: "Problem 2 of 2. " }).waitFor();
  await page.button("Leave").press("Enter");
  await page.ready();
});

test("each step of a problem is one announcement", { needsServer: true }, async ({
  open,
  context,
}) => {
  const page = await problems(open, context, "linesofaction");
  const announced = await page.listen();
  await page.button("Next").press("Enter");
  const second = /^Position\. Your turn\. Problem 2 of 2\. Black to play and win in \d\.$/;
  await page.idle();
  assert.match((await announced()).at(-1), second);
  await page.button("Solution").press("Enter");
  const { solution } = PROBLEMS.linesofaction[1];
  const line = `The solution, with the best defence: ${solution.join(", ")}. Themes: `;
  await page.idle();
  assert.ok((await announced()).at(-1).startsWith(line.slice(0, -9)));
  await page.button("Leave").press("Enter");
  await page.ready();
  const all = await announced();
  assert.equal(new Set(all).size, all.length);
});

test("each move of a problem is announced once, and that it is solved once", {
  needsServer: true,
}, async ({ open, context, engine }) => {
  const variant = "englishdraughts";
  const page = await problems(open, context, variant);
  const [problem] = PROBLEMS[variant];
  const { solution } = problem;
  await page.announcer.filter({ hasText: "Problem 1 of 2" }).waitFor();
  const announced = await page.listen();
  await solve(page, engine, variant, problem, [0, solution.length]);
  await page.announcer.filter({ hasText: ": solved." }).waitFor();
  const all = (await announced()).join(" ");
  for (const move of solution) {
    const told = all.split(/[ .:]+/).filter((word) => word === move);
    assert.equal(told.length, 1, `${move}: ${all}`);
  }
  assert.equal(all.split("solved").length - 1, 1, all);
  assert.doesNotMatch(all, /to play and/);
});

test("the board, the text and the buttons are on one screen of a phone", {
  context: PHONE,
  needsServer: true,
}, async ({ open, context }) => {
  const page = await problems(open, context, "englishdraughts");
  const { width, height } = PHONE.viewport;
  const box = async (locator) => {
    const { x, y, ...size } = await locator.boundingBox();
    const [right, bottom] = [x + size.width, y + size.height];
    assert.ok(x >= 0 && y >= 0 && right <= width && bottom <= height, `${[x, y, right, bottom]}`);
    return { y, bottom };
  };
  const fits = async () => {
    await page.idle();
    await box(page.page.locator("#board"));
    await box(grade(page));
    // Its text is not cut: a list that takes the width of its text is not narrower.
    const isWhole = await grade(page).evaluate((field) => {
      const { width } = field.getBoundingClientRect();
      field.style.width = "max-content";
      const whole = field.getBoundingClientRect().width;
      field.style.width = "";
      return width >= whole - 1;
    });
    assert.ok(isWhole);
    await box(number(page));
    const { bottom } = await box(page.lesson);
    for (const name of ["Try again", "Solution", "Previous", "Next", "Leave"])
      assert.ok(bottom <= (await box(page.button(name))).y, name);
  };
  await fits();
  await page.play({ path: ["g3", "f4"] }, WAYS.touch);
  await page.waitForLesson("24-19 is too slow");
  await fits();
});

test("another move that is proved to win solves a problem of any length", {
  needsServer: true,
}, async ({ open, context }) => {
  const page = await problems(open, context, "englishdraughts");
  await grade(page).selectOption({ index: 1 });
  await page.waitForLesson("White to play and win.");
  await page.page.getByRole("tab", { name: "Moves" }).click();
  await page.typeMove("24-19");
  await page.page.getByRole("tab", { name: "Problems" }).click();
  await page.waitForLesson(
    /^24-19 wins in \d+ moves, which is proved: solved\. Themes: sacrifice\.$/,
  );
});

test("clocks stand still, and the engine does not help", { needsServer: true }, async ({
  open,
  engine,
  context,
}) => {
  await useProblems(context);
  await context.clock.install();
  const page = await open("?variant=linesofaction&side=black&level=easy");
  await page.newGame({ side: "Black", level: "Easy", time: "With clocks", minutes: "5" });
  await page.playOn(engine, "linesofaction", 2);
  await page.page.getByRole("switch", { name: "Analyse position" }).check();
  await page.page.locator("#bar").waitFor();
  await begin(page);
  for (const part of ["#bar", ".clock >> nth=0", ".engine-box"])
    assert.ok(!(await page.page.locator(part).isVisible()), part);
  await page.menu("Open");
  assert.ok(!(await page.button("Problems to solve").isVisible()));
  await page.page.keyboard.press("Escape");
  await page.page.clock.fastForward(120_000);
  await page.button("Leave").click();
  await page.ready();
  await page.page.locator("#bar").waitFor();
  const clock = await page.player("Black").locator(".clock").textContent();
  assert.match(clock, /^(5:0\d|4:[345]\d)$/);
});

test("a game without problems", { needsServer: true }, async ({ open, context }) => {
  await useProblems(context);
  const page = await open("?variant=scrambledeggs&side=black&level=easy");
  await page.menu("Open");
  await page.button("Problems to solve").click();
  await page.page.locator("#notice", { hasText: "No problems: there are none of" }).waitFor();
  await page.ready();
  assert.ok(!(await page.page.locator("#lesson").isVisible()));
});

for (const { variant } of GAMES) {
  test(`${variant}: the first built-in problem`, async ({ open, engine }) => {
    const [first] = await problemsOf(engine, variant);
    const page = await open(`?variant=${variant}&side=black&level=easy`);
    await begin(page);
    await solve(page, engine, variant, first);
    await page.waitForLesson(/: solved\./);
  });
}

test("a problem is printed with its task, and with its solution once that is shown", {
  needsServer: true,
}, async ({ open, context }) => {
  const page = await problems(open, context, "englishdraughts");
  const task = "Problem 1 of 2, grade 1. White to play and win in 3.";
  const printed = async () => {
    await page.page.emulateMedia({ media: "print" });
    const parts = [".player >> nth=0", ".player >> nth=1", "#moves", "#lesson"];
    for (const part of parts) assert.ok(!(await page.page.locator(part).isVisible()), part);
    assert.ok(await page.page.locator("#board").isVisible());
    const text = await page.page.locator("#caption").textContent();
    await page.page.emulateMedia({ media: "screen" });
    return text;
  };
  assert.equal(await printed(), task);
  await page.button("Solution").click();
  await page.waitForLesson("The solution, with the best defence.");
  const { solution } = PROBLEMS.englishdraughts[0];
  assert.equal(await printed(), `${task} Solution: ${solution.join(" ")}.`);
  await page.button("Leave").click();
  await page.ready();
  assert.ok(await page.player("White").isVisible());
});

test("problems are offered at the end of a game", { needsServer: true }, async ({
  open,
  context,
}) => {
  await useProblems(context);
  const page = await open("?variant=linesofaction&side=black&level=easy");
  assert.ok(!(await page.button("Solve problems").isVisible()));
  await page.resign();
  await page.button("Solve problems").click();
  await page.waitForTitle("Problem 1 of 2");
  assert.ok(!(await page.button("Solve problems").isVisible()));
});
