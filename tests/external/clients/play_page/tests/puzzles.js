/** Tests the puzzles to solve: of both games, by mouse and keyboard, on a desktop and a phone. */
const assert = require("node:assert/strict");
const { test, share, PHONE } = require("../support/fixture.js");
const { WAYS } = require("../support/play_page.js");
const { PUZZLES, puzzlesOf, usePuzzles } = require("../support/puzzles.js");
const { BOTH_WIN } = require("../support/states.js");

const grade = (page) => page.page.getByLabel("Grade");
const number = (page) => page.page.getByLabel("Number of the puzzle");
/** The grades with what is solved in each. */
const grades = (page) => grade(page).locator("option").allTextContents();
const isFocused = (locator) => locator.evaluate((element) => element === document.activeElement);

/** Opens the page with a new game, and its puzzles. */
async function puzzles(open, context, variant) {
  await usePuzzles(context);
  const page = await open(`?variant=${variant}&side=black&level=easy`);
  await begin(page);
  return page;
}

async function begin(page) {
  await page.menu("Open");
  await page.button("Puzzles").click();
  await page.waitForTitle(/^Puzzle /);
}

/** Plays moves of the solution from a ply to another one, each after the defence before it. */
async function solve(page, engine, variant, puzzle, [from, to] = [], way = WAYS.click) {
  const { setup, solution } = puzzle;
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
    dual: ["1-6", "1-6: solved. Themes: crowning (a man becomes a king), shot."],
    solved: "20x11: solved. Themes: crowning (a man becomes a king), shot.",
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
    dual: ["g3xe5", "g3xe5: solved. Theme: quiet move (the first move captures nothing)."],
    solved: "f7-d5: solved. Theme: quiet move (the first move captures nothing).",
    noThemes: "g5-e5: solved. Theme: double threat.",
  },
];

