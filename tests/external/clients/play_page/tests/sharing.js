/** Tests what is written about a game and given to others: headers, comments, texts, links, files. */
const assert = require("node:assert/strict");
const { deflateRawSync, inflateRawSync } = require("node:zlib");
const { test, DRAUGHTS } = require("../support/fixture.js");

const PDN = `[Event "Cup"]
[Site "Oslo"]
[Date "2026.01.31"]
[Round "3"]
[Black "Anna"]
[White "Ben"]
[Opening "a \\"b\\""]
[Result "1-0"]

1. 11-15 22-18 {the center} 2. 15x22 25x18 (2... 26x17) 1-0
`;
const SGF = "(;GM[9]PB[Lena]PW[Otto]DT[2025-12-24];B[b1-b3];W[a4-c4])";

/** Opens a record and waits until its moves are listed. */
async function openRecord(page, text, plies) {
  await page.openText(text);
  assert.equal((await page.moves()).length, plies);
}

/** Fills the form for the headers of the game. @param {Record<string, string>} values by label */
async function writeDetails(page, values, result) {
  await page.menu("Save");
  await page.button("Names, event, result …").click();
  const dialog = page.page.getByRole("dialog", { name: "Names, event, result" });
  for (const [label, value] of Object.entries(values))
    await dialog.getByRole("textbox", { name: label }).fill(value);
  if (result !== undefined) await dialog.getByLabel("Result").selectOption(result);
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "hidden" });
}

const HEADERS = {
  Black: "Ada L.",
  White: 'Bob "B" ]',
  Event: "Club evening",
  Site: "Bergen",
  Round: "2",
  Date: "2026-02-03",
};

test("names, event, site, round, date and result are written", async ({ open }) => {
  const page = await open();
  // Each a record, headers in its format, one that is not in the form, and the one of the result.
  const sgf = "(;GM[9]US[a \\] b]RE[B+Resign];B[b1-b3];W[a4-c4])";
  const records = [
    [PDN, 5, "Event Site Round Date Black", '[Opening "a \\"b\\""]', /\[Result "1\/2-1\/2"\]/],
    [sgf, 2, "EV PC RO DT PB", "US[a \\] b]", /RE\[(0|Draw)\]/],
  ];
  for (const [text, plies, names, other, result] of records) {
    await openRecord(page, text, plies);
    await writeDetails(page, HEADERS, "draw");
    await page.player("Black").getByText("Ada L.").waitFor();
    await page.movesPanel.getByText("Club evening · Bergen · round 2 · 2026-02-03").waitFor();
    await page.page.reload();
    await page.ready();
    const [record] = await page.saveRecord();
    for (const name of names.split(" ")) assert.match(record, new RegExp(`\\b${name}\\b`));
    for (const value of ["Ada L.", "Club evening", "Bergen", other])
      assert.ok(record.includes(value));
    assert.match(record, result);
    assert.match(record, /\[Date "2026\.02\.03"\]|DT\[2026-02-03\]/);
    assert.doesNotMatch(record, /Resign/);
    await writeDetails(page, {}, "");
    assert.doesNotMatch((await page.saveRecord())[0], result);
  }
});

test("a game against the engine has its names, unless others are written", async ({ open }) => {
  const page = await open(DRAUGHTS);
  await writeDetails(page, { Black: "Ada", Event: "Friday" });
  await page.player("Black").getByText("Ada").waitFor();
  await page.player("White").getByText("Soucie, easy").waitFor();
  await page.typeMove("11-15");
  await page.waitForMoves(2);
  const [record] = await page.saveRecord();
  const now = new Date();
  for (const part of ['[Black "Ada"]', '[White "Soucie (easy)"]', `[Date "${now.getFullYear()}.`]) {
    assert.ok(record.includes(part), `${part} in ${record}`);
  }
  await page.menu("Save");
  await page.button("Names, event, result …").click();
  // The game decides its result.
  const dialog = page.page.getByRole("dialog");
  assert.ok(await dialog.getByLabel("Result").isDisabled());
  const date = dialog.getByLabel("Date");
  for (const [text, isValid] of [
    ["2026-13-01", false],
    ["Friday 2026", false],
    ["2026.01.??", true],
    ["2026", true],
  ]) {
    await date.fill(text);
    assert.equal(await date.evaluate((field) => field.checkValidity()), isValid, text);
  }
});

