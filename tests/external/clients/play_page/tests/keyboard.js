/** Tests the page with the keyboard alone, and the texts for screen readers. */
const assert = require("node:assert/strict");
const { test, share, LOA, DRAUGHTS } = require("../support/fixture.js");
const { WAYS } = require("../support/play_page.js");

/** The label of the cell with the focus. */
const cursor = (page) =>
  page.page.evaluate(() => document.activeElement.getAttribute("aria-label"));

test("the board is reached with Tab, and its cursor moved", async ({ open }) => {
  const page = await open(LOA);
  const { keyboard } = page.page;
  for (let presses = 0; presses < 30; presses++) {
    await keyboard.press("Tab");
    if (/^[a-h][1-8]/.test(await cursor(page))) break;
  }
  // The first piece that can be moved.
  assert.match(await cursor(page), /^b8/);
  const steps = [
    ["ArrowRight", "c8, black stone"],
    ["ArrowDown", "c7, empty"],
    ["End", "h7, white stone"],
    ["ArrowRight", "h7, white stone"],
    ["Home", "a7, white stone"],
    ["ArrowUp", "a8, empty"],
    ["ArrowLeft", "a8, empty"],
  ];
  for (const [key, label] of steps) {
    await keyboard.press(key);
    assert.equal(await cursor(page), label, key);
  }
  // Tab leaves the board, and comes back to the same square.
  await keyboard.press("ArrowDown");
  await keyboard.press("Tab");
  assert.doesNotMatch((await cursor(page)) ?? "", /^[a-h][1-8]/);
  await keyboard.press("Shift+Tab");
  assert.equal(await cursor(page), "a7, white stone");
});

test("in a new game the cursor begins on a piece that can move", async ({ open }) => {
  const page = await open(LOA);
  await page.keyTo("e1");
  for (const [game, side, piece] of [
    ["English draughts", "Black", "black man"],
    ["English draughts", "White", "white man"],
    ["Lines of Action", "White", "white stone"],
  ]) {
    await page.button("New game").press("Enter");
    const dialog = page.page.getByRole("dialog", { name: "New game" });
    await dialog.getByRole("radio", { name: game, exact: true }).press("Space");
    await dialog.getByRole("radio", { name: side, exact: true }).press("Space");
    await dialog.getByRole("button", { name: "Start" }).press("Enter");
    await page.ready();
    assert.match(await cursor(page), new RegExp(piece));
    await page.page.keyboard.press("Enter");
    assert.equal((await page.squares("chosen")).length, 1);
    await page.page.keyboard.press("Escape");
    for (const key of ["ArrowUp", "ArrowUp", "ArrowRight"]) await page.page.keyboard.press(key);
  }
});

test("the cursor follows the view from the other side", async ({ open }) => {
  const page = await open(LOA);
  await page.button("Flip").click();
  await page.keyTo("b1");
  assert.match(await cursor(page), /^b1, black stone, chosen/);
  await page.page.keyboard.press("ArrowRight");
  assert.match(await cursor(page), /^a1/);
});

test("the arrow keys on the board do not step through the game", async ({ open, engine }) => {
  const page = await open(LOA);
  await page.playOn(engine, "linesofaction", 2);
  await page.keyTo("a8");
  await page.page.keyboard.press("ArrowLeft");
  assert.doesNotMatch(await page.status.textContent(), /^After/);
});

test("after a click on the board the arrow keys step through the game", async ({
  open,
  engine,
}) => {
  const page = await open(LOA);
  await page.playOn(engine, "linesofaction", 2);
  await page.page.keyboard.press("ArrowLeft");
  await page.status.filter({ hasText: "After Black's move 1 of 1" }).waitFor();
  await page.page.getByRole("switch", { name: "Analyse position" }).click();
  await page.page.keyboard.press("ArrowRight");
  await page.status.filter({ hasText: "Your turn" }).waitFor();
});

test("a closed menu returns the focus", async ({ open }) => {
  const page = await open(LOA);
  const { keyboard } = page.page;
  const focused = () => page.page.evaluate(() => document.activeElement.textContent);
  await page.menu("Save");
  await keyboard.press("Tab");
  await keyboard.press("Escape");
  assert.equal(await focused(), "Save");
  await page.menu("Open");
  await page.button("Set up a position …").click();
  await keyboard.press("Escape");
  assert.equal(await focused(), "Open");
});

