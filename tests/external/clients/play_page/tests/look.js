/** Tests layout, contrast, zoom and accessibility. Writes screenshots to SCRATCH for reviewers. */
const assert = require("node:assert/strict");
const { test, DESKTOP, PHONE } = require("../support/fixture.js");
const { STATES, analyseQuickly } = require("../support/states.js");

const AXE = require.resolve("axe-core/axe.min.js");
const SCHEMES = ["light", "dark"];
const SIZES = [
  ["desktop", DESKTOP],
  ["phone", PHONE],
];

/** Runs in the page: returns what extends beyond the right edge of the page or of a dialog. */
function tooWide() {
  const roots = [document.documentElement, ...document.querySelectorAll("dialog[open]")];
  return roots.flatMap((root) => {
    const { scrollWidth, clientWidth } = root;
    if (scrollWidth <= clientWidth) return [];
    const edge = root.getBoundingClientRect().left + clientWidth;
    const beyond = [...root.querySelectorAll("*")].filter(
      (e) => e.getBoundingClientRect().right > edge + 1,
    );
    const first = beyond.slice(0, 5).map((e) => e.outerHTML.slice(0, 80));
    return [`${root.localName}: ${scrollWidth} px in ${clientWidth}`, ...first];
  });
}

/** Runs in the page: returns the serious violations of rules that axe-core finds. */
async function faults(rules) {
  const { violations } = await globalThis.axe.run(rules ? { runOnly: rules } : {});
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join("; ")}`);
}

/** Runs in the page: what of the board and the status is outside the screen, or behind something else. */
function hiddenParts() {
  return ["board", "status"].filter((id) => {
    const part = document.getElementById(id);
    const { left, top, right, bottom } = part.getBoundingClientRect();
    const isInside = left >= 0 && top >= -1 && right <= innerWidth && bottom <= innerHeight;
    const corners = [
      [left + 5, top + 5],
      [right - 5, top + 5],
      [left + 5, bottom - 5],
      [right - 5, bottom - 5],
    ];
    return !isInside || corners.some(([x, y]) => !part.contains(document.elementFromPoint(x, y)));
  });
}

/** The states in which the board and its status stay on the screen of any phone. */
const ON_SCREEN = ["game", "choosing", "refused", "ended", "analysis", "rules", "review"].concat([
  "learn",
  "puzzle",
  "hint",
]);
const PHONES = [
  { width: 320, height: 568 },
  { width: 360, height: 740 },
  { width: 740, height: 360 },
];

/** On each phone, the board and its status stay on the screen, and one tab at most is marked. */
async function fitsPhones(page) {
  for (const viewport of PHONES) {
    await page.page.setViewportSize(viewport);
    await page.idle();
    // What is below is read without leaving them.
    for (const end of [0, 1e4]) {
      await page.page.evaluate((y) => {
        for (const part of [document.scrollingElement, document.querySelector(".panel")])
          part.scrollTop = y;
      }, end);
      assert.deepEqual(await page.page.evaluate(hiddenParts), [], `${viewport.width}, ${end}`);
    }
    const tabs = page.page.getByRole("tab");
    const borders = await tabs.evaluateAll((all) =>
      all.map((tab) => getComputedStyle(tab).borderBottomColor),
    );
    const isMarked = (colour) => colour !== "rgba(0, 0, 0, 0)";
    assert.ok(borders.filter(isMarked).length <= 1, borders.join("; "));
  }
}

for (const [size, kind] of SIZES) {
  // The page's policy would block the script of axe-core.
  const context = { ...kind, bypassCSP: true };
  for (const [state, enter] of Object.entries(STATES)) {
    test(`${size}: ${state}`, { context }, async ({ open, engine, context }) => {
      await analyseQuickly(context);
      const page = await open("?variant=englishdraughts&side=black&level=easy");
      await enter(page, engine);
      await page.idle();
      await page.page.addScriptTag({ path: AXE });
      for (const colorScheme of SCHEMES) {
        await page.page.emulateMedia({ colorScheme });
        await page.page.screenshot({
          path: `${process.env.SCRATCH}/${size}-${colorScheme}-${state}.png`,
          fullPage: (await page.page.locator("dialog[open]").count()) === 0,
        });
        // The colours alone differ between the schemes.
        const rules = colorScheme === SCHEMES[0] ? null : ["color-contrast"];
        assert.deepEqual(await page.page.evaluate(tooWide), [], colorScheme);
        assert.deepEqual(await page.page.evaluate(faults, rules), [], colorScheme);
      }
      if (kind === PHONE && ON_SCREEN.includes(state)) await fitsPhones(page);
    });
  }
}

for (const width of [320, 360, 740, 1280]) {
  test(`${width} px wide at 200 %`, { context: { viewport: { width, height: 740 } } }, async ({
    open,
    engine,
  }) => {
    const page = await open("?variant=englishdraughts&side=black&level=easy");
    await page.page.evaluate(() => {
      document.documentElement.style.fontSize = "200%";
    });
    await page.playOn(engine, "englishdraughts", 2);
    assert.deepEqual(await page.page.evaluate(tooWide), []);
  });
}