for (const { variant, asked, bottom, wrong, dual, solved, noThemes } of GAMES) {
  const [first, second] = PUZZLES[variant];

  test(`${variant}: right, wrong, dual, solution, progress and back`, {
    needsServer: true,
    isLong: variant !== "linesofaction",
  }, async ({ open, engine, context }) => {
    await usePuzzles(context);
    const page = await open(`?variant=${variant}&side=black&level=easy`);
    const moves = await page.playOn(engine, variant, 2);
    const game = await page.pieces();
    await page.notation("standard");
    await begin(page);

    // The first puzzle of the first grade is asked, with nothing that helps.
    await page.waitForTitle("Puzzle 1 of 2");
    await page.waitForLesson(asked);
    assert.ok(await isFocused(page.page.locator("#lesson-title")));
    // It is read out, its number before its task.
    await page.announcer.filter({ hasText: `Puzzle 1 of 2. ${asked}` }).waitFor();
    assert.deepEqual(await grades(page), ["Grade 1: 0 of 2 solved", "Grade 3: 0 of 1 solved"]);
    const start = await occupied(engine, variant, first.setup);
    await shows(page, start);
    assert.match(
      await page.page.locator("#player-bottom").textContent(),
      new RegExp(`^${bottom}you`),
    );
    assert.match(await page.status.textContent(), /^Find the win in \d\.$/);
    assert.ok(await page.button("Try again").isDisabled());
    const playing = ["Offer draw", "Resign", "Take back", "Move now", "Pause"];
    for (const name of ["Analyse this game", "Play from here", ...playing])
      assert.ok(!(await page.button(name).isVisible()), name);

    // A wrong move is refuted on the board. No other one is taken until the position is back.
    await page.page.getByRole("tab", { name: "Moves" }).click();
    // A comment would not be kept.
    assert.ok(!(await page.page.locator(".comment-box").isVisible()));
    await page.typeMove(wrong[0]);
    await page.page.getByRole("tab", { name: "Puzzles" }).click();
    await page.waitForLesson(wrong[1]);
    assert.equal(await page.status.textContent(), "Not yet: try again.");
    assert.match(await page.page.locator("#lesson-line").textContent(), /^It may go on: /);
    assert.deepEqual(await page.squares("can move"), []);
    await page.page.getByRole("tab", { name: "Moves" }).click();
    await page.typeMove(wrong[0]);
    await page.page.locator("#typed-error").filter({ hasText: "in “Puzzles” goes back" }).waitFor();
    await page.page.getByRole("tab", { name: "Puzzles" }).click();
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
    await page.page.getByRole("tab", { name: "Puzzles" }).click();
    await page.waitForLesson(dual[1]);
    assert.equal(await page.status.textContent(), "Solved.");
    await page.waitForTitle("Puzzle 1 of 2, solved");
    assert.equal((await grades(page))[0], "Grade 1: 1 of 2 solved");

    // It can be solved again.
    await page.button("Try again").click();
    await page.waitForLesson(asked);
    await solve(page, engine, variant, first);
    await page.waitForLesson(solved);
    assert.equal((await grades(page))[0], "Grade 1: 1 of 2 solved");

    // The solution is a line to click. What is solved afterwards does not count.
    await page.button("Next").click();
    await page.waitForTitle("Puzzle 2 of 2");
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
    await page.waitForTitle("Puzzle 2 of 2");
    assert.equal((await grades(page))[0], "Grade 1: 1 of 2 solved");
    await page.button("Previous").click();
    await page.waitForTitle("Puzzle 1 of 2, solved");

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

    // A reload keeps the game and what is solved; the next puzzle is the first one that is not.
    await page.page.reload();
    await page.ready();
    assert.equal((await page.moves()).length, 4);
    await begin(page);
    await page.waitForTitle("Puzzle 2 of 2");
    // A reload comes back to the puzzle, and leaving it to the game.
    await number(page).selectOption("1 ✓");
    await page.waitForTitle("Puzzle 1 of 2, solved");
    await page.page.reload();
    await page.waitForTitle("Puzzle 1 of 2, solved");
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
    await page.waitForTitle("Puzzle 1 of 1");
    // Nothing follows the last puzzle, and nothing is before the first one.
    assert.ok(await page.button("Next").isDisabled());
    await page.button("Previous").click();
    await page.waitForTitle("Puzzle 2 of 2, solved");
    await number(page).selectOption("1 ✓");
    await page.waitForTitle("Puzzle 1 of 2, solved");
    assert.ok(await page.button("Previous").isDisabled());
    await grade(page).selectOption({ index: 1 });
    await page.waitForTitle("Puzzle 1 of 1");
    await page.button("Leave").click();
    await page.ready();
    await begin(page);
    await page.waitForTitle("Puzzle 1 of 1");
    assert.equal(await grade(page).inputValue(), "3");
    // A new game ends it.
    await page.newGame({});
    await page.page.locator("#lesson").waitFor({ state: "hidden" });
    await page.ready();
    assert.deepEqual(await page.moves(), []);
  });
}

test("a puzzle by the keyboard alone", { needsServer: true }, async ({ open, engine, context }) => {
  await usePuzzles(context);
  const page = await open("?variant=linesofaction&side=black&level=easy");
  const { keyboard } = page.page;
  await page.page.locator("#open-menu summary").focus();
  await keyboard.press("Enter");
  for (let presses = 0; presses < 5; presses++) {
    await keyboard.press("Tab");
    if (await isFocused(page.button("Puzzles"))) break;
  }
  await keyboard.press("Enter");
  await page.waitForTitle("Puzzle 1 of 2");
  const [first] = PUZZLES.linesofaction;
  await solve(page, engine, "linesofaction", first, [], WAYS.keyboard);
  await page.waitForLesson("f7-d5: solved.");
  await page.announcer.filter({ hasText: "You have won" }).waitFor();
  await page.button("Next").press("Enter");
  await page.waitForTitle("Puzzle 2 of 2");
  await page.announcer.filter({ hasText: "Puzzle 2 of 2. " }).waitFor();
  await page.button("Leave").press("Enter");
  await page.ready();
});

test("each step of a puzzle is one announcement", { needsServer: true }, async ({
  open,
  context,
}) => {
  const page = await puzzles(open, context, "linesofaction");
  const announced = await page.listen();
  await page.button("Next").press("Enter");
  const second = /^Position\. Puzzle 2 of 2\. Black to play and win in \d\.$/;
  await page.idle();
  assert.match((await announced()).at(-1), second);
  await page.button("Solution").press("Enter");
  const { solution } = PUZZLES.linesofaction[1];
  await page.idle();
  const shown = (await announced()).slice(-solution.length - 1);
  const moves = solution.map((move) => `'s move \\d: ${move}(, a capture)?\\.`);
  const spoken = ["^The solution, with the best defence\\.", ...moves];
  assert.equal(shown.at(-1).split("Black has won").length - 1, 1, shown.at(-1));
  for (const [index, text] of spoken.entries()) assert.match(shown[index], new RegExp(text));
  await page.button("Leave").press("Enter");
  await page.ready();
  const all = await announced();
  assert.equal(new Set(all).size, all.length);
});

