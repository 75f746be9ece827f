/** Tests what players of a club expect: numbers of moves and squares, captured pieces, sounds. */
const assert = require("node:assert/strict");
const { test, share, DRAUGHTS } = require("../support/fixture.js");

/** The texts of the list of moves, one for each entry. */
async function entries(page) {
  const texts = await page.movesPanel.getByRole("listitem").allTextContents();
  return texts.map((text) => text.trim());
}

test("moves have numbers in pairs, as in books", async ({ open }) => {
  const page = await open();
  await page.openText(
    '[GameType "21"]\n1. 11-15 22-18 2. 15x22 {good} 25x18 3. 8-11 (3. 12-16 29-25) 29-25 *',
  );
  const expected = ["1. 11-15", "22-18", "2. 15x22", "good", "2… 25x18", "3. 8-11"];
  assert.deepEqual(await entries(page), [...expected, "3. 12-16 29-25", "3… 29-25"]);
  await page.button("To the end").click();
  await page.button("One move back").click();
  await page.status.filter({ hasText: "White to move" }).waitFor();
  // White moves first in this position.
  await page.openText("fen W:W22,23:B1,2 moves 22-18 1-5 23-19");
  assert.deepEqual(await entries(page), ["1… 22-18", "2. 1-5", "23-19"]);
  const caption = page.page.locator("#caption");
  assert.equal(await caption.textContent(), "Position. White to move.");
  // A move that was tried in a position can be deleted.
  await page.openText("B:W18,32:B1,2");
  await page.typeMove("1-5");
  await page.button("Delete this move").click();
  await page.answer("Delete");
  await page.idle();
  assert.deepEqual(await page.moves(), []);
  assert.ok(!(await page.button("Delete this move").isVisible()));
});

test("a board with numbers has letters only on request", async ({ open }) => {
  const page = await open(DRAUGHTS);
  const labels = page.page.locator("#board use[href^='#labels']");
  const numbers = page.page.locator("#board use[href^='#numbers']");
  const box = () => page.page.locator("#board").boundingBox();
  const before = await box();
  assert.deepEqual([await labels.count(), await numbers.count()], [0, 1]);
  await page.display(() => page.page.getByLabel("Letters around the board").check());
  assert.equal(await labels.count(), 1);
  assert.deepEqual(await box(), before);
  await page.page.reload();
  await page.ready();
  assert.equal(await labels.count(), 1);
  await page.display(() => page.page.getByLabel("Letters around the board").uncheck());
  assert.equal(await labels.count(), 0);
  // Names of squares need the letters.
  await page.notation("coordinate");
  assert.equal(await labels.count(), 1);
  await page.notation("standard");
  // Pieces and their squares still match.
  await page.square("f6").click();
  assert.deepEqual(await page.squares("target"), ["e5", "g5"]);
});

test("captured pieces are counted", async ({ open }) => {
  const page = await open();
  await page.openText('[GameType "21"]\n1. 11-15 22-18 2. 15x22 25x18 *');
  await page.button("To the end").click();
  for (const side of ["Black", "White"]) {
    await page.player(side).getByRole("img", { name: "captured 1" }).waitFor();
  }
  await page.button("One move back").click();
  assert.equal(await page.player("White").getByRole("img", { name: "captured" }).count(), 0);
});

test("a new king is announced", async ({ open }) => {
  const page = await open(share("englishdraughts", "B:W5,20:B25"));
  await page.typeMove("25-30");
  await page.status.filter({ hasText: "Black has a new king. White to move" }).waitFor();
  await page.announcer.filter({ hasText: "Black has a new king." }).waitFor();
});

test("sounds are off until they are switched on", async ({ open, context }) => {
  await context.addInitScript(() => {
    globalThis.notes = [];
    globalThis.OscillatorNode = class extends OscillatorNode {
      constructor(audio, options) {
        super(audio, options);
        globalThis.notes.push(options.frequency);
      }
    };
  });
  const page = await open(share("englishdraughts", "W:W18,32:B15,14,3"));
  const notes = () => page.page.evaluate(() => globalThis.notes.splice(0).length);
  const play = async (move) => {
    await page.typeMove(move);
    await page.movesPanel.getByRole("button", { name: move }).waitFor();
  };
  await play("18x11");
  assert.equal(await notes(), 0);
  await page.display(() => page.page.getByLabel("Sounds").check());
  await play("3-8");
  await page.idle();
  assert.equal(await notes(), 1);
  await page.page.reload();
  await page.ready();
  await play("11x4");
  await page.idle();
  assert.ok((await notes()) > 1);
});

