/** The keyboard: the cursor on a board, the keys outside it, and typed moves. */
import { findMove } from "./game.js";
import { announce } from "./messages.js";
import { byId, onClick } from "./page.js";
import { copiedText } from "./records.js";
import { clocksText, groupsAndThreatText, lastMoveText, messageOf, piecesText } from "./text.js";

/** @type {Record<string, [number, number]>} */
const ARROWS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Arrow keys move the focus from cell to cell. */
export class Cursor {
  #at = 0;
  #isUsed = false;

  /**
   * @param {BoardPicture} board
   * @param {(key: string, square: string) => boolean} onKey returns whether another key was handled
   */
  constructor(board, onKey) {
    this.board = board;
    board.grid.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      if (!this.#move(event.key) && !onKey(event.key, board.squareOf(this.#at))) return;
      event.preventDefault();
      event.stopPropagation();
    });
    board.grid.addEventListener("focusin", ({ target }) => {
      const index = board.cells.indexOf(/** @type {HTMLElement} */ (target));
      if (index < 0) return;
      this.#isUsed = true;
      this.#set(index);
    });
    this.#set(0);
  }

  /** Puts the cursor on a square until it is used. @param {(square: string) => boolean} isUseful */
  start(isUseful) {
    const index = this.board.cells.findIndex((_, at) => isUseful(this.board.squareOf(at)));
    if (this.#isUsed || index < 0) return;
    if (this.#hasFocus) this.#focus(index);
    else this.#set(index);
  }

  /** The same at the beginning of a game. @param {(square: string) => boolean} isUseful */
  restart(isUseful) {
    this.#isUsed = false;
    this.start(isUseful);
  }

  get #hasFocus() {
    return this.board.grid.contains(document.activeElement);
  }

  /** Keeps the cursor on its square. */
  turn() {
    const hasFocus = this.#hasFocus;
    this.#set(63 - this.#at);
    if (hasFocus) this.#focus(this.#at);
  }

  /** @param {string} key @returns {boolean} whether it is one of the cursor */
  #move(key) {
    const { isNumbered } = this.board;
    const [column, row] = [this.#at % 8, Math.floor(this.#at / 8)];
    // Where the light squares are not used, the cursor steps over them: a row has four places.
    const places = isNumbered ? 4 : 8;
    const place = isNumbered ? Math.floor(column / 2) : column;
    const arrow = ARROWS[key] ?? { Home: [-place, 0], End: [places - 1 - place, 0] }[key];
    if (!arrow) return false;
    const [x = 0, y = 0] = [place + (arrow[0] ?? 0), row + (arrow[1] ?? 0)];
    if (Math.min(x, y) < 0 || x >= places || y > 7) return true;
    this.#focus(8 * y + (isNumbered ? 2 * x + ((y + 1) % 2) : x));
    return true;
  }

  /** @param {number} index */
  #focus(index) {
    this.board.cells[index]?.focus();
  }

  /** @param {number} index */
  #set(index) {
    for (const [at, cell] of this.board.cells.entries()) cell.tabIndex = at === index ? 0 : -1;
    this.#at = index;
  }
}

/** Where arrow keys have another meaning. */
const OWN_ARROWS =
  "input:not([type=checkbox]), select, textarea, dialog, [role=tablist], [role=grid]";
/** Where a character is text. */
const FIELDS = "input:not([type=checkbox], [type=radio]), select, textarea, dialog";

/** Keys outside the board. @param {Play} play */
export function listenToKeys(play) {
  const dialog = byId("keys-dialog", HTMLDialogElement);
  const show = () => dialog.showModal();
  onClick("keys", show);
  addEventListener("keydown", ({ target, key, altKey, ctrlKey, metaKey }) => {
    if (altKey || ctrlKey || metaKey) return;
    /** @param {string} places */
    const isIn = (places) => target instanceof Element && target.closest(places) !== null;
    if (key === "?" && !isIn(FIELDS)) show();
    const letter = key.toLowerCase();
    if (letter === "p" && !isIn(FIELDS)) announce(piecesText(play));
    if (letter === "g" && !isIn(FIELDS)) announce(groupsAndThreatText(play));
    if (letter === "l" && !isIn(FIELDS))
      announce(`${lastMoveText(play)} ${clocksText(play)}`.trim());
    if (letter === "n" && play.exercise && !isIn(FIELDS)) play.lesson?.next();
    if (key === "ArrowLeft" && !isIn(OWN_ARROWS)) play.step(-1);
    if (key === "ArrowRight" && !isIn(OWN_ARROWS)) play.step(1);
  });
}

/** Plays typed moves. Returns a function that removes the error and the text once they are outdated. @param {Play} play */
export function listenToTyping(play) {
  const form = byId("typed-form");
  const field = byId("typed", HTMLInputElement);
  const fault = byId("typed-error");
  /** The position in which a move was refused. @type {TreeNode | null} */
  let refused = null;
  /** @type {Result | null} */
  let result = null;
  let { game } = play;
  const clear = () => {
    refused = null;
    fault.textContent = "";
  };
  field.addEventListener("input", clear);
  // Also a dialog takes the focus.
  form.addEventListener("focusout", ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && form.contains(relatedTarget))) clear();
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    clear();
    const text = field.value;
    if (!text.trim()) {
      fault.textContent = "Type a move first.";
      announce("Type a move first.");
      return;
    }
    const played = play.game;
    try {
      const read = await play.advice.read(copiedText(text));
      const move = findMove(play.offered, read?.coordinate);
      if (move) play.play(move);
      // The next move may be typed already.
      if (played === play.game && field.value === text) field.value = "";
    } catch (error) {
      if (played !== play.game || field.value !== text) return;
      fault.textContent = messageOf(error);
      refused = play.game.shown;
      ({ result } = play);
    }
  });
  return () => {
    if (game !== play.game) {
      game = play.game;
      field.value = "";
    }
    if (refused && (refused !== play.game.shown || result !== play.result)) clear();
  };
}