test("Enter chooses, Escape cancels, Space chooses too", async ({ open }) => {
  const page = await open(LOA);
  const { keyboard } = page.page;
  for (const key of ["Enter", "Space"]) {
    await page.keyTo("b8");
    if (key === "Space") {
      await keyboard.press("Escape");
      await keyboard.press("Space");
    }
    assert.deepEqual(await page.squares("chosen"), ["b8"], key);
    assert.match(await cursor(page), /^b8, black stone, chosen/);
    await keyboard.press("Escape");
    assert.deepEqual(await page.squares("chosen"), [], key);
  }
});

test("the focus stays on the board during a game", async ({ open, engine }) => {
  const page = await open(LOA);
  const { legal } = await engine.state("linesofaction", []);
  await page.play(legal[0], WAYS.keyboard);
  await page.waitForMoves(2);
  await page.ready();
  assert.match(await cursor(page), new RegExp(`^${legal[0].path.at(-1)}`));
});

// Every notation that the engine reads, as typed and as listed by squares.
const TYPED = [
  [LOA, { b1b3: "b1b3", "B1-B3": "b1b3", " b1 b3 ": "b1b3", "Black: b1-h1.": "b1h1" }],
  [DRAUGHTS, { "11-15": "f6e5", f6e5: "f6e5", "f6-e5": "f6e5" }],
];
for (const [place, moves] of TYPED) {
  test(`typed moves: ${Object.keys(moves).join(", ")}`, async ({ open }) => {
    const page = await open(place);
    await page.notation("coordinate");
    for (const [typed, move] of Object.entries(moves)) {
      await page.newGame({});
      await page.typeMove(typed);
      await page.waitForMoves(2);
      assert.equal((await page.coordinates())[0], move, typed);
      assert.equal(await page.page.getByLabel("Type a move").inputValue(), "", typed);
    }
  });
}

// Typed texts that are refused, and a part of the reason.
const REFUSED = {
  b1b4: "the line holds 2 stones",
  x: "found 'x'",
  quit: "found 'quit'",
  "b1b3 c1c3": "found 'b1b3 c1c3'",
  a7c7: "the stone on a7 is White's",
};
test("a typed move without a text is refused", async ({ open }) => {
  const page = await open(LOA);
  await page.typeMove("  ");
  await page.page.locator("#typed-error").filter({ hasText: "Type a move first." }).waitFor();
  await page.announcer.filter({ hasText: "Type a move first." }).waitFor();
});

test("typed and refused with a reason", async ({ open }) => {
  const page = await open(LOA);
  const fault = page.page.locator("#typed-error");
  await page.typeMove("b1b4");
  // The name of a square begins with a small letter, also at the start of a sentence.
  await page.status.filter({ hasText: /^b1 to b4: the line holds/ }).waitFor();
  for (const [typed, reason] of Object.entries(REFUSED)) {
    await page.typeMove(typed);
    await fault.filter({ hasText: reason }).waitFor();
    await page.announcer.filter({ hasText: reason }).waitFor();
    assert.equal(await page.page.getByLabel("Type a move").inputValue(), typed);
    assert.deepEqual(await page.moves(), [], typed);
  }
  await page.typeMove("b1b3");
  await page.waitForMoves(2);
  assert.equal(await fault.textContent(), "");
});

test("moves are announced", async ({ open, engine }) => {
  const page = await open(LOA);
  assert.equal(await page.announcer.getAttribute("role"), "status");
  const [first, reply] = await page.playOn(engine, "linesofaction", 2);
  assert.notEqual(first, reply);
  const { last } = await engine.state("linesofaction", [first, reply]);
  await page.announcer.filter({ hasText: `White: ${last.path.join("")}` }).waitFor();
});

test("the dialog for a new game by keyboard", async ({ open }) => {
  const page = await open(LOA);
  const { keyboard } = page.page;
  await page.button("New game").focus();
  await keyboard.press("Enter");
  const dialog = page.page.getByRole("dialog", { name: "New game" });
  await dialog.waitFor();
  // The focus is inside, and stays there.
  for (let i = 0; i < 12; i++) await keyboard.press("Tab");
  assert.equal(await dialog.evaluate((e) => e.contains(document.activeElement)), true);
  await keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  assert.equal(await page.button("New game").evaluate((e) => e === document.activeElement), true);
  await keyboard.press("Enter");
  await dialog.getByRole("radio", { name: "Lines of Action", exact: true }).focus();
  await keyboard.press("ArrowDown");
  assert.equal(await dialog.getByRole("radio").nth(1).isChecked(), true);
  await keyboard.press("Enter");
  await dialog.waitFor({ state: "hidden" });
});

