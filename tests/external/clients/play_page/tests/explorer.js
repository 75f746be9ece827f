/** Tests the explorer of archives and of the opening book. */
const assert = require("node:assert/strict");
const { test, DRAUGHTS } = require("../support/fixture.js");

const VARIANT = "englishdraughts";
/** Black, White, the event, the date, the moves and the result of each game. */
const GAMES = [
  ["Anna", "Ben", "Club Cup", "1999.05.01", "9-13 22-18 6-9 18-14", "1-0"],
  ["Cara", "Anna", "Open", "2014", "9-13 22-17 13x22 25x18", "1/2-1/2"],
  ["Dora", "Ben", "Open", "2003", "11-15 23-19 8-11", "0-1"],
  ["Dora", "Emil", "Open", "2003", "9-13 24-20 11-15", "*"],
];
const ARCHIVE = GAMES.map(([black, white, event, date, moves, result]) =>
  [
    `[Event "${event}"]\n[Date "${date}"]\n[Black "${black}"]\n[White "${white}"]`,
    `[Result "${result}"]\n[GameType "21"]\n\n${moves} ${result}\n\n`,
  ].join("\n"),
).join("");

/** The parts of the explorer. */
function parts({ page }) {
  const panel = page.getByRole("tabpanel", { name: "Explorer" });
  return {
    tab: page.getByRole("tab", { name: "Explorer" }),
    panel,
    here: page.locator("#explorer-here-text"),
    archive: page.locator("#explorer-archive"),
    rows: panel.locator("tbody tr"),
    move: (name) => panel.getByRole("button", { name, exact: true }),
    games: panel.getByRole("listitem"),
    found: page.locator("#explorer-found"),
    words: panel.getByLabel("Find"),
    only: panel.getByLabel("Only with this position"),
  };
}

/** The moves of the game on the board, which are in another tab. */
const listed = ({ page }) => page.locator("#moves .move").allTextContents();

/** Opens the archive from the dialog for games, and the explorer. Returns its parts. */
async function openArchive(page, text = ARCHIVE) {
  await page.openText(text);
  await page.page.keyboard.press("Escape");
  const explorer = parts(page);
  await explorer.tab.click();
  await page.idle();
  return explorer;
}

/** Without no-break spaces and the ends of intervals. */
const plain = (text) => text.replaceAll("\u00a0", " ").replace(/\d+ to \d+/, "to");

/** The texts of the rows of the table. */
const table = async ({ rows }) => {
  const texts = await rows.evaluateAll((all) =>
    all.map((row) => [...row.children].map((cell) => cell.textContent)),
  );
  return texts.map((row) => row.map(plain));
};

test("without an archive it shows the moves of the book", async ({ open, engine }) => {
  const page = await open(DRAUGHTS);
  const explorer = parts(page);
  await explorer.tab.click();
  await page.idle();
  assert.equal(await explorer.archive.textContent(), "No archive of games is open.");
  const { moves } = await engine.query(
    [`setoption name UCI_Variant value ${VARIANT}`, "position startpos"],
    "archive tree",
  );
  const shown = (await table(explorer)).map(([name]) => name);
  assert.deepEqual(
    shown,
    moves.map(({ move }) => move.standard),
  );
  assert.ok(shown.length > 0);
  // The move is a branch: the game goes on from its own position.
  await explorer.move(shown[0]).click();
  await page.idle();
  assert.deepEqual(await listed(page), [shown[0]]);
  await page.button("Back to the game").click();
  assert.equal(await page.ready(), "Your turn: choose a piece, then its target.");
});

test("an archive: what is played, in which games, and who plays it", async ({ open }) => {
  const page = await open(DRAUGHTS);
  const explorer = await openArchive(page);
  assert.equal(await explorer.archive.textContent(), "The text: 4 games.");
  assert.equal(plain(await explorer.here.textContent()), "Played 4 times; Black scores 50 % (to)");
  assert.deepEqual(await table(explorer), [
    ["9-13", "3", "75 % (to)", "2014"],
    ["11-15", "1", "0 % (to)", "2003"],
  ]);
  assert.equal(await explorer.found.textContent(), "4 games with this position");
  // A move is played, for White now.
  await explorer.move("9-13").click();
  await page.idle();
  assert.equal((await table(explorer)).length, 3);
  await explorer.move("22-17").click();
  await page.idle();
  assert.equal(plain(await explorer.here.textContent()), "Played once; Black scores 50 % (to)");
  assert.equal(await explorer.found.textContent(), "1 game with this position");
  // A game of the list is opened at this move, and the list stays.
  await explorer.games.getByRole("button", { name: /^2\. Cara – Anna/ }).click();
  await page.idle();
  assert.deepEqual(await listed(page), GAMES[1][4].split(" "));
  assert.equal(await page.page.locator("#moves [aria-current]").textContent(), "22-17");
  assert.ok(await explorer.panel.isVisible());
  assert.equal(await explorer.found.textContent(), "1 game with this position");
  // My games, wherever the board is.
  await explorer.words.fill("anna club");
  await page.idle();
  assert.equal(await explorer.found.textContent(), "No games with this position");
  await explorer.only.uncheck();
  await page.idle();
  assert.equal(await explorer.found.textContent(), "1 game");
  await explorer.games.getByRole("button").click();
  await page.idle();
  assert.deepEqual(await listed(page), GAMES[0][4].split(" "));
  assert.equal(await page.page.locator("#moves [aria-current]").count(), 0);
  // A position that no game has.
  await explorer.words.fill("");
  await explorer.only.check();
  await page.button("To the end").click();
  await page.idle();
  assert.equal(plain(await explorer.here.textContent()), "Played once; Black scores 100 % (to)");
  assert.equal(await explorer.rows.count(), 0);
  await page.button("Close the archive").click();
  await page.idle();
  assert.equal(await explorer.archive.textContent(), "No archive of games is open.");
  assert.ok(await explorer.tab.evaluate((tab) => tab === document.activeElement));
});

