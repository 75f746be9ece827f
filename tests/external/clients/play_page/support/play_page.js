/** A page object: reads what the page shows, and enters moves as a user does. */
const assert = require("node:assert/strict");
const { readFileSync } = require("node:fs");

/** The texts of the status line when a human is to move, or the game is over. */
const TURN = /^(.* passes\. |.* has a new \w+\. )?(Your turn|Black to move|White to move)/;
const END = /^(You have won|You have lost|Black has won|White has won|Drawn)(: |, as recorded)/;

/** The most milliseconds until the page is idle: the analysis of a short game takes longest. */
const IDLE_TIME = 90_000;

/**
 * Runs in the page: waits until it is idle in two frames, as events follow an action, and the
 * observers of sizes follow a drawing.
 */
async function becomeIdle(time) {
  const { dataset } = document.documentElement;
  const frame = () => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
  const end = performance.now() + time;
  for (let idle = 0; idle < 2; idle = "idle" in dataset ? idle + 1 : 0) {
    await frame();
    if (performance.now() > end) throw new Error("the page is not idle");
  }
}

class PlayPage {
  /** @param {import("playwright-core").Page} page */
  constructor(page, server) {
    this.page = page;
    this.server = server;
    this.board = page.getByRole("grid", { name: "Board" });
    this.movesPanel = page.getByRole("tabpanel", { name: "Moves" });
    this.status = page.locator("#status");
    this.notice = page.getByRole("alert").filter({ hasText: "connection" });
    this.announcer = page.locator("#announcer");
    /** The text of a lesson or a puzzle. */
    this.lesson = page.locator("#lesson-text");
  }

  /** @param {string} place the query and the fragment of the address */
  async open(place = "") {
    await this.page.goto(this.server.address + place);
    await this.ready();
  }

  /** Waits until the page is idle: until what was done has its whole effect, and that is drawn. */
  async idle() {
    for (;;) {
      try {
        return await this.page.evaluate(becomeIdle, IDLE_TIME);
      } catch (error) {
        // The page was loaded anew meanwhile, as by a new version of its worker.
        if (!/context was destroyed/.test(error.message)) throw error;
        await this.page.waitForLoadState();
      }
    }
  }

  /** Waits until a human is to move, or the game is over. Returns the text of the status line. */
  async ready() {
    await this.idle();
    const text = await this.status.textContent();
    assert.match(text, new RegExp(`${TURN.source}|${END.source}`));
    return text;
  }

  /** Waits for the text of a lesson or a puzzle. @param {string | RegExp} words */
  async waitForLesson(words) {
    await this.idle();
    await this.lesson.filter({ hasText: words }).waitFor();
  }

  /** Waits for the title of a lesson or a puzzle, before which a game may be analysed. */
  async waitForTitle(name) {
    await this.idle();
    await this.page.getByRole("heading", { name, exact: true }).waitFor();
  }

  /** Begins to record what live regions announce. Returns a function that reads the texts. */
  async listen() {
    await this.page.evaluate(() => {
      globalThis.announced = [];
      for (const region of document.querySelectorAll("[role=status], [role=alert], [aria-live]")) {
        const observer = new MutationObserver(() => {
          if (region.textContent) globalThis.announced.push(region.textContent);
        });
        observer.observe(region, { childList: true, characterData: true, subtree: true });
      }
    });
    return () => this.page.evaluate(() => globalThis.announced);
  }

  /** @param {string} name */
  button(name) {
    return this.page.getByRole("button", { name, exact: true });
  }

  /** Opens a menu, and waits until the page has filled it. @param {string} name */
  async menu(name) {
    await this.page.locator("summary", { hasText: name }).click();
    await this.idle();
  }

  /** Changes settings in the menu "Display". @param {() => Promise<unknown>} change */
  async display(change) {
    await this.menu("Display");
    await change();
    await this.page.keyboard.press("Escape");
  }

  /** Pastes a text into the dialog for opening games. @param {string} text */
  async openText(text) {
    await this.menu("Open");
    await this.button("A game or position: file or text …").click();
    const dialog = this.page.getByRole("dialog", { name: "Open" });
    await dialog.getByLabel("Or paste a text").fill(text);
    await dialog.getByRole("button", { name: "Open" }).click();
    await this.idle();
  }

