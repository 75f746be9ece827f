/** The main states of the page: functions that lead there from a new game of draughts as Black. */

const { WAYS } = require("./play_page.js");
const { puzzlesOf } = require("./puzzles.js");

const VARIANT = "englishdraughts";
/** A game with blunders at its second and fifth ply. */
const BLUNDERS =
  "fen B:W19,20,21,22,23,24,25,26,29,31,32:B1,2,4,5,7,8,9,10,11,12,14 " +
  "moves 9-13 21-17 14x30 32-28 12-16 19x3";

/**
 * Makes the pages of a browser context analyse games with fewer nodes, by default a quarter of the
 * usual ones, which is enough for blunders. This has no effect on an engine inside the page, which
 * is fast.
 * @param {import("playwright-core").BrowserContext} context
 */
function analyseQuickly(context, count = 50_000) {
  return context.addInitScript((count) => {
    const { send } = WebSocket.prototype;
    WebSocket.prototype.send = function (line) {
      const isEmpty = line === "analyse {}";
      const nodes = `analyse {"nodes":${count}${isEmpty ? "" : ","}`;
      send.call(this, line.replace("analyse {", nodes));
    };
  }, count);
}

/** Each side of this position of Lines of Action can connect its stones by its next move. */
const BOTH_WIN = "L1L5/8/8/8/8/8/8/1l1l4 b";
/** Black misses its win there, so White wins. Its analysis takes no time. */
const MISSED = `fen ${BOTH_WIN} moves b1b2 a8b7`;

/** A record with headers, a comment and a branch. */
const RECORD =
  '[Event "Club Cup"]\n[Site "Oslo"]\n[Black "Anna"]\n[White "Ben"]\n[Result "1-0"]\n' +
  "1. 11-15 22-18 2. 15x22 {good} 25x18 (2... 26x17) 1-0";

const STATES = {
  async game(page, engine) {
    await page.playOn(engine, VARIANT, 4);
    await page.square("a3").hover();
  },

  async choosing(page, engine) {
    const { legal } = await engine.state(VARIANT, []);
    await page.square(legal[0].path[0]).click();
  },

  async ended(page) {
    await page.resign();
    await page.button("Play again, colours exchanged").waitFor();
  },

  async refused(page) {
    await page.square("f6").click();
    await page.square("f4").click();
    await page.status.filter({ hasText: "Illegal" }).waitFor();
  },

  async groups(page) {
    await page.openText("4l3/ll6/8/L4LL1/4L3/5l2/8/8 b");
    await page.display(() => page.page.getByLabel("Groups in colours").check());
  },

  async course(page) {
    await page.page.getByRole("tab", { name: "Rules" }).click();
    await page.button("Learn the rules").last().click();
    await page.waitForTitle("1 of 8: How men move");
  },

  async rules(page) {
    await page.page.getByRole("tab", { name: "Rules" }).click();
  },

  async dialog(page) {
    await page.button("New game").click();
    await page.page.getByRole("radio", { name: "With clocks" }).check();
  },

  async players(page) {
    await page.button("New game").click();
    await page.page.getByRole("radio", { name: "Two players" }).check();
    await page.page.locator("#more-rules summary").click();
  },

  async welcome(page) {
    await page.page.evaluate(() => {
      localStorage["soucie.settings"] = "{}";
    });
    page.page = await page.page.context().newPage();
    await page.page.goto(page.server.address);
    await page.page.getByRole("dialog", { name: "Which game?" }).waitFor();
  },

  async keys(page) {
    await page.page.keyboard.press("?");
    await page.page.getByRole("dialog", { name: "Keys" }).waitFor();
  },

  async question(page) {
    await page.square("d4").click();
    await page.button("Resign").click();
  },

  async menu(page) {
    await page.menu("Save");
  },

  async display(page) {
    await page.menu("Display");
  },

  async earlier(page) {
    await page.openText(RECORD);
    await page.page.getByText("Club Cup").waitFor();
    await page.newGame({});
    await page.menu("Open");
  },

  async details(page) {
    await page.openText(RECORD);
    await page.page.locator("#comment-label").click();
    await page.menu("Save");
    await page.button("Names, event, result …").click();
  },

  async review(page) {
    await page.openText(BLUNDERS);
    await page.page.getByRole("tab", { name: "Game analysis" }).click();
    await page.button("Analyse this game").click();
    await page.idle();
  },

  async learn(page, engine) {
    await page.openText(MISSED);
    await page.page.getByRole("tab", { name: "Game analysis" }).click();
    await page.button("Analyse this game").click();
    await page.idle();
    await page.page.locator("#learn-start").click();
    const { legal } = await engine.state("linesofaction", [], BOTH_WIN);
    const bad = legal.find(({ coordinate }) => coordinate === "b1a2");
    await page.play(bad, WAYS.click);
    await page.page.locator("#lesson-text", { hasText: "not good enough" }).waitFor();
  },

  async puzzle(page, engine) {
    const [{ setup, solution }] = await puzzlesOf(engine, VARIANT);
    await page.menu("Open");
    await page.button("Puzzles").click();
    await page.page.locator("#lesson-text", { hasText: "to play and win" }).waitFor();
    const { legal } = await engine.state(VARIANT, [], setup);
    await page.play(
      legal.find(({ standard }) => standard !== solution[0]),
      WAYS.click,
    );
    await page.page
      .locator("#lesson-text", { hasText: /does not solve it|too slow|solved/ })
      .waitFor();
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

  async list(page) {
    const whole = "(;GM[9]PB[Anna]PW[Ben]EV[Cup];B[b1-b3])";
    await page.openText(whole.repeat(20) + whole.replace("b1-b3", "b1-b8"));
    await page.page.getByText("cannot be read to the end.").waitFor();
  },

  async explorer(page) {
    const game = (moves) => `[Black "Anna"]\n[White "Ben"]\n[Date "2001"]\n\n${moves} 1-0\n\n`;
    await page.openText(game("11-15 22-18 15x22") + game("11-15 23-19 8-11") + game("9-13 9-9"));
    await page.page.keyboard.press("Escape");
    await page.page.getByRole("tab", { name: "Explorer" }).click();
    await page.page.locator("#explorer-faults").waitFor();
  },

  async hint(page) {
    await page.menu("Open");
    await page.button("Puzzles").click();
    await page.page.locator("#lesson-text", { hasText: "to play and win" }).waitFor();
    await page.button("Hint").click();
    await page.page.locator("#board .ring").waitFor();
  },

  async open(page) {
    await page.openText("hello");
    await page.page.locator("#open-error").filter({ hasText: /./ }).waitFor();
  },
};

module.exports = { STATES, BLUNDERS, BOTH_WIN, MISSED, analyseQuickly };