test("arrow keys move through the moves and the games", async ({ open }) => {
  const page = await open(DRAUGHTS);
  const explorer = await openArchive(page);
  const focused = () => page.page.evaluate(() => document.activeElement.textContent);
  await explorer.move("9-13").focus();
  await page.page.keyboard.press("ArrowDown");
  assert.equal(await focused(), "11-15");
  await page.page.keyboard.press("ArrowUp");
  await page.page.keyboard.press("Enter");
  await page.idle();
  // The moves that follow have the focus.
  assert.equal(await focused(), (await table(explorer))[0][0]);
  await explorer.games.first().getByRole("button").focus();
  await page.page.keyboard.press("ArrowDown");
  assert.match(await focused(), /^2\. Cara – Anna/);
  await page.page.keyboard.press("Enter");
  await page.idle();
  assert.match(await focused(), /^2\. Cara – Anna/);
});

test("more than a hundred games are listed by hundreds", async ({ open }) => {
  const page = await open(DRAUGHTS);
  const explorer = await openArchive(page, ARCHIVE.repeat(60));
  assert.equal(await explorer.archive.textContent(), "The text: 240 games.");
  for (const count of [100, 200, 240]) {
    assert.equal(await explorer.games.count(), count);
    const more = explorer.panel.getByRole("button", { name: "Show more" });
    if (count < 240) await more.click();
    else assert.ok(!(await more.isVisible()));
    await page.idle();
  }
});

test("faults of an archive are named", async ({ open }) => {
  const page = await open(DRAUGHTS);
  const explorer = await openArchive(page, `${ARCHIVE}[Black "Fay"]\n\n9-13 9-9 *\n`);
  assert.equal(await explorer.archive.textContent(), "The text: 5 games; 1 fault.");
  await explorer.panel.getByText("What could not be read").click();
  await explorer.panel.getByText(/^game 5: line \d+, column \d+: ply \d+, 9-9: /).waitFor();
  // A game is not shown as if it were whole.
  await explorer.games.getByRole("button", { name: /^1\. / }).click();
  const told = (hasText) => page.page.locator("#notice", { hasText }).waitFor();
  await told("An archive has main lines alone.");
  await explorer.only.uncheck();
  await explorer.games.getByRole("button", { name: /^5\. Fay/ }).click();
  await told(/The game ends after Black's move 1: .*9-9/);
});

test("a large file goes to the explorer alone, with its name", async ({ open }) => {
  const page = await open(DRAUGHTS);
  const comment = "x".repeat(200_000);
  const game = `[GameType "21"]\n\n1. 11-15 {${comment}} 22-18 *\n\n`;
  await page.menu("Open");
  await page.button("A game or position: file or text …").click();
  const file = { name: "large.pdn", mimeType: "text/plain", buffer: Buffer.from(game.repeat(42)) };
  await page.page.getByLabel("File").setInputFiles(file);
  await page.idle();
  const explorer = parts(page);
  await page.page.getByRole("dialog", { name: "Open" }).waitFor({ state: "hidden" });
  assert.ok(await explorer.panel.isVisible());
  assert.equal(await explorer.archive.textContent(), "large.pdn: 42 games.");
  assert.deepEqual(await table(explorer), [["11-15", "42", "", ""]]);
});

test("its button opens a file as the archive, also of one game", async ({ open }) => {
  const page = await open(DRAUGHTS);
  const explorer = parts(page);
  for (const count of [4, 1]) {
    await explorer.tab.click();
    await page.button("Open an archive …").click();
    const text = count === 1 ? GAMES[0][4] : ARCHIVE;
    const file = { name: "club.pdn", mimeType: "text/plain", buffer: Buffer.from(text) };
    await page.page.getByLabel("File").setInputFiles(file);
    await page.idle();
    const games = count === 1 ? "1 game" : "4 games";
    assert.equal(await explorer.archive.textContent(), `club.pdn: ${games}.`);
    assert.ok(await explorer.panel.isVisible());
    await page.button("Close the archive").click();
    await page.idle();
  }
});

test("a search goes on beside the explorer, and its end does not stop it", async ({ open }) => {
  const page = await open(DRAUGHTS);
  const analysis = page.page.getByRole("switch", { name: "Analyse position" });
  await page.openText(GAMES[0][4]);
  await analysis.check();
  const lines = page.page.getByRole("list", { name: "Best lines" });
  await lines.getByRole("listitem").first().waitFor();
  const explorer = await openArchive(page);
  assert.equal((await table(explorer)).length, 2);
  assert.ok(await analysis.isChecked());
  await analysis.uncheck();
  await page.button("One move forward").click();
  await page.idle();
  assert.equal((await table(explorer)).length, 3);
});

const expected = /WebSocket connection to .* failed|ERR_CONNECTION_REFUSED/;
test("the archive is sent again to a new server", {
  needsServer: true,
  expected,
}, async (tools) => {
  const { open, server } = tools;
  const page = await open(DRAUGHTS);
  const explorer = await openArchive(page);
  const before = await table(explorer);
  await server.kill();
  await page.page.locator("#explorer-lost").filter({ hasText: "No connection" }).waitFor();
  await server.restart();
  await page.page.locator("#explorer-lost:empty").waitFor({ state: "attached" });
  await explorer.move("9-13").click();
  await page.button("To the start").click();
  await page.idle();
  assert.deepEqual(await table(explorer), before);
  assert.equal(await explorer.archive.textContent(), "The text: 4 games.");
});