  /** The same with a text that has a fault, after which the dialog asks. @param {string} text */
  async openPartial(text) {
    await this.openText(text);
    await this.button("Open what can be read").click();
    await this.idle();
  }

  /** Clicks what starts a download. Returns the text and the name of the file. */
  async download(click) {
    const downloading = this.page.waitForEvent("download");
    await click();
    const download = await downloading;
    return [readFileSync(await download.path(), "utf8"), download.suggestedFilename()];
  }

  /** The text of the record of the game, and the name of its file. */
  async saveRecord() {
    await this.menu("Save");
    const link = this.page.getByRole("link", { name: "Record of the game" });
    return this.download(() => link.click());
  }

  /**
   * Starts a new game from the dialog.
   * @param {Record<string, string>} choices labels of choices by group, and numbers by field
   */
  async newGame({ minutes, increment, seconds, elo, ...choices }) {
    await this.button("New game").click();
    const dialog = this.page.getByRole("dialog", { name: "New game" });
    for (const choice of Object.values(choices)) {
      await dialog.getByRole("radio", { name: choice, exact: true }).check();
    }
    const numbers = {
      Minutes: minutes,
      "seconds added": increment,
      "Soucie thinks": seconds,
      "A number as in ratings": elo,
    };
    for (const [label, value] of Object.entries(numbers)) {
      if (value !== undefined) await dialog.getByLabel(label).fill(value);
    }
    await dialog.getByRole("button", { name: "Start" }).click();
    await dialog.waitFor({ state: "hidden" });
  }

  /** Answers a question of the page. @param {string} answer */
  async answer(answer) {
    await this.page.locator("#ask-dialog").getByRole("button", { name: answer }).click();
  }

  async resign() {
    await this.button("Resign").click();
    await this.answer("Resign");
    await this.idle();
  }

  /** The line of a player beside the board. @param {string} side */
  player(side) {
    return this.page.locator(".player", { hasText: side });
  }

  /** A cell of the board. @param {string} name */
  square(name) {
    return this.board.locator(`[data-square=${name}]`);
  }

  /** The names of the cells with a state: chosen, target, must capture. */
  async squares(state) {
    const cells = this.board.getByRole("gridcell", { name: new RegExp(`, ${state}(,|$)`) });
    const squares = await cells.evaluateAll((all) => all.map((cell) => cell.dataset.square));
    return squares.sort();
  }

  /** The pieces on the board as screen readers name them: "black stone" by square. */
  async pieces() {
    const cells = await this.board
      .getByRole("gridcell")
      .evaluateAll((all) => all.map((e) => [e.dataset.square, e.getAttribute("aria-label")]));
    const isPiece = (word) => /^(black|white) /.test(word);
    return Object.fromEntries(
      cells
        .map(([square, label]) => [square, label.split(", ").find(isPiece)])
        .filter(([, piece]) => piece),
    );
  }

  /** The moves in the list, the branches included. */
  moves() {
    return this.movesPanel.getByRole("list").getByRole("button").allTextContents();
  }

  /** The moves in the list as commands of the engine have them. The list must show squares. */
  async coordinates() {
    return (await this.moves()).map((text) => (text === "pass" ? "0000" : text));
  }

  /** Shows moves by squares ("coordinate") or in the usual notation ("standard"). */
  async notation(name) {
    await this.display(() => this.page.getByLabel("Moves as").selectOption(name));
  }

  async typeMove(text) {
    const field = this.page.getByLabel("Type a move");
    await field.fill(text);
    await field.press("Enter");
  }

