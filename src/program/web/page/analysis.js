/** The engine's lines for the position on the board, with arrows and the bar beside the board. */
import { findMove, levelOfPlayers } from "./game.js";
import { announce } from "./messages.js";
import { button, byId, element, wait } from "./page.js";
import { chancesOptions } from "./protocol.js";
import { readMoves } from "./records.js";
import { chancesText, forBlack, percent, scoreText, speedText, spokenScore } from "./text.js";

/** In milliseconds. */
const DRAW_INTERVAL = 120;
const SHOWN = 12;
/** Milliseconds for which a move is the best one before it is announced. */
const STEADY = 2000;

export class Analysis {
  onArrows = () => {};
  /** @type {Arrow[]} */
  arrows = [];

  #switch = byId("analysis-switch", HTMLInputElement);
  #count = byId("line-count", HTMLSelectElement);
  #list = byId("engine-lines");
  #bar = byId("bar");
  /** @type {TreeNode | null} */
  #node = null;
  /** @type {Notation} */
  #notation = "standard";
  /** @type {Search | null} */
  #search = null;
  /** The report of each line at the last depth of which all have come. @type {Info[]} */
  #reports = [];
  /** Those of the depth in progress. @type {Info[]} */
  #arriving = [];
  /** @type {Info[]} */
  #infos = [];
  /** Whether the keyboard is on the lines, which then stay. */
  #isHeld = false;
  #drawn = () => {};
  #timer = 0;
  /** The best move, which waits to be announced. */
  #best = "";
  #announcement = 0;
  /** Whether no line was shown since the analysis was switched on. */
  #isNew = false;

  /** @param {Play} play */
  constructor(play) {
    this.play = play;
    const { storage } = play;
    const { isAnalysing, lines } = storage.settings;
    this.#switch.checked = isAnalysing;
    this.#count.value = String(lines);
    const restart = () => {
      storage.change({ isAnalysing: this.#switch.checked, lines: Number(this.#count.value) });
      this.#start(null, this.#notation);
      this.render();
      this.#isNew = this.#switch.checked;
    };
    for (const field of [this.#switch, this.#count]) field.addEventListener("change", restart);
    document.addEventListener("visibilitychange", () => this.render());
    this.#list.addEventListener("focusin", ({ target }) => {
      this.#isHeld = target instanceof Element && target.matches(":focus-visible");
    });
    this.#list.addEventListener("focusout", () => {
      this.#isHeld = false;
      this.#draw();
    });
  }