test("comments are written at the start, at a move and in a branch", async ({ open, engine }) => {
  const page = await open();
  await openRecord(page, PDN, 5);
  const write = async (place, text) => {
    const field = page.page.getByLabel(`Comment ${place}`, { exact: true });
    if (!(await field.isVisible())) await page.page.locator("#comment-label").click();
    await field.fill(text);
  };
  await write("at the start", "A fine day");
  await page.movesPanel.getByRole("button", { name: "15x22" }).click();
  await write("on Black's move 2", "forced }{ (1-0)\nof course");
  await page.movesPanel.getByRole("button", { name: "26x17" }).click();
  await write("on White's move 2", "also good");
  await page.page.reload();
  await page.ready();
  const comments = await page.movesPanel.locator(".comment").allTextContents();
  const expected = ["A fine day", "the center", "forced }{ (1-0)\nof course", "also good"];
  assert.deepEqual(comments, expected);
  const [text] = await page.saveRecord();
  const { games } = await engine.query([], `import ${JSON.stringify({ text })}`);
  // Braces cannot stand in comments of this format.
  const written = expected.map((comment) => comment.replace("}{", ")("));
  assert.deepEqual(games[0].annotations.map(({ comment }) => comment).sort(), written.sort());
});

test("a comment stays with its move while moves are played", async ({ open }) => {
  const page = await open("?variant=linesofaction&side=black&level=beginner");
  await page.newGame({ mode: "Watch Soucie", seconds: "0.1" });
  await page.watch(1);
  await page.button("Pause").click();
  await page.page.locator("#comment-label").click();
  const count = (await page.moves()).length;
  await page.button("Go on").click();
  // Until it has the focus, each move changes its label.
  await page.page.locator("#comment").focus();
  const place = await page.page.locator("#comment-label").textContent();
  const written = page.page.getByLabel(place, { exact: true });
  await written.pressSequentially("a good ");
  await page.watch(count + 3);
  assert.equal(await page.page.locator("#comment-label").textContent(), place);
  await written.pressSequentially("move");
  await page.button("Pause").click();
  // Without the focus, the field is that of the position on the board.
  await page.idle();
  assert.notEqual(await page.page.locator("#comment-label").textContent(), place);
  const comment = page.movesPanel.locator(".comment");
  assert.deepEqual(await comment.allTextContents(), ["a good move"]);
});

