/** Tests opening games and positions (pasted, dropped, from files), saving and copying them. */
const assert = require("node:assert/strict");
const { readFileSync } = require("node:fs");
const path = require("node:path");
const { test } = require("../support/fixture.js");

const OTHER_CLIENT = path.join(__dirname, "../../browser_page");
const SGF_FILE = path.join(OTHER_CLIENT, "loa.sgf");
const SGF = readFileSync(SGF_FILE, "utf8");
const LOA_START = "1llllll1/L6L/L6L/L6L/L6L/L6L/L6L/1llllll1 b - - 0 1";
const XBOARD = `[Event "Computer match"]
[White "Ben"]
[Black "Anna"]
[Result "*"]
[Variant "fairy"]
[FEN "${LOA_START}"]
[SetUp "1"]

1. b1b3 a4c4 2. g1g3 *
`;
const DIAGRAM = `8  - m - m - - - -
7  - - - - - - - -
6  - - - - - - - -
5  - - - - - - - -
4  - - - - - - - -
3  - - - - - - - -
2  - - - - - - - K
1  - - - - - - M -
   a b c d e f g h
Next move: white`;

const [LOA, DRAUGHTS] = ["linesofaction", "englishdraughts"];
// A text, the game, the number of moves, and the pieces at the end.
const TEXTS = [
  ["SGF", SGF, LOA, 58, 13],
  ["PDN", '[Black "Anna"]\n[White "Ben"]\n1. 11-15 22-18 2. 15x22 *', DRAUGHTS, 3, 23],
  ["XBoard's PGN", XBOARD, LOA, 3, 24],
  ["plain moves", "b1b3 h4f4", LOA, 2, 24],
  ["moves of draughts", "1. 11-15 23-19", DRAUGHTS, 2, 24],
  ["FEN", "8/8/8/8/3ll3/8/L6L/8 w", LOA, 0, 4],
  ["PDN setup", "W:WK14,K15,K18:BK1,K6", DRAUGHTS, 0, 5],
  ["diagram", DIAGRAM, DRAUGHTS, 0, 4],
  ["FEN with its name", "FEN: W:WK14,K15,K18:BK1,K6", DRAUGHTS, 0, 5],
  ["moves as they are announced", "Black: b1-b3.\nWhite: h4-f4.", LOA, 2, 24],
];

const title = (page, name) =>
  page.page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
const dialog = (page) => page.page.getByRole("dialog", { name: "Open" });

for (const [name, text, variant, plies, pieces] of TEXTS) {
  test(`pasted into the dialog: ${name}`, async ({ open, engine }) => {
    const variants = await engine.variants();
    const page = await open();
    await page.openText(text);
    await dialog(page).waitFor({ state: "hidden" });
    await title(page, variants.find((known) => known.name === variant).title);
    assert.equal((await page.moves()).length, plies);
    if (plies > 0) await page.button("To the end").click();
    await page.idle();
    assert.equal(Object.keys(await page.pieces()).length, pieces);
  });
}

/** Runs in the page: drops a text or a file on the board. */
function drop({ text, file }) {
  const data = new DataTransfer();
  if (file) data.items.add(new File([file], "game.sgf"));
  else data.setData("text/plain", text);
  const target = document.getElementById("board");
  for (const kind of ["dragenter", "dragover", "drop"]) {
    const event = new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true });
    target.dispatchEvent(event);
  }
}

