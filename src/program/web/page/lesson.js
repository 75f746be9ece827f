/** Positions to solve: what a lesson of a game and a collection have in common. */
import { findMove, levelOfPlayers } from "./game.js";
import { announce } from "./messages.js";
import { button, byId, onClick, setDisabled, showText } from "./page.js";
import { chancesOptions, opponent } from "./protocol.js";
import { readMoves } from "./records.js";
import {
  countText,
  isWon,
  messageOf,
  moveText,
  percent,
  resultText,
  sideName,
  wordOf,
} from "./text.js";

/** The limits of the search after a move. The analysis of a game searches as many positions. */
const LIMITS = { nodes: 200_000, movetime: 3000 };
export const SHOWN = 8;
/** A position that is drawn so often, per thousand, is probably a draw; the endgame tables prove 1000. */
const DRAWN = 950;

export class Lesson {
  index = 0;
  /** @type {Game | null} */
  game = null;
  text = byId("lesson-text");
  line = byId("lesson-line");
  note = byId("lesson-note");
  /** A counter of the positions and tries, which make a search obsolete. */
  turn = 0;
  /** @type {Search | null} */
  #search = null;
  /** What is said of a move in the position after it. @type {{ node: TreeNode, text: string, isSolved: boolean } | null} */
  #verdict = null;
  /** The position in which the piece to move was shown. @type {TreeNode | null} */
  #hinted = null;

  /** @param {Play} play */
  constructor(play) {
    this.play = play;
    const names = /** @type {const} */ (["hint", "again", "solution", "previous", "next", "leave"]);
    for (const name of names) onClick(`lesson-${name}`, () => this.isOn && this[name]());
  }

  open() {}

  again() {
    this.open();
  }

  solution() {}

  previous() {
    this.next(-1);
  }

  next(by = 1) {
    this.index += by;
    this.open();
  }

  leave() {}

  /** Whether the solver makes every jump of a move, also where only one way is left. */
  get isStepwise() {
    return false;
  }

  /** The name of its tab. */
  get tab() {
    return "Game analysis";
  }

  /** What is to be found, of a printed diagram; empty for that of the game. */
  get caption() {
    return "";
  }

  /** What is to be done in the position to solve, for the status line. */
  get task() {
    return "";
  }

  /** The right move in the position to solve, in either notation. @type {string | undefined} */
  get best() {
    return undefined;
  }

  /** What to think of in the position to solve, said with the first hint; empty for the piece alone. */
  get clue() {
    return "";
  }

