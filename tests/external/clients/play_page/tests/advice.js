/** Tests draw offers to the engine. */
const assert = require("node:assert/strict");
const { test } = require("../support/fixture.js");

const DRAUGHTS = "?variant=englishdraughts&side=black&level=easy";

/** Begins a game as Black against the engine from a setup. */
async function playFrom(page, setup) {
  await page.openText(setup);
  await page.page.getByRole("dialog", { name: "Open" }).waitFor({ state: "hidden" });
  await page.newGame({ mode: "You against Soucie", side: "Black", from: "Position on the board" });
  await page.ready();
}

test("draw offers: the engine accepts unless it stands better", async ({ open }) => {
  const page = await open(DRAUGHTS);
  await playFrom(page, "B:WK32,K31,K27:B5");
  await page.button("Offer draw").click();
  await page.status.filter({ hasText: "Soucie declines the draw." }).waitFor();
  await page.announcer.filter({ hasText: "Soucie declines the draw." }).waitFor();
  assert.equal(await page.button("Offer draw").isDisabled(), true);
  await playFrom(page, "B:W32:BK1,K2,K6");
  await page.button("Offer draw").click();
  assert.equal(await page.ready(), "Drawn: both players have agreed.");
  await page.announcer.filter({ hasText: "Drawn: both players have agreed." }).waitFor();
});
