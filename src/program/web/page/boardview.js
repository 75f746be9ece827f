/** The board on the page. It composes moves square by square, from the legal ones. */
import { BoardPicture, isDrag } from "./boardpicture.js";
import { Cursor } from "./keyboard.js";
import { byId } from "./page.js";
import { threatOf } from "./text.js";

export class BoardView {
  #board = new BoardPicture(byId("board"));
  #input = new BoardInput(this.#board);
  /** @type {() => Arrow[]} */
  arrows = () => [];
  /** @type {TreeNode | null} */
  #drawn = null;
  /** @type {Game | null} */
  #game = null;

  /** @param {Play} play */
  constructor(play) {
    this.play = play;
    this.#input.onMove = (move) => play.play(move);
    this.#input.onRefused = (squares) => play.advice.explain(squares);
    this.#input.onChosen = (...choice) => play.advice.chosen(...choice);
    this.#input.onCancelled = (square) => play.advice.cancelled(square);
  }

  render() {
    const { game, variant, offered, result, storage, lesson } = this.play;
    const { shown, isFlipped } = game;
    // A position without a state is drawn when the state arrives from the engine.
    if (!shown.state) return;
    if (this.#board.isFlipped !== isFlipped) this.#input.turn();
    const { hasLetters, notation } = storage.settings;
    const isLettered = !variant.numbered || hasLetters || notation === "coordinate";
    this.#board.setVariant(variant, isLettered);
    this.#board.flip(isFlipped);
    this.#board.showGroups(storage.settings.hasGroups);
    if (this.#drawn !== shown) this.#board.draw(shown.state, motion(this.#drawn, shown));
    this.#drawn = shown;
    this.#input.isStepwise = lesson?.isStepwise ?? false;
    this.#input.offer(offered, result !== null);
    if (this.#game !== game) this.#input.begin(game.humanSide ?? shown.state.side);
    this.#game = game;
    if (!this.play.advice.choice) this.#input.drop();
    this.drawArrows();
  }

  drawArrows() {
    const { game, advice } = this.play;
    const { hint } = advice;
    const path = hint?.node === game.shown ? hint.path : null;
    const threats = threatOf(this.play)?.moves ?? [];
    this.#board.arrows([
      ...threats.map(({ path }) => ({ path, kind: "played" })),
      ...(path ? [{ path, kind: "better" }] : this.arrows()),
    ]);
  }
}

/** @param {TreeNode | null} from @param {TreeNode} to @returns {Motion | null} */
function motion(from, to) {
  if (from && to.parent === from && to.move) return { move: to.move, isBackward: false };
  if (from?.parent === to && from.move) return { move: from.move, isBackward: true };
  return null;
}

class BoardInput {
  /** @type {(move: Move) => void} */
  onMove = () => {};
  /** Squares that are no move, or one that begins none. @type {(squares: string[]) => void} */
  onRefused = () => {};
  /** @type {(square: string, targets: Iterable<string>, isOnTheWay: boolean) => void} */
  onChosen = () => {};
  /** @type {(square: string) => void} */
  onCancelled = () => {};
  /** Whether a move goes on until its last square is chosen, also where only one way is left. */
  isStepwise = false;
  /** @type {readonly Move[]} */
  #legal = [];
  #isOver = false;
  /** @type {string[]} */
  #chosen = [];
  #cursor;
  /** @type {Pointer | null} */
  #pointer = null;