  /** Whether the move entered so far is incomplete. */
  async #isIncomplete() {
    return (await this.board.locator("[aria-selected=true]").count()) > 0;
  }

  /** Plays a move in one of `WAYS`. @param {{ path: string[] }} move */
  async play({ path: [from, ...targets] }, way) {
    await way.begin(this, from);
    let at = from;
    for (const target of targets) {
      // The page plays a move as soon as the rest of its path is unambiguous.
      if (at !== from && !(await this.#isIncomplete())) break;
      await way.extend(this, at, target);
      at = target;
    }
  }

  /** Plays the first legal move. The list of moves then shows squares. */
  async playFirst(engine, variant) {
    await this.notation("coordinate");
    const moves = await this.coordinates();
    const { legal } = await engine.state(variant, moves);
    await this.play(legal[0], WAYS.click);
    await this.watch(moves.length + 1);
  }

  /**
   * Plays first legal moves against the engine until so many plies are played and it is the human's
   * turn. Returns all moves.
   */
  async playOn(engine, variant, plies) {
    await this.ready();
    while ((await this.moves()).length < plies) {
      await this.playFirst(engine, variant);
      await this.ready();
    }
    return this.coordinates();
  }

  /** Waits until the list has so many moves or more. */
  async waitForMoves(plies) {
    await this.idle();
    const { length } = await this.moves();
    assert.ok(length >= plies, `${length} moves, not ${plies}`);
  }

  /** Waits for so many moves while the page need not be idle: the engine thinks, or is absent. */
  async watch(plies) {
    await this.movesPanel
      .getByRole("list")
      .getByRole("button")
      .nth(plies - 1)
      .waitFor();
  }

  async center(name) {
    const box = await this.square(name).boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
  }

  /** Moves the cursor of the board to a square with the arrow keys, and chooses it. */
  async keyTo(name) {
    const { keyboard } = this.page;
    const index = (locator) =>
      locator.evaluate((cell) =>
        [...cell.closest("[role=grid]").querySelectorAll("[role=gridcell]")].indexOf(cell),
      );
    const cursor = this.board.locator("[tabindex='0']");
    const [from, to] = [await index(cursor), await index(this.square(name))];
    // In draughts the cursor steps over the light squares.
    const isNumbered =
      (await this.board.getByRole("gridcell", { name: "light square" }).count()) > 0;
    const column = (at) => (isNumbered ? Math.floor((at % 8) / 2) : at % 8);
    const [right, down] = [column(to) - column(from), Math.floor(to / 8) - Math.floor(from / 8)];
    await cursor.focus();
    for (let i = 0; i < Math.abs(right); i++)
      await keyboard.press(right > 0 ? "ArrowRight" : "ArrowLeft");
    for (let i = 0; i < Math.abs(down); i++)
      await keyboard.press(down > 0 ? "ArrowDown" : "ArrowUp");
    await keyboard.press("Enter");
  }

  /** The result that the page shows in the status line. The list of moves ends with the outcome. */
  async result() {
    const text = await this.status.textContent();
    const entry = this.movesPanel.getByRole("listitem").last();
    const isDrawn = text.startsWith("Drawn");
    assert.match(await entry.textContent(), isDrawn ? /^Drawn\.$/ : /^(Black|White) won\.$/);
    return text;
  }
}

/** The ways to enter a move. */
const WAYS = {
  click: {
    begin: (page, from) => page.square(from).click(),
    extend: (page, _, target) => page.square(target).click(),
  },
  drag: {
    begin: async () => {},
    extend: async (page, at, target) => {
      const { mouse } = page.page;
      await mouse.move(...(await page.center(at)));
      await mouse.down();
      await mouse.move(...(await page.center(target)), { steps: 4 });
      await mouse.up();
    },
  },
  touch: {
    begin: (page, from) => page.square(from).tap(),
    extend: (page, _, target) => page.square(target).tap(),
  },
  keyboard: {
    begin: (page, from) => page.keyTo(from),
    extend: (page, _, target) => page.keyTo(target),
  },
};

/** The result of a game that a human has played against the engine, as the page shows it. */
function resultText({ winner, reason }, human) {
  if (!winner) return `Drawn: ${reason}.`;
  const yours = { "the opponent has": "you have", "the opponent cannot": "you cannot" };
  if (winner !== human)
    for (const [its, own] of Object.entries(yours)) reason = reason.replace(its, own);
  const loser = winner === "black" ? "White" : "Black";
  const whose = winner === human ? "your" : `${winner[0].toUpperCase()}${winner.slice(1)}'s`;
  const text = reason.replace("the opponent", loser).replace(/\bits\b/, whose);
  return `You have ${winner === human ? "won" : "lost"}: ${text}.`;
}

module.exports = { PlayPage, WAYS, END, resultText };