test("the list of the keys: by its key, and in a menu", async ({ open }) => {
  const page = await open(LOA);
  const { keyboard } = page.page;
  const dialog = page.page.getByRole("dialog", { name: "Keys" });
  await page.page.getByLabel("Type a move").focus();
  await keyboard.press("?");
  assert.equal(await dialog.isVisible(), false);
  await page.square("b1").focus();
  await keyboard.press("?");
  await dialog.waitFor();
  await keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  assert.match(await cursor(page), /^b1/);
  await page.menu("Display");
  await page.button("Keys …").click();
  await dialog.getByRole("button", { name: "Close" }).press("Enter");
  await dialog.waitFor({ state: "hidden" });
});

test("steps through a record say the move, its way and its comment", async ({ open }) => {
  const page = await open("?variant=englishdraughts");
  await page.openPartial("1. 11-15 22-18 {too early} 2. 15x22 25x18 3. 8-15");
  await page.ready();
  await page.notation("coordinate");
  await page.board.getByRole("gridcell").first().waitFor();
  for (const [step, text] of [
    ["To the end", "White's move 2: b2d4, over c3 to d4. Not played: 8-15. Black to move."],
    ["To the start", "Start position. Black to move."],
    ["One move forward", "Black's move 1: f6e5. White to move."],
    [
      "One move forward",
      "White's move 1: c3d4. too early. Black to move: a capture is compulsory.",
    ],
    [
      "One move forward",
      "Black's move 2: e5c3, over d4 to c3. White to move: a capture is compulsory.",
    ],
    ["One move back", "White's move 1: c3d4. too early."],
  ]) {
    await page.button(step).press("Enter");
    await page.announcer.filter({ hasText: text }).waitFor();
  }
  // What is missing stays visible in the list.
  await page.movesPanel.getByText("The game ends after White's move 2").waitFor();
});

/** Asserts that the focus is on the cursor of the board. */
const onBoard = async (page) => {
  await page.idle();
  assert.match((await cursor(page)) ?? "", /^[a-h][1-8](,|$)/);
};

// Buttons that disappear or end a dialog when they are pressed, each with what makes them appear.
const GONE = {
  "Play from here": async (page) => {
    await page.button("To the start").press("Enter");
    await page.button("Play from here").press("Enter");
  },
  "Back to the game": async (page) => {
    await page.button("To the start").press("Enter");
    await page.resign();
    await page.button("To the start").press("Enter");
    await page.typeMove("c1c3");
    await page.button("Back to the game").press("Enter");
  },
  "Play again, colours exchanged": async (page) => {
    await page.resign();
    await page.button("Play again, colours exchanged").press("Enter");
  },
  "Move now": async (page) => {
    await page.newGame({ level: "Full strength", seconds: "60" });
    await page.typeMove("b1b3");
    await page.button("Move now").press("Enter");
  },
  "Delete this variation": async (page) => {
    await page.resign();
    await page.button("To the start").press("Enter");
    await page.typeMove("c1c3");
    await page.button("Delete this variation").press("Enter");
    await page.page.keyboard.press("Tab");
    await page.page.keyboard.press("Enter");
  },
};
for (const [name, press] of Object.entries(GONE)) {
  test(`a button that disappears leaves the focus on the board: ${name}`, async ({ open }) => {
    const page = await open(LOA);
    await page.typeMove("b1b3");
    await page.waitForMoves(2);
    await page.ready();
    await press(page);
    await onBoard(page);
    await page.button(name).waitFor({ state: "hidden" });
  });
}

test("a new game by the keyboard begins on the board, by the mouse not", async ({ open }) => {
  const page = await open(LOA);
  for (const way of ["press", "click"]) {
    await page.button("New game")[way]("Enter");
    const dialog = page.page.getByRole("dialog", { name: "New game" });
    await dialog.getByRole("button", { name: "Start" })[way]("Enter");
    await dialog.waitFor({ state: "hidden" });
    if (way === "press") await onBoard(page);
  }
  assert.equal(await page.button("New game").evaluate((e) => e === document.activeElement), true);
});

