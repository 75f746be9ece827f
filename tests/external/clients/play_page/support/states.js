/** The main states of the page, and how to get there from a new game of draughts as Black. */

const VARIANT = "englishdraughts";

const STATES = {
  async game(page, engine) {
    await page.playOn(engine, VARIANT, 4);
    await page.square("a3").hover();
  },

  async choosing(page, engine) {
    const { legal } = await engine.state(VARIANT, []);
    await page.square(legal[0].path[0]).click();
  },

  async rules(page) {
    await page.page.getByRole("tab", { name: "Rules" }).click();
  },

  async dialog(page) {
    await page.button("New game").click();
    await page.page.getByRole("radio", { name: "With clocks" }).check();
  },

  async menu(page) {
    await page.menu("Save");
  },

  async analysis(page, engine) {
    await page.playOn(engine, VARIANT, 2);
    await page.page.getByRole("switch", { name: "Analyse position" }).check();
    await page.page.getByLabel("Number of lines").selectOption("3");
    const lines = page.page.getByRole("list", { name: "Best lines" });
    await lines.getByRole("listitem").first().waitFor();
  },

  async editor(page) {
    await page.menu("Open");
    await page.button("Set up a position …").click();
    await page.page.getByRole("dialog", { name: "Set up a position" }).waitFor();
  },

  async open(page) {
    await page.menu("Open");
    await page.button("A game or position: file or text …").click();
    await page.page.getByLabel("Or paste a text").fill("hello");
    await page.page.getByRole("button", { name: "Open", exact: true }).click();
    await page.page.locator("#open-error").filter({ hasText: /./ }).waitFor();
  },
};

module.exports = { STATES };