  /** The status line, if it is about the lesson. */
  get status() {
    const { exercise, game } = this.play;
    if (this.#verdict?.node === game.shown) return this.#verdict.text;
    return exercise?.node === game.shown ? this.task : "";
  }

  /** @param {TreeNode} node @param {string} text @param {boolean} isSolved */
  judge(node, text, isSolved) {
    this.#verdict = { node, text, isSolved };
  }

  /** Whether the board shows moves that solve the task. Where it shows the task, that can be solved again. */
  get #isSolved() {
    const { exercise, game } = this.play;
    return Boolean(this.#verdict?.isSolved) && exercise?.node !== game.shown;
  }

  /** Shows the piece to move, and at the second time its target too. */
  hint() {
    const { game, exercise, advice, variant } = this.play;
    if (!exercise || this.#isSolved) return;
    const { node } = exercise;
    const move = findMove(node.state?.legal ?? [], this.best);
    if (!move) return;
    if (game.shown !== node) this.again();
    const clue = this.#hinted === node ? "" : this.clue;
    const path = this.#hinted === node ? move.path : move.path.slice(0, 1);
    this.#hinted = node;
    advice.hint = { node, path };
    const { kind = "" } = node.state?.pieces.find(({ square }) => square === path[0]) ?? {};
    const squares = advice.named(path);
    const to = squares.length > 1 ? ` to ${squares.at(-1)}` : "";
    this.tell(`Hint: ${clue || `move the ${wordOf(kind, variant)} on ${squares[0]}${to}.`}`);
    this.play.onChange();
  }

  get isOn() {
    return this.play.lesson === this;
  }

  /** @param {Game} game */
  begin(game) {
    this.play.lesson = this;
    this.game = game;
    byId("lesson-solve").hidden = false;
    this.note.textContent = "";
    this.note.title = "";
  }

  close() {
    this.obsolete();
    if (this.game) this.game.isTrying = false;
    this.play.lesson = null;
    this.play.exercise = null;
  }

  /** A lesson ends once another game is on the board. */
  render() {
    const { game, exercise } = this.play;
    if (game !== this.game) this.close();
    setDisabled("lesson-again", !exercise || exercise.node === game.shown);
    for (const name of ["solution", "next"]) setDisabled(`lesson-${name}`, !exercise);
    setDisabled("lesson-hint", !exercise || this.#isSolved);
  }

  /** @param {string} title @param {string} text */
  show(title, text) {
    byId("lesson-title").textContent = title;
    this.showText(text, `${title}. ${text}`);
    this.line.replaceChildren();
  }

  /** Shows and announces a text. @param {string} text @param {string} [spoken] */
  showText(text, spoken = text) {
    showText(this.text, text);
    byId("lesson").scrollIntoView();
    if (spoken) announce(spoken);
  }

  /** Shows and announces a text below the task. @param {string} text */
  tell(text) {
    showText(this.line, text);
    announce(text);
  }

  /** Shows the position after a move that is announced otherwise. @param {TreeNode} node */
  showUnannounced(node) {
    this.play.announcedByLesson = node;
    return this.play.show(node);
  }

  /** @param {Move} move */
  moveText(move) {
    return moveText(move, this.play.notation);
  }

  /** @param {number} turn @param {string} text @param {unknown} error */
  fail(turn, text, error) {
    if (turn === this.turn) this.showText(`${text} cannot be checked: ${messageOf(error)}`);
  }

  /** Makes searches and the verdict obsolete. Returns the new turn. */
  obsolete() {
    this.#search?.stop();
    this.#search = null;
    this.#verdict = null;
    this.turn += 1;
    return this.turn;
  }

  /**
   * Shows moves after a position as buttons. Returns them; none if that is obsolete.
   * @param {TreeNode} node @param {string[]} pv @param {string} [intro]
   */
  async showLine(node, pv, intro = "It may go on: ") {
    const { play, turn } = this;
    const moves = await readMoves(play.engine, play.game.position(node), pv);
    if (turn !== this.turn) return [];
    this.line.replaceChildren(
      moves.length > 0 ? intro : "",
      ...moves.map((move, index) =>
        button("move", () => play.explore(node, moves.slice(0, index + 1)), this.moveText(move)),
      ),
    );
    return moves;
  }

  /**
   * Shows the moves after a try, and plays the first one if wanted. Returns what is said about it.
   * @param {TreeNode} tried @param {Value} value @param {boolean} isPlayed
   */
  async answer(tried, { pv }, isPlayed) {
    const [first] = await this.showLine(tried, pv);
    if (!first || !isPlayed) return "";
    this.showUnannounced(this.play.game.add(tried, [first]));
    return ` ${sideName(first.side)} answers ${this.moveText(first)}.`;
  }

  /**
   * Why a side has won after moves from a position.
   * @param {TreeNode} node @param {Side} side @param {string[]} moves
   */
  async reason(node, side, moves) {
    const { state, proof, expected } = await this.valueAfter(node, side, ...moves);
    if (state.result) return `${resultText(state.result, this.play.game)}.`;
    const name = sideName(side);
    if (proof) return `${name} ${proof}.`;
    const [own, others] = [side, opponent(side)].map(
      (side) => state.pieces.filter((piece) => piece.side === side).length,
    );
    return `${name} has ${own} pieces against ${others}, and chances of ${percent(expected)}.`;
  }

  /** The value of a position, or of the last one of moves after it, for a side. @param {TreeNode} node @param {Side} side @param {string[]} moves @returns {Promise<Value>} */
  async valueAfter(node, side, ...moves) {
    const { engine, game } = this.play;
    const position = game.position(node);
    position.moves.push(...moves);
    const state = await engine.state(position);
    const { result, side: other } = state;
    if (result) {
      const expected = result.winner ? Number(result.winner === side) : 0.5;
      const proof = result.winner ? (expected ? "wins at once" : "loses at once") : "draws at once";
      const [isWin, isLoss] = [expected === 1, expected === 0];
      return { state, expected, proof, isWin, isLoss, drawn: "", pv: [] };
    }
    /** @type {Info[]} */
    const infos = [];
    const options = chancesOptions(levelOfPlayers(game.setting));
    const search = engine.search(position, LIMITS, options, (info) => {
      if (info.wdl && !info.isBound) infos.push(info);
    });
    this.#search = search;
    await search.best;
    const info = infos.at(-1);
    if (search !== this.#search || !info?.wdl || info.expected === null)
      throw new Error("the search was stopped");
    const isOwn = other === side;
    const expected = isOwn ? info.expected : 1 - info.expected;
    const sign = isOwn ? 1 : -1;
    const mate = sign * (info.score.mate ?? 0);
    const [isWin, isLoss] = [isWon(info.score, sign), isWon(info.score, isOwn ? -1 : 1)];
    // The move that is tried is one of those to the win.
    const count = mate > 0 && !isOwn ? mate + 1 : Math.abs(mate);
    const by = count ? `in ${countText(count)}, which is proved` : "by the endgame tables";
    const winner = isWin ? "" : `loses: ${sideName(opponent(side))} `;
    const proof = isWin || isLoss ? `${winner}wins ${by}` : "";
    const [, draws] = info.wdl;
    const likely = draws >= DRAWN ? "probably only draws" : "";
    const drawn = draws === 1000 ? "only draws" : likely;
    return { state, expected, proof, isWin, isLoss, drawn, pv: info.pv.slice(0, SHOWN) };
  }
}

/** What a move is worth, in words. @param {Value} value */
export function worth({ proof, drawn, expected }) {
  return proof || drawn || chances(expected);
}

/** @param {number} expected points */
export function chances(expected) {
  return `leaves chances of ${percent(expected)}`;
}
