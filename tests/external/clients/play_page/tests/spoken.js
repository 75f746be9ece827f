/** Tests what screen readers get: the labels of cells, and announcements. */
const assert = require("node:assert/strict");
const { test, DRAUGHTS } = require("../support/fixture.js");

// What is announced of an opened record, with and without an event.
const OPENED = {
  "1. 11-15 22-18": /^English draughts\. 1 move\. /,
  '[Event "Cup"]\n[GameType "21"]\n1. 11-15 22-18 *': /^English draughts\. Cup\. 1 move\. /,
};
test("an opened record is announced without the goal of the game", async ({ open }) => {
  const page = await open("?variant=englishdraughts");
  // While a dialog is open it would wait, and be announced with the next text.
  await page.announcer.filter({ hasText: "You play" }).waitFor();
  for (const [text, pattern] of Object.entries(OPENED)) {
    await page.openText(text);
    await page.announcer.filter({ hasText: pattern }).waitFor();
  }
  await page.page.reload();
  await page.announcer.filter({ hasText: Object.values(OPENED)[1] }).waitFor();
});

// The labels of cells of draughts: the number first, unless letters are around the board.
const LABELS = [
  [false, { g1: "32, g1, white man", a8: "a8, light square", b4: "17, b4, empty" }],
  [true, { g1: "g1, 32, white man", a8: "a8, light square", b4: "b4, 17, empty" }],
];
test("cells are called by what the player sees, and the cursor begins on a man", async ({
  open,
}) => {
  const page = await open(DRAUGHTS);
  for (const [hasLetters, labels] of LABELS) {
    const letters = page.page.getByLabel("Letters around the board");
    await page.display(() => letters.setChecked(hasLetters));
    for (const [square, label] of Object.entries(labels))
      assert.equal(await page.square(square).getAttribute("aria-label"), label);
  }
  const cell = page.board.locator("[tabindex='0']");
  assert.match(await cell.getAttribute("aria-label"), /black man/);
});

test("a dialog is announced alone, and a new game with the player's side", async ({ open }) => {
  const page = await open(DRAUGHTS);
  await page.square("f6").click();
  await page.square("f4").click();
  await page.announcer.filter({ hasText: "is still chosen" }).waitFor();
  const announced = await page.listen();
  await page.button("Offer draw").press("Enter");
  await page.page.locator("#ask-dialog").waitFor();
  await page.idle();
  assert.deepEqual(await announced(), []);
  await page.answer("Play on");
  await page.resign();
  await page.button("Play again, colours exchanged").press("Enter");
  await page.announcer.filter({ hasText: "You play White against Soucie, easy" }).waitFor();
  await page.newGame({ side: "Black" });
  await page.announcer.filter({ hasText: "You play Black against Soucie, easy" }).waitFor();
});