test("each move of a puzzle is announced once, and that it is solved once", {
  needsServer: true,
}, async ({ open, context, engine }) => {
  const variant = "englishdraughts";
  const page = await puzzles(open, context, variant);
  const [puzzle] = PUZZLES[variant];
  const { solution } = puzzle;
  await page.announcer.filter({ hasText: "Puzzle 1 of 2" }).waitFor();
  const announced = await page.listen();
  await solve(page, engine, variant, puzzle, [0, solution.length]);
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
  const page = await puzzles(open, context, "englishdraughts");
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

test("another move that is proved to win solves a puzzle of any length", {
  needsServer: true,
}, async ({ open, context }) => {
  const page = await puzzles(open, context, "englishdraughts");
  await grade(page).selectOption({ index: 1 });
  await page.waitForLesson("White to play and win.");
  await page.page.getByRole("tab", { name: "Moves" }).click();
  await page.typeMove("24-19");
  await page.page.getByRole("tab", { name: "Puzzles" }).click();
  await page.waitForLesson(
    /^24-19 wins in \d+ moves, which is proved: solved\. Theme: sacrifice \(the first move makes the opponent capture\)\.$/,
  );
});

test("clocks stand still, and the engine does not help", { needsServer: true }, async ({
  open,
  engine,
  context,
}) => {
  await usePuzzles(context);
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
  assert.ok(!(await page.button("Puzzles").isVisible()));
  await page.page.keyboard.press("Escape");
  await page.page.clock.fastForward(120_000);
  await page.button("Leave").click();
  await page.ready();
  await page.page.locator("#bar").waitFor();
  const clock = await page.player("Black").locator(".clock").textContent();
  assert.match(clock, /^(5:0\d|4:[345]\d)$/);
});

test("a game without puzzles", { needsServer: true }, async ({ open, context }) => {
  await usePuzzles(context);
  const page = await open("?variant=scrambledeggs&side=black&level=easy");
  await page.menu("Open");
  await page.button("Puzzles").click();
  await page.page.locator("#notice", { hasText: "No puzzles: there are none of" }).waitFor();
  await page.ready();
  assert.ok(!(await page.page.locator("#lesson").isVisible()));
});

test("each theme of a built-in puzzle is explained, seen and read out", {
  needsServer: true,
}, async ({ open, context, engine }) => {
  for (const variant of Object.keys(PUZZLES)) {
    const all = await puzzlesOf(engine, variant);
    const themes = [...new Set(all.flatMap(({ themes }) => themes))];
    await usePuzzles(context, { [variant]: [{ ...all[0], themes }] });
    const page = await open(`?variant=${variant}&side=black&level=easy`);
    await begin(page);
    await page.button("Solution").click();
    const text = `Themes: ${themes.map((theme) => `${theme} \\([^)]+\\)`).join(", ")}\\.`;
    await page.announcer.filter({ hasText: new RegExp(text) }).waitFor();
    assert.match(await page.lesson.textContent(), new RegExp(text));
    await page.page.close();
  }
});

for (const { variant } of GAMES) {
  test(`${variant}: the first built-in puzzle`, async ({ open, engine }) => {
    const [first] = await puzzlesOf(engine, variant);
    const page = await open(`?variant=${variant}&side=black&level=easy`);
    await begin(page);
    await solve(page, engine, variant, first);
    await page.waitForLesson(/: solved\./);
  });
}

test("a puzzle is printed with its task, and with its solution once that is shown", {
  needsServer: true,
}, async ({ open, context }) => {
  const page = await puzzles(open, context, "englishdraughts");
  const task = "Puzzle 1 of 2, grade 1. White to play and win in 3.";
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
  await page.button("Try again").click();
  await page.idle();
  const { solution } = PUZZLES.englishdraughts[0];
  assert.equal(await printed(), `${task} Solution: ${solution.join(" ")}.`);
  await page.button("Leave").click();
  await page.ready();
  assert.ok(await page.player("White").isVisible());
});

test("puzzles are offered at the end of a game", { needsServer: true }, async ({
  open,
  context,
}) => {
  await usePuzzles(context);
  const page = await open("?variant=linesofaction&side=black&level=easy");
  assert.ok(!(await page.button("Solve puzzles").isVisible()));
  await page.resign();
  await page.button("Solve puzzles").click();
  await page.waitForTitle("Puzzle 1 of 2");
  assert.ok(!(await page.button("Solve puzzles").isVisible()));
});

test("a hint shows the piece first, then its target, and counts as a miss", {
  needsServer: true,
}, async ({ open, context }) => {
  const page = await puzzles(open, context, "englishdraughts");
  const marks = (selector) => page.page.locator(`#board .arrow ${selector}`).count();
  await page.button("Hint").click();
  const below = (text) => page.page.locator("#lesson-line").filter({ hasText: text }).waitFor();
  await below(/^Hint: move the man on 6\.$/);
  await page.waitForLesson("White to play and win in 3.");
  assert.deepEqual([await marks(".ring"), await marks(".shaft")], [1, 0]);
  await page.button("Hint").click();
  await below(/^Hint: move the man on 6 to 1\.$/);
  assert.deepEqual([await marks(".ring"), await marks(".shaft")], [0, 1]);
  // Also after a wrong move, it is about the position to solve.
  await page.play({ path: ["g3", "f4"] }, WAYS.click);
  await page.waitForLesson("24-19 is too slow");
  await page.button("Hint").click();
  await below("Hint: move the man on 6 to 1.");
  assert.match(await page.status.textContent(), /^Find the win in 3/);
  const note = await page.page.locator("#lesson-note").textContent();
  assert.match(note, /^Your grade: [12]\.\d, an estimate from 1 puzzle\.$/);
});

test("once a puzzle is solved there is no hint until it begins anew", {
  needsServer: true,
}, async ({ open, context, engine }) => {
  const variant = "linesofaction";
  const page = await puzzles(open, context, variant);
  const hint = page.button("Hint");
  await solve(page, engine, variant, PUZZLES[variant][0]);
  await page.waitForLesson(": solved.");
  for (const key of ["", "ArrowLeft"]) {
    if (key) await page.page.keyboard.press(key);
    await page.idle();
    assert.ok(await hint.isDisabled(), key);
  }
  await page.button("Try again").click();
  await page.idle();
  await hint.click();
  await page.page.locator("#lesson-line").filter({ hasText: "Hint: move the stone" }).waitFor();
});

test("the solution is played on the board, and can be stepped through", {
  needsServer: true,
}, async ({ open, context, engine }) => {
  const variant = "linesofaction";
  const [{ setup, solution }] = PUZZLES[variant];
  const page = await puzzles(open, context, variant);
  const start = await page.pieces();
  const { pieces } = await engine.state(variant, solution, setup);
  const end = pieces.map(({ square }) => square).sort();
  await page.button("Solution").click();
  await shows(page, end);
  assert.deepEqual(await page.page.locator("#moves .move").allTextContents(), solution);
  assert.ok(await page.button("Hint").isDisabled());
  for (const _ of solution) await page.page.keyboard.press("ArrowLeft");
  await page.idle();
  assert.deepEqual(await page.pieces(), start);
  for (const _ of solution) await page.page.keyboard.press("ArrowRight");
  await shows(page, end);
  // A step of the solver takes the place of those to come.
  await page.button("Solution").click();
  await page.status.filter({ hasText: /^After .* move 1 of [2-9]/ }).waitFor();
  const announced = await page.listen();
  await page.page.keyboard.press("ArrowLeft");
  await page.idle();
  assert.deepEqual(await page.pieces(), start);
  // Nothing is said of the end.
  assert.doesNotMatch((await announced()).join(" "), /has won|chances/);
});

test("a move in place of the shown solution is judged", { needsServer: true }, async ({
  open,
  context,
}) => {
  const page = await puzzles(open, context, "englishdraughts");
  await page.button("Solution").click();
  await page.play({ path: ["g3", "f4"] }, WAYS.click);
  await page.waitForLesson("24-19 is too slow");
});

test("the grade of the player follows from what was solved and missed", async ({ open }) => {
  const page = await open();
  const grades = await page.page.evaluate(async () => {
    const { estimate } = await import(new URL("puzzles.js", location.href));
    const tries = (grade, solved, missed) => [
      ...Array(solved).fill({ grade, isSolved: true }),
      ...Array(missed).fill({ grade, isSolved: false }),
    ];
    return [
      tries(2, 30, 30),
      tries(4, 30, 30),
      [...tries(3, 30, 0), ...tries(4, 0, 30)],
      tries(5, 300, 0),
      tries(1, 0, 300),
    ].map(estimate);
  });
  const expected = [2, 4, 3.5, 5, 1];
  for (const [index, grade] of grades.entries())
    assert.ok(Math.abs(grade - expected[index]) < 0.3, `${grade}, not ${expected[index]}`);
});

test("why a puzzle is won, the next one with a key, and the grade", { needsServer: true }, async ({
  open,
  engine,
  context,
}) => {
  const variant = "linesofaction";
  const page = await puzzles(open, context, variant);
  const [first, second] = PUZZLES[variant];
  await solve(page, engine, variant, first);
  await page.waitForLesson(
    /f7-d5: solved\. Theme: quiet move \(the first move captures nothing\)\. You have won: all your stones /,
  );
  assert.equal(await page.status.textContent(), "Solved.");
  const note = page.page.locator("#lesson-note");
  assert.match(await note.textContent(), /^Your grade: 3\.\d, an estimate from 1 puzzle\.$/);
  await page.page.keyboard.press("n");
  await page.waitForTitle("Puzzle 2 of 2");
  await page.button("Solution").click();
  await page.waitForLesson(/^The solution, with the best defence\. .* (Black|White) has won: /);
  assert.equal(await page.page.locator("#lesson-line button").count(), second.solution.length);
  await page.page.locator("#lesson-line button").last().click();
  await page.status.filter({ hasText: /^(Black|White) has won: / }).waitFor();
  assert.match(await note.textContent(), /^Your grade: [12]\.\d, an estimate from 2 puzzles\.$/);
  // It is kept.
  await page.page.reload();
  await page.waitForTitle("Puzzle 2 of 2");
  assert.match(await note.textContent(), /from 2 puzzles\.$/);
});

test("what is not proved to draw probably draws, and a win is proved where the game goes on", {
  needsServer: true,
}, async ({ open, engine, context }) => {
  const variant = "englishdraughts";
  const setup = "B:WK1,5,21:B10,K14,K28";
  const solution = ["14-9", "1-6", "9x2"];
  const puzzle = { id: "d", setup, terms: "win", grade: 1, themes: [], solution, duals: [] };
  await usePuzzles(context, { [variant]: [puzzle] });
  const page = await open(`?variant=${variant}&side=black&level=easy`);
  await begin(page);
  await page.page.getByRole("tab", { name: "Moves" }).click();
  await page.typeMove("28-24");
  await page.page.getByRole("tab", { name: "Puzzles" }).click();
  await page.waitForLesson(/^28-24 does not solve it: it probably only draws\./);
  await page.button("Try again").click();
  await solve(page, engine, variant, puzzle);
  await page.waitForLesson(
    /^9x2: solved\. Black (wins in \d+ moves, which is proved|has \d pieces against \d, and chances of \d+\s%)\.$/,
  );
});

test("wins that were missed in one's own games are puzzles", { needsServer: true }, async ({
  open,
  context,
}) => {
  await usePuzzles(context);
  const page = await open(share("linesofaction", BOTH_WIN));
  await page.newGame({ from: "Position on the board", side: "Black", level: "Full strength" });
  await page.typeMove("b1a2");
  await page.status.filter({ hasText: "You have lost" }).waitFor();
  await page.page.getByRole("tab", { name: "Game analysis" }).click();
  await page.button("Analyse this game").click();
  await page.idle();
  await begin(page);
  await grade(page).selectOption("Your games: 0 of 1 solved");
  await page.waitForTitle("Puzzle 1 of 1");
  await page.waitForLesson("From your game: Black to play and win.");
  await page.play({ path: ["d1", "c2"] }, WAYS.click);
  await page.waitForTitle("Puzzle 1 of 1, solved");
  assert.equal((await grades(page)).at(-1), "Your games: 1 of 1 solved");
  // It has no grade, so it does not count for that of the player.
  assert.equal(await page.page.locator("#lesson-note").textContent(), "");
});
