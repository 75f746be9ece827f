/** Reasons, hints and answers to draw offers, all by the engine. */

import { findMove } from "./game.js";
import { announce, ask } from "./messages.js";
import { byId } from "./page.js";
import { FULL, opponent } from "./protocol.js";
import {
  capitalised,
  linesThrough,
  lineText,
  messageOf,
  moveText,
  nameOf,
  squareNumber,
} from "./text.js";

/** In milliseconds. */
const SEARCH_TIME = 700;
/** The engine accepts no draw before this ply. */
const EARLY = 20;
const AGAIN = "A draw can be offered again at the next move";

export class Advice {
  /** @type {{ node: TreeNode, text: string } | null} */
  answer = null;
  /** An arrow, or a ring around a piece. @type {{ node: TreeNode, path: readonly string[] } | null} */
  hint = null;
  /** The answer with the hint; what is refused replaces it for a while. @type {Advice["answer"]} */
  #hinted = null;
  /** The square of the chosen piece, and whether it has jumped there. @type {{ node: TreeNode, square: string, isOnTheWay: boolean } | null} */
  choice = null;
  isSearching = false;
  /** The position in which a draw was declined. @type {TreeNode | null} */
  #declined = null;
  /** Stops the search. */
  #stop = () => {};

  /** @param {Play} play */
  constructor(play) {
    this.play = play;
  }

  clear() {
    this.#stop();
    this.#stop = () => {};
    this.answer = null;
    this.hint = null;
    this.#hinted = null;
    this.choice = null;
  }

  /** A piece is chosen. @param {string} square @param {Iterable<string>} targets @param {boolean} isOnTheWay */
  chosen(square, targets, isOnTheWay) {
    const { shown } = this.play.game;
    const lines = linesThrough(shown.state?.lines, square).map(lineText).join("; ");
    const named = this.named([square]);
    const chosen = isOnTheWay ? jumpOn(named) : `${named} chosen,`;
    const text = `${chosen} to ${this.named([...targets]).join(", ")}.`;
    announce(`${text} ${lines && `${capitalised(this.#counted)}: ${lines}.`}`.trim());
    this.choice = { node: shown, square, isOnTheWay };
    this.answer = this.#hinted;
    this.play.onChange();
  }

  /** @param {string} square of the piece that was chosen */
  cancelled(square) {
    announce(`${this.named([square])} is no longer chosen.`);
    this.choice = null;
    this.answer = this.#hinted;
    this.play.onChange();
  }

  /** What to do with the chosen piece; empty without one. */
  get choiceText() {
    const { game } = this.play;
    const { node, square = "", isOnTheWay } = this.choice ?? {};
    if (!node || node !== game.shown) return "";
    const isCounted = linesThrough(node.state?.lines, square).length > 0;
    const numbers = `The numbers count each line’s ${this.#counted}.`;
    const named = this.named([square]);
    const text = `${isOnTheWay ? jumpOn(named) : named.join()}: choose a marked square.`;
    return isCounted ? `${text} ${numbers}` : text;
  }

  /** What is counted on lines. */
  get #counted() {
    return this.play.variant.kinds[0]?.plural ?? "";
  }

  /** Squares in the notation on the page, if it has names for all of them. @param {readonly string[]} squares */
  named(squares) {
    const numbers = this.#isNumbered ? squares.map(squareNumber) : [null];
    return numbers.every(Boolean) ? numbers.map(String) : squares;
  }

  get #isNumbered() {
    const { variant, notation } = this.play;
    return variant.numbered && notation === "standard";
  }

  /** A reason without the letters of squares that the board does not show. @param {string} reason */
  #byNumbers(reason) {
    if (!this.#isNumbered || this.play.storage.settings.hasLetters) return reason;
    return reason.replace(/ \([a-h]\d\)/g, "").replace(/^[a-h]\d is/, "that is");
  }

  /** Shows a sentence until another position is on the board. @param {string} text */
  #show(text) {
    this.answer = { node: this.play.game.shown, text: `${capitalised(text)}.` };
    this.play.onChange();
  }

