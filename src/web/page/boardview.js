/** The board on the page: it shows the position of the game, and offers its moves. */
import { Board } from "./board.js";
import { BoardInput } from "./input.js";
import { byId } from "./page.js";

export class BoardView {
  #board = new Board(byId("board"));
  #input = new BoardInput(this.#board);
  /** The arrows of the analysis. @type {() => Arrow[]} */
  arrows = () => [];
  /** The position on the board. @type {TreeNode | null} */
  #drawn = null;

  /** @param {Play} play */
  constructor(play) {
    this.play = play;
    this.#input.onMove = (move) => play.play(move);
    this.#input.onRefused = (squares) => play.advice.explain(squares);
  }

  render() {
    const { game, variant, offered, storage } = this.play;
    const { shown, isFlipped } = game;
    // A position without a state is drawn when the state arrives from the engine.
    if (!shown.state) return;
    if (this.#board.isFlipped !== isFlipped) this.#input.turn();
    const { hasLetters, notation } = storage.settings;
    const isLettered = !variant.numbered || hasLetters || notation === "coordinate";
    this.#board.setVariant(variant, isLettered);
    this.#board.flip(isFlipped);
    if (this.#drawn !== shown) this.#board.draw(shown.state, motion(this.#drawn, shown));
    this.#drawn = shown;
    this.#input.offer(offered);
    this.drawArrows();
  }

  drawArrows() {
    const { game, advice } = this.play;
    const { hint } = advice;
    const path = hint?.node === game.shown ? hint.move.path : null;
    this.#board.arrows(path ? [{ path, kind: "better" }] : this.arrows());
  }
}

/**
 * The move between two positions, if it is one.
 * @param {TreeNode | null} from
 * @param {TreeNode} to
 * @returns {Motion | null}
 */
function motion(from, to) {
  if (from && to.parent === from && to.move) return { move: to.move, isBackward: false };
  if (from?.parent === to && from.move) return { move: from.move, isBackward: true };
  return null;
}