test("an opening is drawn by lot or chosen, and its name shown", async ({ open, engine }) => {
  const variants = await engine.variants();
  const { ballots } = variants.find(({ name }) => name === "englishdraughts");
  const page = await open(DRAUGHTS);
  const choose = async (option) => {
    await page.button("New game").click();
    await page.page.getByLabel("Opening").selectOption(option);
    await page.button("Start").click();
    await page.waitForMoves(3);
    return (await page.moves()).slice(0, 3).join(" ");
  };
  const named = ballots.find(({ name }) => name);
  assert.equal(await choose(`${named.standard} ${named.name}`), named.standard);
  const opening = page.page.getByText(`Opening: ${named.name}`, { exact: true });
  await opening.waitFor();
  // The moves keep their place above it.
  const moves = await page.page.locator("#moves").boundingBox();
  assert.ok((await opening.boundingBox()).y >= moves.y + moves.height);
  // What is not new is not announced again.
  await page.ready();
  const announced = await page.listen();
  await page.button("Flip").click();
  await page.announcer.filter({ hasText: "is at the bottom" }).waitFor();
  assert.doesNotMatch((await announced()).join(), /Opening/);
  await page.button("To the start").click();
  await page.idle();
  assert.equal(await page.page.getByText("Opening: ").count(), 0);
  assert.equal(await page.movesPanel.locator(".given").count(), 0);
  await choose(`By lot, one of ${ballots.length}`);
  // It is named, also in the record, and its moves are marked.
  assert.equal(await page.movesPanel.locator(".given").count(), 3);
  const drawn = (await page.moves()).slice(0, 3).join(" ");
  const { name = "" } = ballots.find(({ standard }) => standard === drawn) ?? {};
  const lot = `Opening by lot: ${drawn}${name ? ` ${name}` : ""}`;
  assert.equal(await page.movesPanel.locator(".comment").textContent(), lot);
  const [record] = await page.saveRecord();
  assert.ok(record.includes(`{${lot}} 1. `), record);
  assert.ok(
    ballots.some(({ standard }) => standard === drawn),
    drawn,
  );
  // The engine continues, as Black has made the third move.
  await page.waitForMoves(4);
  // Take back stops where the opening ends.
  assert.ok(await page.button("Take back").isDisabled());
  await page.ready();
  await page.button("Hint").click();
  await page.page.locator(".board .arrow.better").waitFor();
  const hint = (await page.status.textContent()).match(/^Hint: (\S+?)[.,]?( |$)/)[1];
  await page.typeMove(hint);
  await page.waitForMoves(6);
  await page.page.reload();
  await page.ready();
  await page.button("Take back").click();
  await page.idle();
  assert.equal((await page.moves()).length, 4);
  assert.ok(await page.button("Take back").isDisabled());
  // No move of a record is drawn, also where its board follows this game.
  await page.openText("1. 11-15 22-18 2. 15x22 25x18 *");
  await page.button("Play from here").waitFor();
  assert.equal(await page.movesPanel.locator(".given").count(), 0);
  // Other games have no such list.
  await page.button("New game").click();
  await page.page.getByRole("radio", { name: variants[0].title, exact: true }).check();
  assert.ok(!(await page.page.getByLabel("Opening").isVisible()));
});

// How the names in a file are encoded.
const ENCODINGS = ["utf8", "latin1"];
test("a file in UTF-8 or Windows-1252 keeps its names", async ({ open }) => {
  const page = await open();
  const text = '[White "Müller"]\n[Black "Château"]\n[Event "?"]\n1. 11-15 *\n';
  for (const [index, encoding] of ENCODINGS.entries()) {
    await page.menu("Open");
    await page.button("A game or position: file or text …").click();
    const buffer = Buffer.from(text.replace("?", `Cup ${index}`), encoding);
    const file = { name: "club.pdn", mimeType: "text/plain", buffer };
    await page.page.getByLabel("File").setInputFiles(file);
    await page.page.locator("#event", { hasText: `Cup ${index}` }).waitFor();
    const [saved] = await page.saveRecord();
    for (const name of ["Müller", "Château"]) assert.ok(saved.includes(name), saved);
  }
});

test("each game of a file in the charset that it declares keeps its names", async ({ open }) => {
  const page = await open();
  // In Shift_JIS, the second bytes are those of a bracket and a backslash.
  const japanese = [0x83, 0x5d, 0x95, 0x5c];
  const game = (charset, event, name) => {
    const parts = [
      `(;GM[9]CA[${charset}]EV[${event}]PB[`,
      Buffer.from(name),
      "];B[d1-b3];W[h4-f2])\n",
    ];
    return Buffer.concat(parts.map((part) => Buffer.from(part)));
  };
  const read = async (...games) => {
    await page.menu("Open");
    await page.button("A game or position: file or text …").click();
    const file = { name: "club.sgf", mimeType: "text/plain", buffer: Buffer.concat(games) };
    await page.page.getByLabel("File").setInputFiles(file);
  };
  await read(game("klingon", "Cup", japanese));
  await page.page.locator("#open-error", { hasText: "The charset klingon is unknown." }).waitFor();
  await page.page.keyboard.press("Escape");
  await read(
    game("Shift_JIS", "Cup", japanese),
    game("UTF-8", "Cup", "Łódź"),
    game("KOI8-R", "Cup", [0xed, 0xc9, 0xd2]),
  );
  for (const name of ["ゾ表", "Łódź", "Мир"]) {
    await page.page.getByRole("button", { name }).waitFor();
  }
  await page.page.keyboard.press("Escape");
  await read(game("Shift_JIS", "Open", japanese));
  await page.page.locator("#event", { hasText: "Open" }).waitFor();
  const [saved] = await page.saveRecord();
  assert.match(saved, /CA\[UTF-8\].*PB\[ゾ表\]/);
  assert.match(saved, /W\[h4-f2\]/);
});
