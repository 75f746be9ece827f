/** Tests that pieces and marks can be distinguished without colour vision. */
const assert = require("node:assert/strict");
const { test } = require("../support/fixture.js");

/** The minimum difference of two greys, out of 255. */
const VISIBLE = 25;

/** Runs in a page: returns the brightness of a picture at points. */
async function greys({ picture, points }) {
  const image = new Image();
  image.src = `data:image/png;base64,${picture}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.width, image.height];
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(image, 0, 0);
  return points.map(([x, y]) => {
    const [red, green, blue] = context.getImageData(x, y, 1, 1).data;
    return Math.round(0.2126 * red + 0.7152 * green + 0.0722 * blue);
  });
}

for (const colorScheme of ["light", "dark"]) {
  const context = { viewport: { width: 1280, height: 900 }, colorScheme };
  test(`${colorScheme}: pieces and marks differ in brightness`, { context }, async (tools) => {
    const page = await tools.open("?variant=linesofaction&side=black&level=easy");
    await page.newGame({ side: "Two players" });
    await page.typeMove("b1b3");
    await page.status.filter({ hasText: "White to move" }).waitFor();
    await page.square("a4").click();
    const [target] = await page.squares("target");
    // The rim of a square has its colour, the centre that of a piece or a mark.
    const centre = (name) => page.center(name);
    const rim = async (name) => (await page.center(name)).map((at, i) => at + [38, -38][i]);
    const points = {
      black: await centre("b8"),
      white: await centre("a5"),
      square: await rim("c5"),
      neighbour: await rim("d5"),
      chosen: await rim("a4"),
      unchosen: await rim("a6"),
      target: await centre(target),
    };
    const buffer = await page.page.screenshot();
    const drawing = await tools.context.newPage();
    const picture = buffer.toString("base64");
    const all = await drawing.evaluate(greys, { picture, points: Object.values(points) });
    const grey = Object.fromEntries(Object.keys(points).map((name, i) => [name, all[i]]));
    for (const [one, other] of [
      ["black", "white"],
      ["black", "square"],
      ["square", "neighbour"],
      ["chosen", "unchosen"],
      ["target", "square"],
    ]) {
      const difference = Math.abs(grey[one] - grey[other]);
      assert.ok(difference >= VISIBLE, `${one} and ${other}: ${JSON.stringify(grey)}`);
    }
  });
}

/** The borders and outlines of elements, for a comparison. */
const edges = (locator) =>
  locator.evaluateAll((all) =>
    all.map((e) => {
      const { borderBottomColor, outlineStyle, fontWeight } = getComputedStyle(e);
      return [borderBottomColor, outlineStyle, fontWeight].join();
    }),
  );

const forced = { forcedColors: "active", viewport: { width: 1280, height: 900 } };
test("forced colours: the chosen tab and move differ", { context: forced }, async ({ open }) => {
  const page = await open("?variant=englishdraughts&side=black&level=easy");
  await page.newGame({ side: "Two players" });
  await page.typeMove("11-15");
  await page.waitForMoves(1);
  await page.typeMove("22-18");
  await page.waitForMoves(2);
  await page.status.filter({ hasText: "Black to move" }).waitFor();
  const [chosen, ...others] = await edges(page.page.getByRole("tab"));
  for (const other of others) assert.notEqual(chosen.split(",").at(0), other.split(",").at(0));
  const [first, current] = await edges(page.page.locator(".move"));
  assert.match(current, /solid/);
  assert.doesNotMatch(first, /solid/);
  // An empty note beside a player has no visible border.
  const [turn] = await edges(page.page.locator(".turn:empty"));
  assert.match(turn, /^rgb\((0, 0, 0|255, 255, 255)\)/);
});