test("a game that was resigned is open again, with a word", async ({ open }) => {
  const page = await open(LOA);
  await page.typeMove("b1b3");
  await page.waitForMoves(2);
  await page.ready();
  await page.resign();
  await page.button("To the start").press("Enter");
  const announced = await page.listen();
  await page.button("Play from here").press("Enter");
  await page.idle();
  assert.match((await announced()).join(), /The game is open again, and goes on from here\./);
});

// The announcements of the keys for the position, the last move and the clocks.
const KEYS = [
  [
    LOA,
    [],
    "Black: 12 stones on b8, c8, d8, e8, f8, g8, b1, c1, d1, e1, f1, g1, in 2 groups. White: 12 stones on a7, h7, a6, h6, a5, h5, a4, h4, a3, h3, a2, h2, in 2 groups. Black to move.",
    /^Start position\.$/,
  ],
  [
    share("englishdraughts", "B:W18,32:BK3,14"),
    ["14x23"],
    "Black: 1 man on 23; 1 king on 3. White: 1 man on 32. White to move.",
    /^Last move: Black's move 1: 14x23, over 18 to 23\.$/,
  ],
];
for (const [place, moves, pieces, last] of KEYS) {
  test(`keys for the position and the last move: ${pieces.slice(0, 20)}`, async ({ open }) => {
    const page = await open(place);
    for (const [index, move] of moves.entries()) {
      await page.typeMove(move);
      await page.waitForMoves(index + 1);
    }
    await page.square("d4").focus();
    await page.page.keyboard.press("p");
    await page.announcer.filter({ hasText: pieces }).waitFor();
    await page.page.keyboard.press("l");
    await page.announcer.filter({ hasText: last }).waitFor();
    // In a field they are text.
    await page.page.getByLabel("Type a move").press("p");
    assert.equal(await page.page.getByLabel("Type a move").inputValue(), "p");
    await page.page.getByLabel("Type a move").fill("");
    await page.square("d4").focus();
    await page.page.keyboard.press("?");
    await page.page.getByText("read out the pieces on the board").waitFor();
  });
}

test("a key reads out the clocks", async ({ open }) => {
  const page = await open(LOA);
  await page.newGame({ time: "With clocks", minutes: "5" });
  await page.square("d4").focus();
  await page.page.keyboard.press("l");
  await page.announcer
    .filter({ hasText: "Start position. Clocks: Black 5:00, White 5:00." })
    .waitFor();
});

test("what is chosen and what moves are called for screen readers", async ({ open }) => {
  const page = await open(LOA);
  assert.equal(await page.board.locator("[aria-selected]").count(), 0);
  await page.square("b1").click();
  assert.equal(await page.board.locator("[aria-selected]").count(), 1);
  await page.page.keyboard.press("Escape");
  await page.typeMove("b1b3");
  await page.waitForMoves(2);
  const [first, second] = await page.movesPanel.getByRole("list").getByRole("button").all();
  assert.equal(await first.getAttribute("aria-label"), "1, Black: b1-b3");
  assert.match(await second.getAttribute("aria-label"), /^1, White: /);
});

test("Home and End in the tabs", async ({ open }) => {
  const page = await open(LOA);
  const tab = (name) => page.page.getByRole("tab", { name });
  await tab("Moves").press("End");
  assert.equal(await tab("Rules").getAttribute("aria-selected"), "true");
  await tab("Rules").press("ArrowRight");
  await tab("Moves").press("ArrowLeft");
  await tab("Rules").press("Home");
  assert.equal(await tab("Moves").getAttribute("aria-selected"), "true");
  assert.equal(await tab("Moves").evaluate((e) => e === document.activeElement), true);
});

test("the announcements of steps name a position once", async ({ open }) => {
  const page = await open(LOA);
  await page.typeMove("b1b3");
  await page.waitForMoves(2);
  await page.ready();
  // Else it might be one announcement with the first step.
  await page.announcer.filter({ hasText: "Your turn." }).waitFor();
  const announced = await page.listen();
  const steps = {
    "To the start": "Start position.",
    "One move forward": "Black's move 1: b1-b3.",
  };
  for (const [name, text] of Object.entries(steps)) {
    await page.button(name).press("Enter");
    await page.idle();
    assert.equal((await announced()).at(-1), text);
  }
  assert.equal((await announced()).length, 2);
  await page.button("To the end").press("Enter");
  await page.ready();
  await page.button("Hint").press("Enter");
  await page.idle();
  assert.match((await announced()).join(), /The engine considers the position\./);
});