const PLACES = {
  "a file chosen": async (page) => {
    await page.menu("Open");
    await page.button("A game or position: file or text …").click();
    await dialog(page).getByLabel("File").setInputFiles(SGF_FILE);
  },
  "a file dropped": (page) => page.page.evaluate(drop, { file: SGF }),
  "a text dropped": (page) => page.page.evaluate(drop, { text: SGF }),
  "a text pasted on the page": async (page) => {
    await page.page.evaluate((text) => navigator.clipboard.writeText(text), SGF);
    await page.page.locator("body").press("Control+V");
  },
};
for (const [name, insert] of Object.entries(PLACES)) {
  test(name, async ({ open, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const page = await open("?variant=englishdraughts&side=black");
    await insert(page);
    await title(page, "Lines of Action");
    await page.idle();
    assert.equal((await page.moves()).length, 58);
  });
}

test("one of several games is chosen", async ({ open }) => {
  const page = await open();
  await page.openText(
    "(;GM[9]PB[Anna]PW[Ben];B[b1-b3])\n(;GM[9]PB[Cara]PW[Dora];B[c1-c3];W[a4-c4])",
  );
  const games = dialog(page).getByRole("listitem");
  await page.idle();
  assert.equal(await games.count(), 2);
  // Nothing but the list is there, with the focus on its first game.
  assert.ok(!(await dialog(page).getByLabel("Or paste a text").isVisible()));
  assert.ok(!(await dialog(page).getByRole("button", { name: "Open" }).isVisible()));
  assert.ok(
    await games
      .first()
      .getByRole("button")
      .evaluate((e) => e === document.activeElement),
  );
  // Another text is read.
  await dialog(page).getByRole("button", { name: "Another text" }).click();
  await dialog(page).getByLabel("Or paste a text").fill("hello");
  await dialog(page).getByRole("button", { name: "Open" }).click();
  await dialog(page).getByRole("alert").filter({ hasText: "hello" }).waitFor();
  assert.equal(await games.count(), 0);
  await page.page.keyboard.press("Escape");
  await page.openText(
    "(;GM[9]PB[Anna]PW[Ben];B[b1-b3])\n(;GM[9]PB[Cara]PW[Dora];B[c1-c3];W[a4-c4])",
  );
  await games.filter({ hasText: "Cara – Dora" }).getByRole("button").click();
  await dialog(page).waitFor({ state: "hidden" });
  assert.deepEqual(await page.moves(), ["c1-c3", "a4-c4"]);
  await page.announcer.filter({ hasText: "Lines of Action. Cara – Dora. 1 move." }).waitFor();
});

test("a file of any size is read, with its progress, and all its games are listed", async ({
  open,
}) => {
  const page = await open();
  const comment = "x".repeat(1_500);
  const game = (number) =>
    `[Black "Anna \u{1f600} ${number}"]\n[GameType "21"]\n\n1. 11-15 {${comment}} 22-18 *\n\n`;
  const text = Array.from({ length: 700 }, (_, index) => game(index + 1)).join("");
  await page.menu("Open");
  await page.button("A game or position: file or text …").click();
  const shown = await page.page.evaluateHandle(() => {
    const progress = document.getElementById("open-progress");
    const texts = [];
    new MutationObserver(() => texts.push(progress.textContent)).observe(progress, {
      childList: true,
    });
    return texts;
  });
  // At once, the button is pressed too, which does nothing.
  await page.page.evaluate((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], "games.pdn"));
    const field = document.getElementById("open-file");
    field.files = data.files;
    field.dispatchEvent(new Event("change"));
    const start = document.getElementById("open-start");
    globalThis.wasInert = start.matches("[aria-disabled=true]");
    start.click();
    start.form.requestSubmit();
  }, text);
  assert.ok(await page.page.evaluate(() => globalThis.wasInert));
  await dialog(page).getByText("700 games. Choose one.").waitFor();
  const texts = await shown.jsonValue();
  assert.ok(texts.length > 3 && /^[1-9]\d? % read, \d+ games$/.test(texts[1]), texts.join("; "));
  assert.equal(texts.at(-1), "700 games. Choose one.");
  assert.equal(await dialog(page).getByRole("alert").textContent(), "");
  const games = dialog(page).getByRole("listitem");
  const more = dialog(page).getByRole("button", { name: "Show more" });
  for (const count of [300, 600, 700]) {
    assert.equal(await games.count(), count);
    if (count < 700) await more.click();
  }
  assert.ok(!(await more.isVisible()));
  await dialog(page).getByLabel("Find").fill("anna 70");
  assert.equal(await games.count(), 8);
  await dialog(page).getByText("8 of 700 games.").waitFor();
  await dialog(page).getByLabel("Find").fill("anna 70 nobody");
  await dialog(page).getByText("None of 700 games.").waitFor();
  await dialog(page).getByLabel("Find").fill("anna 70");
  await games.filter({ hasText: "700. Anna \u{1f600} 700 – White" }).getByRole("button").click();
  await dialog(page).waitFor({ state: "hidden" });
  assert.deepEqual(await page.moves(), ["11-15", "22-18"]);
  // The list comes back as it was.
  await page.menu("Open");
  await page.button("Back to the list of 700 games").click();
  await dialog(page).getByText("8 of 700 games.").waitFor();
  assert.equal(await games.count(), 8);
  await games.first().getByRole("button").click();
  await dialog(page).waitFor({ state: "hidden" });
});