  render() {
    const { play } = this;
    const { shown } = play.game;
    const isOn = this.#switch.checked && !play.lesson;
    const isFree = !document.hidden && !play.isBusy && !play.reviewed;
    const canMove = shown.state !== null && shown.state.legal.length > 0;
    const node = isOn && isFree && canMove ? shown : null;
    const { notation } = play;
    if (node !== this.#node || notation !== this.#notation) this.#start(node, notation);
    this.#list.hidden = !isOn;
    // The layout below does not move.
    this.#list.style.setProperty("--lines", this.#count.value);
    this.#bar.hidden = !isOn;
    this.#count.hidden = !isOn;
    this.#bar.classList.toggle("flipped", play.bottom === "black");
    if (node) return;
    const { result } = shown.state ?? {};
    if (result) this.#drawBar(result.winner ? Number(result.winner === "black") : 0.5);
    // While a state is on its way, the lines stay, and with them the focus.
    if (!isOn || shown.state) this.#list.replaceChildren();
    byId("analysis-speed").textContent =
      !isOn || !shown.state ? "" : canMove ? "waits for the engine" : "the game is over";
  }

  /** @param {TreeNode | null} node @param {Notation} notation */
  #start(node, notation) {
    this.#notation = notation;
    this.#search?.stop();
    this.#search = null;
    this.#node = node;
    this.#reports = [];
    this.#isHeld = false;
    clearTimeout(this.#announcement);
    this.#best = "";
    this.#draw();
    if (!node) return;
    wait(new Promise((drawn) => (this.#drawn = () => drawn(null))));
    const { engine, game } = this.play;
    const level = levelOfPlayers(game.setting);
    const options = {
      ...chancesOptions(level),
      MultiPV: this.#count.value,
      "Move Format": notation,
    };
    const search = engine.search(game.position(node), { infinite: true }, options, (info) => {
      if (search !== this.#search || info.isBound) return;
      if (info.multipv === 1) this.#arriving = [];
      this.#arriving[info.multipv - 1] = info;
      // Lines of two depths may begin with the same move.
      if (this.#arriving.length < this.#reports.length) return;
      this.#reports = this.#arriving;
      this.#timer ||= setTimeout(() => this.#draw(), DRAW_INTERVAL);
    });
    // The next change of the page begins the search again.
    search.best.catch(() => {
      if (search !== this.#search) return;
      this.#node = null;
      this.#drawn();
    });
    this.#search = search;
  }

  #draw() {
    this.#drawn();
    clearTimeout(this.#timer);
    this.#timer = 0;
    if (this.#isHeld) return;
    this.#infos = [...this.#reports];
    const { state } = this.#node ?? {};
    const [first] = this.#infos;
    this.#showArrows();
    // The lines of the previous position stay until there are new ones.
    if (!state || !first) return;
    for (const [index, info] of this.#infos.entries()) this.#drawLine(index, info, state.side);
    while (this.#list.children.length > this.#infos.length) this.#list.lastChild?.remove();
    this.#announce(first.pv[0] ?? "");
    if (first.expected !== null) this.#drawBar(forBlack(first.expected, state.side));
    byId("analysis-speed").textContent =
      `depth ${first.depth} · ${speedText(first.nps)} · + and % for Black, ` +
      chancesText(this.play.game.setting);
    // On a phone it may be behind the controls.
    if (this.#isNew) this.#list.firstElementChild?.scrollIntoView({ block: "nearest" });
    this.#isNew = false;
  }

  /** Announces the best move once it has stayed the same, one time for each position. @param {string} best */
  #announce(best) {
    if (best === this.#best) return;
    this.#best = best;
    clearTimeout(this.#announcement);
    this.#announcement = setTimeout(() => {
      const { state } = this.#node ?? {};
      const [first] = this.#reports;
      if (!state || !first || first.expected === null) return;
      const score = spokenScore(first.score, state.side, first.expected);
      announce(`Best: ${moveName(first.pv[0] ?? best)}, ${score}, depth ${first.depth}.`);
    }, STEADY);
  }

  #showArrows() {
    const legal = this.#node?.state?.legal ?? [];
    const arrows = this.#infos.map(({ pv: [first] }, index) => ({
      path: findMove(legal, first)?.path ?? [],
      kind: `better line-${index + 1}`,
    }));
    if (JSON.stringify(arrows) === JSON.stringify(this.arrows)) return;
    this.arrows = arrows;
    this.onArrows();
  }

  /** @param {number} index @param {Info} info @param {Side} side */
  #drawLine(index, { score, expected, pv }, side) {
    if (!this.#list.children[index]) this.#list.append(this.#makeLine(index));
    const values =
      expected === null
        ? ["", "", ""]
        : [
            scoreText(score, side, expected),
            percent(forBlack(expected, side)),
            `${spokenScore(score, side, expected)}: `,
          ];
    const texts = [...values, ...pv.slice(0, SHOWN).map(moveName)];
    const parts = this.#list.children[index]?.children ?? [];
    for (const [place, part] of [...parts].entries()) {
      const text = texts[place] ?? "";
      if (part.textContent !== text) part.textContent = text;
    }
  }

  /** A line. Its elements are reused, so that a click spans updates. @param {number} index */
  #makeLine(index) {
    // The words stand for both.
    const score = element("b", "score");
    score.title = "The score for Black: + is good for Black, − for White";
    const points = element("span", "soft");
    points.title = "Black's expected points";
    for (const part of [score, points]) part.ariaHidden = "true";
    const moves = Array.from({ length: SHOWN }, (_, place) => {
      const made = button("move", () => this.#follow(index, place));
      // Twelve tab stops per line would be too many.
      if (place > 0) made.tabIndex = -1;
      return made;
    });
    return element("li", "", score, points, element("span", "unseen"), ...moves);
  }

  /** @param {number} index @param {number} place */
  async #follow(index, place) {
    const node = this.#node;
    const pv = this.#infos[index]?.pv.slice(0, place + 1);
    if (!node || !pv) return;
    const { play } = this;
    const position = play.game.position(node);
    const moves = await readMoves(play.engine, position, pv).catch(() => []);
    if (play.game.shown !== node) return;
    // The first move of the same line is in every position.
    const line = this.#list.children[index];
    if (line?.contains(document.activeElement)) line.querySelector("button")?.focus();
    play.explore(node, moves);
  }

  /** @param {number} expected */
  #drawBar(expected) {
    this.#bar.setAttribute("aria-valuenow", String(Math.round(100 * expected)));
    this.#bar.setAttribute("aria-valuetext", `${percent(expected)} for Black`);
    this.#bar.style.setProperty("--black", `${100 * expected}%`);
  }
}

/** @param {string} move of a line */
function moveName(move) {
  return move === "0000" ? "pass" : move;
}
