/** Tests the board editor. */
const assert = require("node:assert/strict");
const { test, PHONE } = require("../support/fixture.js");

const DRAUGHTS = "?variant=englishdraughts&side=white&level=easy";

/** Opens the editor of a page. */
async function edit(page) {
  await page.menu("Open");
  await page.button("Set up a position …").click();
  const dialog = page.page.getByRole("dialog", { name: "Set up a position" });
  await dialog.waitFor();
  const grid = dialog.getByRole("grid", { name: "Board to set up" });
  return {
    dialog,
    button: (name) => dialog.getByRole("button", { name, exact: true }),
    square: (name) => grid.locator(`[data-square=${name}]`),
    center: async (name) => {
      const box = await grid.locator(`[data-square=${name}]`).boundingBox();
      return [box.x + box.width / 2, box.y + box.height / 2];
    },
    pieces: async () =>
      grid
        .getByRole("gridcell", { name: /black|white/ })
        .evaluateAll((all) =>
          all.map((cell) => `${cell.dataset.square}, ${cell.ariaLabel.split(", ").at(-1)}`),
        ),
    done: async () => {
      await dialog.getByRole("button", { name: "Done" }).click();
      await dialog.waitFor({ state: "hidden" });
    },
  };
}

test("the reason of a refusal is visible", async ({ open }) => {
  const page = await open("?variant=linesofaction&side=black&level=easy");
  for (const height of [800, 650]) {
    await page.page.setViewportSize({ width: 1280, height });
    const editor = await edit(page);
    await editor.button("Clear").click();
    await editor.button("Done").click();
    const reason = editor.dialog.getByRole("alert").filter({ hasText: "Black has no stones" });
    await reason.waitFor();
    const isOnTop = await reason.evaluate((element) => {
      const { left, top } = element.getBoundingClientRect();
      return document.elementFromPoint(left + 2, top + 2) === element;
    });
    assert.ok(isOnTop, `a window of ${height} pixels`);
    await editor.button("Cancel").click();
  }
});

test("pieces are placed, replaced and removed by clicks", async ({ open, engine }) => {
  const page = await open(DRAUGHTS);
  const editor = await edit(page);
  await editor.button("Clear").click();
  const clicks = [
    ["Black man", "b8"],
    ["White king", "h2"],
    ["White man", "c3"],
    ["Black king", "c3"],
    ["White man", "e3"],
    ["White man", "e3"],
    ["White man", "g3"],
    ["Remove", "g3"],
  ];
  for (const [piece, square] of clicks) {
    await editor.button(piece).click();
    await editor.square(square).click();
  }
  // Nothing can stand on a light square.
  await editor.button("White man").click();
  await editor.square("a8").click();
  const fault = editor.dialog.getByRole("alert");
  assert.equal(await fault.textContent(), "Pieces stand on the dark squares.");
  assert.deepEqual(await editor.pieces(), ["b8, black man", "c3, black king", "h2, white king"]);
  await editor.dialog.getByLabel("To move").selectOption("White");
  await editor.done();
  const expected = { b8: "black man", c3: "black king", h2: "white king" };
  await page.idle();
  assert.deepEqual(await page.pieces(), expected);
  await page.status.filter({ hasText: "White to move" }).waitFor();
  const { setup } = await engine.state("englishdraughts", [], "W:WK28:B1,K22");
  await page.menu("Save");
  await page.page.getByText(setup, { exact: true }).waitFor();
});

test("pieces are dragged: from the palette, over the board, off it", async ({ open }) => {
  const page = await open(DRAUGHTS);
  const editor = await edit(page);
  const { mouse } = page.page;
  await editor.button("Clear").click();
  const drag = async (from, to) => {
    await mouse.move(...from);
    await mouse.down();
    await mouse.move(...to, { steps: 4 });
    await mouse.up();
  };
  const box = await editor.button("White king").boundingBox();
  await drag([box.x + box.width / 2, box.y + box.height / 2], await editor.center("d4"));
  assert.deepEqual(await editor.pieces(), ["d4, white king"]);
  await drag(await editor.center("d4"), await editor.center("f6"));
  assert.deepEqual(await editor.pieces(), ["f6, white king"]);
  await drag(await editor.center("f6"), [3, 3]);
  assert.deepEqual(await editor.pieces(), []);
});

test("pieces are placed by keyboard", async ({ open }) => {
  const page = await open(DRAUGHTS);
  const editor = await edit(page);
  const { keyboard } = page.page;
  await editor.button("Clear").press("Enter");
  await editor.button("White man").press("Enter");
  await editor.square("a8").focus();
  await keyboard.press("ArrowRight");
  await keyboard.press("ArrowDown");
  await keyboard.press("Enter");
  assert.deepEqual(await editor.pieces(), ["c7, white man"]);
  await keyboard.press("Delete");
  assert.deepEqual(await editor.pieces(), []);
});

test("pieces are placed by touch", { context: PHONE }, async ({ open }) => {
  const page = await open(DRAUGHTS);
  const editor = await edit(page);
  await editor.button("Clear").tap();
  await editor.button("Black king").tap();
  await editor.square("e3").tap();
  assert.deepEqual(await editor.pieces(), ["e3, black king"]);
});

test("the engine refuses an impossible position, and cancelling keeps the game", async ({
  open,
  engine,
}) => {
  const page = await open(DRAUGHTS);
  const moves = await page.playOn(engine, "englishdraughts", 3);
  const editor = await edit(page);
  await editor.button("Clear").click();
  await editor.dialog.getByRole("button", { name: "Done" }).click();
  // Without the name of a field of the engine.
  await editor.dialog
    .getByRole("alert")
    .filter({ hasText: /^No pieces\.$/ })
    .waitFor();
  await editor.button("White man").click();
  // A light square.
  await editor.square("a8").click();
  await editor.dialog.getByRole("button", { name: "Done" }).click();
  await editor.dialog.getByRole("alert").filter({ hasText: /./ }).waitFor();
  await editor.button("Cancel").click();
  assert.deepEqual(await page.coordinates(), moves);
});

test("the start position of another game", async ({ open, engine }) => {
  const page = await open(DRAUGHTS);
  const editor = await edit(page);
  await editor.dialog.getByLabel("Game").selectOption("linesofaction");
  await editor.button("Start position").click();
  await editor.done();
  await page.page.getByRole("heading", { level: 1, name: "Lines of Action" }).waitFor();
  const { pieces } = await engine.state("linesofaction", []);
  await page.idle();
  assert.equal(Object.keys(await page.pieces()).length, pieces.length);
});
