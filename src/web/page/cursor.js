/** The keyboard on a board: arrow keys move the focus from cell to cell. */

/** @type {Record<string, [number, number]>} */
const ARROWS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export class Cursor {
  #at = 0;

  /**
   * @param {Board} board
   * @param {(key: string, square: string) => boolean} onKey another key was pressed; returns whether
   *   it was handled
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
      if (index >= 0) this.#set(index);
    });
    this.#set(0);
  }

  /** Keeps the cursor on its square when the board is turned. */
  turn() {
    const hasFocus = this.board.grid.contains(document.activeElement);
    this.#set(63 - this.#at);
    if (hasFocus) this.#focus(this.#at);
  }

  /** @param {string} key @returns {boolean} whether it is one of the cursor */
  #move(key) {
    const arrow = ARROWS[key];
    const [column, row] = [this.#at % 8, Math.floor(this.#at / 8)];
    if (arrow) {
      const [x, y] = [column + arrow[0], row + arrow[1]];
      if (Math.min(x, y) >= 0 && Math.max(x, y) < 8) this.#focus(y * 8 + x);
    } else if (key === "Home" || key === "End") {
      this.#focus(row * 8 + (key === "Home" ? 0 : 7));
    }
    return arrow !== undefined || key === "Home" || key === "End";
  }

  /** @param {number} index */
  #focus(index) {
    this.board.cells[index]?.focus();
  }

  /** @param {number} index */
  #set(index) {
    for (const [at, tabIndex] of [
      [this.#at, -1],
      [index, 0],
    ]) {
      const cell = this.board.cells[at ?? 0];
      if (cell) cell.tabIndex = tabIndex ?? 0;
    }
    this.#at = index;
  }
}