test("the moves and the position are copied, and read again", async ({ open, engine, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await open();
  const copy = async (item) => {
    await page.menu("Save");
    await page.button(item).click();
    await page.page.getByText("Copied.").waitFor();
    return page.page.evaluate(() => navigator.clipboard.readText());
  };
  const cases = [
    [PDN, "1. 11-15 22-18 2. 15x22 25x18 Black won"],
    [SGF, "1. b1-b3 a4-c4"],
    ["fen W:W22,23:B1,2 moves 22-18 1-5", "fen W:W22,23:B1,2 moves 1... 22-18 2. 1-5"],
  ];
  for (const [record, moves] of cases) {
    await page.openText(record);
    await page.movesPanel
      .getByRole("list")
      .getByRole("button", { name: /18|c4/ })
      .first()
      .waitFor();
    const copied = await copy("Copy moves");
    assert.equal(copied.replace(/ - - 0 1/, ""), moves);
    const before = await page.coordinates();
    await page.newGame({});
    await page.openText(copied);
    assert.ok((await page.moves()).length > 1);
    assert.deepEqual((await page.coordinates()).slice(0, 2), before.slice(0, 2));
  }
  await page.button("To the end").click();
  const moves = await page.coordinates();
  const { setup } = await engine.state("englishdraughts", moves, "W:W22,23:B1,2");
  assert.equal(await copy("Copy position"), setup);
});

/** The fragment of a link to a record. */
const fragment = (text, at) => `#at=${at}&game=${deflateRawSync(text).toString("base64url")}`;

/** The content of such a fragment. */
function read(hash) {
  const { at, game } = Object.fromEntries(new URLSearchParams(hash.slice(1)));
  return { at, text: inflateRawSync(Buffer.from(game, "base64url")).toString() };
}

test("a link has the whole game, and shows its position", async ({ open, server }) => {
  const other = await open(fragment(PDN, 1));
  const current = other.movesPanel.locator("[aria-current=true]");
  await current.filter({ hasText: "11-15" }).waitFor();
  assert.equal((await other.moves()).length, 5);
  await other.movesPanel.getByText("the center").waitFor();
  await other.player("White").getByText("Ben").waitFor();
  // The page writes such a fragment.
  const written = await other.page.evaluate(async (text) => {
    const { gameFragment } = await import(new URL("records.js", location.href).href);
    return gameFragment(text, 2);
  }, PDN);
  assert.deepEqual(read(written), { at: "2", text: PDN });
  // A short fragment with a text that is too long.
  const hash = fragment(" ".repeat(1 << 20), 0);
  await other.page.evaluate((value) => (location.hash = value), hash);
  await other.page.getByRole("alert").filter({ hasText: "is refused: it is too long" }).waitFor();
  // The address of this computer is useless elsewhere, and its token is secret.
  await other.menu("Save");
  await other.page.getByText("on this computer alone").waitFor();
  assert.equal(await other.button("Copy link to the game").count(), 0);
  if (!process.env.SITE) return;
  const address = server.address.replace("127.0.0.1", "rebound.test");
  await other.page.goto(address + fragment(PDN, 2));
  await other.ready();
  await other.menu("Save");
  await other.page.getByRole("link", { name: "Record of the game" }).waitFor();
  await other.button("Copy link to the game").click();
  const notice = other.page.getByRole("alert").filter({ hasText: "Copy this: http" });
  const link = new URL((await notice.textContent()).match(/http\S+/)[0]);
  assert.equal(link.origin + link.pathname, address);
  assert.equal(read(link.hash).at, "2");
  assert.match(read(link.hash).text, /22-18 \{the center\}/);
});

test("a link has the rules of its game", async ({ open, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await open("#variant=linesofaction&moves=b1b3 a2c2&Move Limit=1");
  const drawn = page.status.filter({ hasText: /^Drawn: / });
  await drawn.waitFor();
  await page.menu("Save");
  await page.page.locator("#save-record[href]").waitFor();
  // The item is hidden on this computer.
  await page.page.evaluate(() => document.getElementById("copy-link").click());
  await page.page.getByText("Copied.").waitFor();
  const link = new URL(await page.page.evaluate(() => navigator.clipboard.readText()));
  await page.newGame({ variant: "English draughts" });
  await page.page.evaluate((hash) => (location.hash = hash), link.hash);
  await drawn.waitFor();
  assert.equal((await page.moves()).length, 2);
  // Older links have them beside the record. Without them, and with what is no rule.
  const game = fragment("(;GM[9]RE[Draw];B[b1b3];W[a2c2])", 2);
  await page.page.evaluate((hash) => (location.hash = hash), game);
  await page.status.filter({ hasText: "Drawn, as recorded." }).waitFor();
  await page.page.evaluate((hash) => (location.hash = hash), `${game}&Move+Limit=1`);
  await drawn.waitFor();
  await page.page.evaluate((hash) => (location.hash = hash), `${game}&Hash=1`);
  await page.page.getByRole("alert").filter({ hasText: "no rule 'Hash'" }).waitFor();
});

test("the record is dragged out of the page", async ({ open }) => {
  const page = await open();
  await openRecord(page, SGF, 2);
  await page.menu("Save");
  const link = page.page.getByRole("link", { name: "Record of the game" });
  const data = await link.evaluate((element) => {
    const dataTransfer = new DataTransfer();
    element.dispatchEvent(new DragEvent("dragstart", { dataTransfer, bubbles: true }));
    return ["DownloadURL", "text/plain"].map((type) => dataTransfer.getData(type));
  });
  assert.match(data[0], /^text\/plain:Lena-Otto-2025-12-24\.sgf:blob:http/);
  assert.match(data[1], /PB\[Lena\]/);
});

test("earlier games have names, dates and results, and can be deleted and saved", async ({
  open,
  engine,
}) => {
  const page = await open();
  await openRecord(page, PDN, 5);
  await openRecord(page, SGF, 2);
  await openRecord(page, PDN.replaceAll("Anna", "Carl"), 5);
  await page.newGame({});
  await page.status.filter({ hasText: "Your turn" }).waitFor();
  await page.menu("Open");
  const games = page.page.locator("#earlier-games").getByRole("listitem");
  const texts = await games.allTextContents();
  assert.match(
    texts[0],
    /^English draughts, 2 movesCup · Carl – Ben · 2026\.01\.31 · Black has won, as recorded×$/,
  );
  assert.match(texts[1], /^Lines of Action, 1 moveLena – Otto · 2025-12-24/);
  assert.match(texts[2], /Anna – Ben/);
  const [text, name] = await page.download(() => page.button("All games as PDN (2)").click());
  assert.match(name, /^games-[\d-]+\.pdn$/);
  const imported = await engine.query([], `import ${JSON.stringify({ text })}`);
  assert.deepEqual(
    imported.games.map(({ black, moves }) => [black, moves.length]),
    [
      ["Carl", 4],
      ["Anna", 4],
    ],
  );
  await page.button("Delete Lines of Action, 1 move").click();
  await page.button("Undo").click();
  assert.deepEqual(await games.allTextContents(), texts);
  await page.button("Delete Lines of Action, 1 move").click();
  await page.page.reload();
  await page.ready();
  await page.menu("Open");
  const kept = await games.allTextContents();
  assert.deepEqual(kept, [texts[0], texts[2]]);
  await page.page.keyboard.press("Escape");
  // Positions are listed as such, with the name of their event.
  await page.openText('[Event "Puzzle 7: win in 3"]\n[SetUp "1"]\n[FEN "B:W18,32:B1,2"]\n*');
  await page.status.filter({ hasText: "Black to move" }).waitFor();
  await page.openText("fen B:W18,32:B1,2 moves 1-5");
  await page.waitForMoves(1);
  await page.newGame({});
  await page.menu("Open");
  const [first, second] = await games.allTextContents();
  assert.match(first, /^English draughts, position, 1 move/);
  assert.match(second, /^English draughts, positionPuzzle 7: win in 3 · /);
});