  /** @param {BoardPicture} board */
  constructor(board) {
    this.board = board;
    const { grid } = board;
    grid.addEventListener("pointerdown", (event) => this.#down(event));
    grid.addEventListener("pointermove", (event) => this.#moved(event));
    grid.addEventListener("pointerup", (event) => this.#up(event));
    grid.addEventListener("pointercancel", () => this.#cancelPointer());
    // A click takes no focus: the arrow keys then step through the game instead of moving a cursor.
    grid.addEventListener("mousedown", (event) => {
      event.preventDefault();
      const { activeElement } = document;
      if (activeElement instanceof HTMLElement && !grid.contains(activeElement))
        activeElement.blur();
    });
    this.#cursor = new Cursor(board, (key, square) => this.#key(key, square));
    addEventListener("keydown", ({ key }) => {
      if (key === "Escape" && this.#chosen.length > 0) this.#cancel();
    });
  }

  /** @param {readonly Move[]} legal @param {boolean} isOver */
  offer(legal, isOver) {
    if (legal === this.#legal && isOver === this.#isOver) return;
    this.#legal = legal;
    this.#isOver = isOver;
    const movable = nextSquares(legal, []);
    this.#cursor.start((square) => movable.has(square));
    this.clear();
  }

  /** A game begins. Before the first move of the engine, its opponent has no moves yet. @param {Side} side */
  begin(side) {
    const movable = nextSquares(this.#legal, []);
    this.#cursor.restart((square) =>
      movable.size > 0 ? movable.has(square) : this.board.sideAt(square) === side,
    );
  }

  clear() {
    this.#cancelPointer();
    this.board.unplace();
    this.#chosen = [];
    this.#mark();
  }

  /** Drops the choice, if there is one. */
  drop() {
    if (this.#chosen.length > 0) this.clear();
  }

  #cancel() {
    const [square = ""] = this.#chosen;
    this.clear();
    this.onCancelled(square);
  }

  turn() {
    this.clear();
    this.#cursor.turn();
  }

  #mark() {
    this.board.mark({
      chosen: this.#chosen,
      targets: this.#chosen.length > 0 ? nextSquares(this.#legal, this.#chosen) : new Set(),
      movable: nextSquares(this.#legal, []),
      compelled: compelled(this.#isOver ? [] : this.#legal),
    });
  }

  /**
   * Adds a square to the move, as the next one or the first one.
   * @param {string} square
   * @param {boolean} isDragged
   * @returns {boolean} whether it fits
   */
  #take(square, isDragged) {
    const step = choose(this.#legal, this.#chosen, square, this.isStepwise);
    if (!step) return false;
    const { chosen, move } = step;
    if (chosen.length > 1 && (!move || isDragged)) {
      const [way] = continuations(this.#legal, chosen);
      this.board.place(chosen, way?.captures.slice(0, chosen.length - 1) ?? [], isDragged);
    }
    this.#chosen = chosen;
    if (move) {
      this.#finish(move);
      return true;
    }
    this.#mark();
    this.onChosen(square, nextSquares(this.#legal, chosen), chosen.length > 1);
    return true;
  }

  /** @param {Move} move */
  #finish(move) {
    this.#chosen = [];
    this.#legal = [];
    this.#mark();
    this.onMove(move);
  }

  /** @param {string} square */
  #takeOrBegin(square) {
    const chosen = this.#chosen;
    if (chosen.length > 0 && this.#take(square, false)) return;
    if (chosen[0] === square) return this.#cancel();
    // What is refused leaves the choice as it is.
    if (nextSquares(this.#legal, []).has(square)) {
      this.clear();
      this.#take(square, false);
      return;
    }
    const side = this.board.sideAt(chosen[0] ?? "");
    // A click on another piece of the same side is about this one.
    const isOther = side && side === this.board.sideAt(square);
    this.#refuse(isOther ? [square] : [...chosen, square]);
  }

  /** @param {string[]} squares */
  #refuse(squares) {
    this.board.pulse();
    this.onRefused(squares);
  }

  /** @param {PointerEvent} event */
  #down(event) {
    const square = this.board.squareAt(event);
    if (!square || event.button !== 0 || !event.isPrimary) return;
    const isTarget = this.#chosen.length > 0 && nextSquares(this.#legal, this.#chosen).has(square);
    const isMovable = nextSquares(this.#legal, []).has(square);
    const hasBegun = isMovable && !isTarget && this.#chosen.at(-1) !== square;
    if (hasBegun) {
      this.clear();
      this.#take(square, false);
    }
    const { pointerId: id, clientX: x, clientY: y } = event;
    this.#pointer = { id, x, y, square, hasBegun, isDragging: false };
  }

  /** @param {PointerEvent} event */
  #moved(event) {
    const pointer = this.#pointer;
    if (!pointer || pointer.id !== event.pointerId) return;
    if (this.#chosen.at(-1) !== pointer.square) return;
    if (!pointer.isDragging) {
      if (!isDrag(pointer, event)) return;
      pointer.isDragging = true;
      this.board.grid.setPointerCapture(event.pointerId);
      this.board.grid.classList.add("dragging");
    }
    this.board.drag(this.#chosen[0] ?? "", event);
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const pointer = this.#pointer;
    if (!pointer || pointer.id !== event.pointerId) return;
    const square = this.board.squareAt(event);
    const isAway = square !== null && square !== pointer.square;
    this.#cancelPointer(isAway);
    if (pointer.isDragging) {
      if (isAway && this.#take(square, true)) return;
      this.board.drag(this.#chosen[0] ?? "", null);
      if (isAway) this.#refuse([...this.#chosen, square]);
    } else if (isAway) {
      this.#refuse([pointer.square, square]);
    } else if (square && !pointer.hasBegun) {
      this.#takeOrBegin(square);
    }
  }

  /** @param {boolean} [isHeld] whether a dragged piece stays where it is */
  #cancelPointer(isHeld = false) {
    if (this.#pointer?.isDragging && !isHeld) this.board.drag(this.#chosen[0] ?? "", null);
    this.#pointer = null;
    this.board.grid.classList.remove("dragging");
  }

  /** @param {string} key @param {string} square @returns {boolean} whether it was handled */
  #key(key, square) {
    const isChoice = key === "Enter" || key === " ";
    if (isChoice) this.#takeOrBegin(square);
    return isChoice;
  }
}

/** The moves that begin with these squares. @param {readonly Move[]} legal @param {readonly string[]} chosen */
function continuations(legal, chosen) {
  return legal.filter(({ path }) => chosen.every((square, index) => path[index] === square));
}

/** @param {readonly Move[]} legal @param {readonly string[]} chosen */
function nextSquares(legal, chosen) {
  return new Set(continuations(legal, chosen).flatMap(({ path }) => path[chosen.length] ?? []));
}

/**
 * Adds a square: the next one, or the last one of a longer move if only one move ends there.
 * Returns the chosen squares, with the move if it is unambiguous.
 * @param {readonly Move[]} legal
 * @param {readonly string[]} chosen
 * @param {string} square
 * @param {boolean} isStepwise whether only the last square completes a move
 * @returns {{ chosen: string[], move: Move | null } | null}
 */
function choose(legal, chosen, square, isStepwise) {
  const next = [...chosen, square];
  const fitting = continuations(legal, next);
  const whole = fitting.find(({ path }) => path.length === next.length);
  if (whole) return { chosen: next, move: whole };
  if (fitting.length > 0) {
    // The first square alone plays no move, even if the piece has only one.
    const isOnly = chosen.length > 0 && fitting.length === 1 && !isStepwise;
    return { chosen: next, move: (isOnly && fitting[0]) || null };
  }
  const ending = continuations(legal, chosen).filter(({ path }) => path.at(-1) === square);
  const [move] = ending;
  return chosen.length > 0 && move && ending.length === 1 ? { chosen: move.path, move } : null;
}

/** The pieces that must move because every legal move captures. @param {readonly Move[]} legal */
export function compelled(legal) {
  const all = legal.length > 0 && legal.every(({ captures }) => captures.length > 0);
  return new Set(all ? legal.flatMap(({ path }) => path[0] ?? []) : []);
}
