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