  /**
   * The move that a text is. Rejects with the reason if it is refused.
   * @param {string} text
   * @returns {Promise<Move | null>} null if the board has changed meanwhile
   */
  async read(text) {
    const { game, engine, offered } = this.play;
    const { shown } = game;
    try {
      if (shown.state && offered.length === 0) throw new Error(this.#noMoves);
      /** @type {Check} */
      const { move, reason } = await engine.query(game.position(shown), `check ${text.trim()}`);
      if (shown !== this.play.game.shown) return null;
      if (!move) throw new Error(this.#byNumbers(reason ?? "illegal move"));
      return move;
    } catch (error) {
      if (shown === this.play.game.shown) this.#show(messageOf(error));
      throw error;
    }
  }

  get #noMoves() {
    if (this.play.exercise)
      return `“Try again” in “${byId("review-tab").textContent}” goes back to the position to solve`;
    const { game, result } = this.play;
    if (result) return "the game is over";
    const { isWatched } = game;
    const whose = isWatched ? "the engine plays both sides" : "it is the engine's turn";
    if (game.shown === game.live) return whose;
    return `this is an earlier position, in which ${whose}: “Play from here” lets the game go on from it, “To the end” goes back`;
  }

  /** Shows why squares are no move, or one square begins none. @param {readonly string[]} squares */
  async explain(squares) {
    if (!this.play.game.shown.state) return;
    // The reason names moves in the notation of the question.
    // It has no name for a light square, which is a reason of its own.
    const light = this.#isNumbered && squares.find((square) => !squareNumber(square));
    const asked = light ? [light] : squares;
    const named = this.named(asked);
    try {
      await this.read(named.join(named === asked ? "" : "-"));
    } catch {
      const { node, square = "" } = this.choice ?? {};
      if (node === this.play.game.shown) announce(`${this.named([square])} is still chosen.`);
    }
  }

  async showHint() {
    const { game, offered } = this.play;
    const { shown } = game;
    if (this.isSearching || offered.length === 0) return;
    const hint = await this.#think();
    const move = findMove(offered, hint?.move.coordinate);
    if (!hint || !move || shown !== game.shown) return this.play.onChange();
    this.hint = { node: shown, path: move.path };
    this.#show(`hint: ${moveText(move, this.play.notation)} ${hint.reason}`);
    this.#hinted = this.answer;
  }

  get canOfferDraw() {
    const { resigner, isThinking, isConnected, game } = this.play;
    const { live, humanSide } = game;
    const isTurn = resigner !== null && live.state?.side === resigner && !isThinking;
    // Two players need no engine for it.
    return isTurn && !this.isSearching && (isConnected || humanSide === null);
  }

  /** Offers a draw to the engine, which accepts unless it stands better, or to the other player. */
  async offerDraw() {
    const { game } = this.play;
    const { live, setting } = game;
    if (live === this.#declined) return this.#show(AGAIN);
    if (!this.canOfferDraw || !live.state) return;
    this.play.show(live);
    const { side } = live.state;
    const [from, to] = [nameOf(setting, side), nameOf(setting, opponent(side))];
    const isEarly = game.humanSide !== null && setting.setup === null && live.ply < EARLY;
    if (isEarly) return this.#show(`it is too early for a draw before move ${EARLY / 2 + 1}`);
    let isAccepted;
    if (game.humanSide) {
      if (!(await ask("Offer a draw to Soucie?", "Offer draw", "Play on"))) return;
      isAccepted = isNotWorse(await this.#think());
    } else {
      isAccepted = await ask(`${from} offers a draw. Does ${to} accept?`, "Accept", "Decline");
    }
    if (game !== this.play.game || !this.canOfferDraw || live !== game.live)
      return this.play.onChange();
    if (isAccepted) {
      this.play.agreeDraw();
      return;
    }
    this.#declined = live;
    this.#show(`${game.humanSide ? "Soucie" : to} declines the draw. ${AGAIN}`);
  }

  /**
   * Searches the position on the board. What follows must be drawn.
   * @returns {Promise<Hint | null>} null without an answer
   */
  async #think() {
    const { engine, game } = this.play;
    this.clear();
    this.isSearching = true;
    announce("The engine considers the position.");
    this.play.onChange();
    /** @type {Hint | null} */
    const hint = await new Promise((resolve) => {
      const command = `hint {"movetime":${SEARCH_TIME}}`;
      const fail = () => resolve(null);
      this.#stop = engine.run(game.position(game.shown), FULL, command, fail, (line) => {
        const isAnswer = line.startsWith("hint ");
        if (isAnswer) resolve(JSON.parse(line.slice(5)));
        return isAnswer;
      });
    });
    this.isSearching = false;
    return hint;
  }
}

/** @param {readonly string[]} squares */
function jumpOn([square]) {
  return `The piece must jump on from ${square}`;
}

/** @param {Hint | null} hint */
function isNotWorse(hint) {
  if (!hint) return false;
  const { cp = 0, mate = 1 } = hint.score;
  return cp >= 0 && mate > 0;
}
