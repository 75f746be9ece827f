/** Tests what screen readers get: the labels of cells, and announcements. */
const assert = require("node:assert/strict");
const { test, LOA, DRAUGHTS } = require("../support/fixture.js");

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

test("a variation and its comment are announced as such", async ({ open }) => {
  const page = await open("?variant=englishdraughts");
  await page.openText("1. 11-15 (1. 9-14 {was better}) 22-18");
  await page.page.getByRole("tab", { name: "Moves" }).click();
  await page.page.getByRole("button", { name: /9-14/ }).click();
  await page.announcer
    .filter({ hasText: "Variation, Black's move 1: 9-14. was better. White to move." })
    .waitFor();
});

// The labels of cells of draughts: letters only if they are around the board.
const LABELS = [
  [false, { g1: "32, white man", a8: "light square", b4: "17, empty" }],
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
  await page.button("Resign").press("Enter");
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

test("a chosen stone is announced as chosen, with the numbers on its lines", async ({ open }) => {
  const page = await open(LOA);
  const announced = await page.listen();
  await page.keyTo("b1");
  await page.idle();
  await page.announcer.filter({ hasText: "b1 chosen" }).waitFor();
  const text =
    "b1 chosen, to h1, b3, d3. Stones: 6 on a1 to h1; 2 on b1 to b8; 2 on b1 to h7; 2 on a2 to b1.";
  assert.equal((await announced()).at(-1), text);
});

test("the arrow keys go over the dark squares of draughts", async ({ open }) => {
  const page = await open(DRAUGHTS);
  const { keyboard } = page.page;
  const at = () => page.page.evaluate(() => document.activeElement.getAttribute("aria-label"));
  await page.square("f6").focus();
  for (const [key, number] of [
    ["ArrowUp", 15],
    ["ArrowDown", 11],
    ["ArrowLeft", 12],
    ["ArrowLeft", 12],
    ["Home", 12],
    ["End", 9],
    ["ArrowRight", 9],
    ["ArrowDown", 5],
    ["ArrowDown", 1],
    ["ArrowDown", 1],
    ["Home", 4],
  ]) {
    await keyboard.press(key);
    assert.match(await at(), new RegExp(`^${number}, `), key);
  }
});