test("broken games are marked in the list", async ({ open }) => {
  const page = await open();
  const whole = "(;GM[9]PB[Anna];B[b1-b3])";
  await page.openText(
    `${whole}(;GM[9]PB[Ben];B[b1-b3];W[a4-c4];B[a1-a8])(;GM[9]PB[Cara];B[c1-c3])`,
  );
  await dialog(page)
    .getByText(/^3 games\. Number \d cannot be read to the end\. Choose one\.$/)
    .waitFor();
  const faults = await dialog(page)
    .getByRole("listitem")
    .evaluateAll((all) => all.map((entry) => entry.querySelector(".fault")?.textContent ?? ""));
  assert.deepEqual([faults[0], faults[2]], ["", ""]);
  assert.match(faults[1], /^The game ends after White's move 1: /);
});

test("text that is not a game is refused with a reason", async ({ open }) => {
  const page = await open();
  const before = await page.pieces();
  for (const text of ["hello", '{"a":1}\n\n"', "hello ".repeat(190_000)]) {
    await page.openText(text);
    const fault = dialog(page).getByRole("alert").filter({ hasText: /./ });
    await fault.waitFor();
    await page.page.keyboard.press("Escape");
    await dialog(page).waitFor({ state: "hidden" });
    assert.deepEqual(await page.pieces(), before);
  }
});

test("a record with an illegal move is opened up to that move", async ({ open }) => {
  const page = await open();
  const record = "(;GM[9];B[b1-b3];W[a4-c4];B[a1-a8])";
  await page.openText(record);
  // The text stays beside its fault, to be mended.
  const after = { hasText: "after White's move 1" };
  await dialog(page).getByRole("alert").filter(after).waitFor();
  assert.equal(await dialog(page).getByLabel("Or paste a text").inputValue(), record);
  await page.button("Open what can be read").click();
  await page.page.locator("#notice").filter(after).waitFor();
  assert.equal((await page.moves()).length, 2);
  // Another move in its place is kept.
  await page.openPartial("(;GM[9];B[b8b6];W[a3c3](;B[c8c7];W[a2b2])(;B[b6e6]C[try]))");
  const fault = "The game ends after White's move 1";
  await page.page.getByRole("alert").filter({ hasText: fault }).waitFor();
  await page.idle();
  assert.deepEqual(await page.moves(), ["b8-b6", "a3-c3", "b6-e6"]);
  // The fault stays beside the moves, and is no comment. The moves that cannot be played are one,
  // so that a record which is saved has them.
  const rest = "Not played: c8c7 a2b2";
  const comments = () => page.movesPanel.locator(".comment").allTextContents();
  assert.deepEqual(await comments(), [rest, "try"]);
  await page.page.reload();
  await page.ready();
  assert.match(await page.page.locator("#record-fault").textContent(), new RegExp(`^${fault}: `));
  const [saved] = await page.saveRecord();
  assert.ok(saved.includes(`C[${rest}]`) && !saved.includes(fault), saved);
  await page.openPartial("1. 11-15 23-19 2. 1-6! {odd} 22-18 (2... 22-17 9-14) 8-11 *");
  assert.deepEqual(await comments(), ["Not played: 1-6! {odd} 22-18 (22-17 9-14) 8-11"]);
  await page.openText("1. 11-15 *");
  assert.equal(await page.page.locator("#record-fault").textContent(), "");
});

// A header for the rules, and what is said of it.
const UNREAD_RULES = [
  ['[Rules "American"]\n1. 11-15 *', "Rules: expected NAME: VALUE, found 'American'"],
  ['[Rules "Captures: never"]\n1. 11-15 *', "compulsory or optional, found 'Captures: never'"],
  ["(;GM[9]RU[Speed: 3];B[b1-b3])", "No Capture Draw, Move Limit, found 'Speed: 3'"],
  ["(;GM[9]RU[LOA];B[b1-b3])", null],
];
for (const [text, fault] of UNREAD_RULES) {
  test(`rules of a record that are not read: ${text}`, async ({ open }) => {
    const page = await open();
    await page.openText(text);
    await page.waitForMoves(1);
    const shown = await page.page.locator("#record-fault").textContent();
    if (fault) {
      assert.ok(shown.includes(`${fault}; no rules are read.`), shown);
      await page.page.locator("#notice", { hasText: fault }).waitFor();
    } else {
      assert.equal(shown, "");
    }
  });
}

test("the error under a typed move goes when it is outdated", async ({ open }) => {
  const page = await open("?variant=linesofaction&side=black&level=easy");
  const fault = page.page.locator("#typed-error");
  const ways = {
    "the field is emptied": () => page.page.getByLabel("Type a move").fill(""),
    "a dialog is opened": () => page.button("New game").click(),
  };
  for (const [name, act] of Object.entries(ways)) {
    await page.typeMove("d1d8");
    await fault.filter({ hasText: /./ }).waitFor();
    await act();
    await page.idle();
    assert.equal(await fault.textContent(), "", name);
  }
});

test("variations and comments of a record are shown, kept and saved", async ({ open, engine }) => {
  const page = await open();
  const text =
    "{Start} 1. 11-15! {Old Fourteenth} 23-19 (1... 22-18 15x22 (2. 12-12) 25x18) 8-11 *";
  await page.openPartial(text);
  const fault = "in a variation of game 1 (left out), illegal move 12-12";
  await page.page.getByRole("alert").filter({ hasText: fault }).waitFor();
  const list = () => page.movesPanel.getByRole("listitem").allTextContents();
  const shown = [
    "Start",
    "1. 11-15!",
    "Old Fourteenth",
    "1… 23-19",
    "1… 22-18 Not played: 12-122. 15x22 25x18 ",
    "2. 8-11",
  ];
  await page.idle();
  assert.deepEqual(await list(), shown);
  await page.page.reload();
  await page.ready();
  // A move tried on the board is another variation.
  await page.movesPanel.getByRole("button", { name: "11-15!" }).click();
  await page.typeMove("24-20");
  const [saved] = await page.saveRecord();
  assert.match(saved, /^\{Start\} 1\. 11-15! \{Old Fourteenth\} 23-19/m);
  const { games } = await engine.query([], `import ${JSON.stringify({ text: saved })}`);
  const [{ moves, variations, annotations }] = games;
  const standard = (moves) => moves.map(({ standard }) => standard).join(" ");
  assert.equal(standard(moves), "11-15 23-19 8-11");
  assert.deepEqual(
    variations.map(({ line, ply, moves }) => [line, ply, standard(moves)]),
    [
      [0, 2, "22-18 15x22 25x18"],
      [0, 2, "24-20"],
    ],
  );
  assert.deepEqual(annotations, [
    { line: 0, ply: 0, comment: "Start", nags: [] },
    { line: 0, ply: 1, comment: "Old Fourteenth", nags: [1] },
    { line: 1, ply: 2, comment: "Not played: 12-12", nags: [] },
  ]);
  await page.button("Delete this variation").click();
  await page.answer("Delete");
  await page.idle();
  assert.deepEqual(await list(), shown);
});

for (const [variant, format] of [
  ["linesofaction", "sgf"],
  ["englishdraughts", "pdn"],
]) {
  test(`the record of ${variant} is saved and read again`, async ({ open, engine }) => {
    const page = await open(`?variant=${variant}&side=black&level=easy`);
    const moves = await page.playOn(engine, variant, 4);
    await page.resign();
    const [text, file] = await page.saveRecord();
    assert.match(file, new RegExp(`^You-Soucie-easy-[\\d-]+\\.${format}$`));
    const { games } = await engine.query([], `import ${JSON.stringify({ text })}`);
    assert.equal(games.length, 1);
    const [{ black, white, result, annotations }] = games;
    assert.equal(annotations.at(-1).comment, "Black has resigned");
    assert.deepEqual([black, white, result], ["You", "Soucie (easy)", "white"]);
    assert.deepEqual(
      games[0].moves.map(({ coordinate }) => coordinate),
      moves,
    );
  });
}

test("a record has the rules of its game", async ({ open }) => {
  const page = await open();
  const rules = '[Rules "Captures: optional; Draw Move Count: 50"]';
  await page.openText(`${rules}\n1. 11-15 22-18 8-11 *`);
  await page.waitForMoves(3);
  await page.page.reload();
  await page.ready();
  const [record] = await page.saveRecord();
  assert.ok(record.includes(rules), record);
  await page.button("To the end").click();
  await page.button("Play from here").click();
  const game = page.page.getByRole("dialog", { name: "New game" });
  await game.getByRole("radio", { name: "Two players" }).check();
  await game.getByRole("button", { name: "Start" }).click();
  await game.waitFor({ state: "hidden" });
  // Black could capture.
  await page.typeMove("24-20");
  await page.waitForMoves(1);
  await page.typeMove("9-13");
  await page.waitForMoves(2);
  // A record that names no rules has the usual ones.
  await page.openText("1. 11-15 22-18 8-11 *");
  await page.page.getByRole("alert").filter({ hasText: "after White's move 1" }).waitFor();
});

test("unknown names of a record are not shown", async ({ open }) => {
  const page = await open();
  const games = ["?", "", "????.??.??"].map((value, index) => {
    const tags = `[Event "${value}"]\n[White "${value}"]\n[Black "Anna ${index}"]\n[Date "${value}"]`;
    return `${tags}\n[Result "*"]\n\n1. 11-15 *\n`;
  });
  await page.openText(games.join("\n"));
  const entries = dialog(page).getByRole("listitem");
  await page.idle();
  assert.equal(await entries.count(), 3);
  for (const [index, entry] of (await entries.allTextContents()).entries()) {
    assert.equal(entry, `${index + 1}. Anna ${index} – White1 move`);
  }
  await entries.first().getByRole("button").click();
  await dialog(page).waitFor({ state: "hidden" });
  assert.doesNotMatch(await page.player("White").textContent(), /\?/);
});

/** The texts that belong to the game on the board alone. */
async function leftovers(page) {
  return {
    notice: await page.page.locator("#notice").isVisible(),
    typed: await page.page.getByLabel("Type a move").inputValue(),
    fault: await page.page.locator("#typed-error").textContent(),
    announced: /d8/.test(await page.announcer.textContent()),
  };
}
const NO_LEFTOVERS = { notice: false, typed: "", fault: "", announced: false };

const ANOTHER_GAME = {
  "a new game": (page) => page.newGame({}),
  "a record": (page) => page.openText("(;GM[9];B[c1-c3];W[a4-c4])"),
  "a position": (page) => page.openText("8/8/8/8/3ll3/8/L6L/8 w"),
  "a link": (page) => page.page.evaluate(() => (location.hash = "#variant=draughts")),
  "an earlier game": async (page) => {
    await page.menu("Open");
    await page.page
      .getByRole("button", { name: /^Lines of Action, / })
      .first()
      .click();
  },
};
for (const [name, begin] of Object.entries(ANOTHER_GAME)) {
  test(`${name} clears the messages and the typed text`, async ({ open, engine }) => {
    const page = await open("?variant=linesofaction&side=black&level=easy");
    await page.playOn(engine, "linesofaction", 2);
    await page.openPartial("(;GM[9];B[b1-b3];W[a4-c4];B[a1-a8])");
    await page.page.getByRole("alert").filter({ hasText: "after White's move 1" }).waitFor();
    await page.typeMove("d1d8");
    await page.page.locator("#typed-error").filter({ hasText: /./ }).waitFor();
    await begin(page);
    await page.idle();
    assert.deepEqual(await leftovers(page), NO_LEFTOVERS);
  });
}
