/** Learning from a game: its worst moves are positions in which to find a better one. */
import { findMove, keptChildren, line } from "./game.js";
import { button, byId, element, onClick, setDisabled } from "./page.js";
import { levelOptions } from "./protocol.js";
import { readMoves } from "./records.js";
import {
  countText,
  forBlack,
  isWon,
  kindOf,
  messageOf,
  moveText,
  percent,
  placeText,
  sideName,
} from "./text.js";

/**
 * A move that costs less than these expected points is as good as the best one. A mistake costs at
 * least 0.12.
 */
const PASS = 0.05;
/** The limits of the search after a move. The analysis of the game searches as many positions. */
const LIMITS = { nodes: 200_000, movetime: 3000 };
const MOST = 10;
const SHOWN = 8;

/** A bad move of the game, the position before it, and how that was solved. */
class Moment {
  tries = 0;
  isSolved = false;
  /** Whether the best move was shown before it was found. */
  isShown = false;
  /** @type {Value | null} */
  best = null;

  /** @param {TreeNode} played @param {MoveReview} review */
  constructor(played, review) {
    this.played = played;
    this.review = review;
    this.node = /** @type {TreeNode} */ (played.parent);
    this.name = placeText({ ply: played.ply, mover: review.side });
    // As in the report: see `for_black` in `analysis/html/words.rs`.
    const last = this.node.review;
    const next = played.children[0]?.review;
    this.before = Math.max(before(review), last && kindOf(last) ? 1 - after(last) : 0);
    this.after = Math.min(after(review), next ? 1 - before(next) : 1);
  }
}

export class Learn {
  /** @type {Moment[] | null} */
  #moments = null;
  #index = 0;
  /** @type {Game | null} */
  #game = null;
  /** The current position of the game when the lesson began. @type {TreeNode | null} */
  #live = null;
  /** A counter of the positions and tries, which make a search obsolete. */
  #turn = 0;
  /** @type {Search | null} */
  #search = null;
  #side = byId("learn-side", HTMLSelectElement);
  #text = byId("learn-text");
  #line = byId("learn-line");

  /** @param {Play} play */
  constructor(play) {
    this.play = play;
    onClick("learn-start", () => this.start());
    onClick("learn-again", () => this.#pose());
    onClick("learn-best", () => this.#showBest());
    onClick("learn-next", () => {
      this.#index += 1;
      this.#pose();
    });
    onClick("learn-leave", () => this.#leave());
  }

  get isOn() {
    return this.#moments !== null;
  }

  /** The move of the game at the position to solve, and the best one once it is known. @returns {Arrow[]} */
  get arrows() {
    const moment = this.#moment;
    if (!moment || this.play.game.shown !== moment.node) return [];
    const { played, node, review, isShown, isSolved } = moment;
    const best = findMove(node.state?.legal ?? [], review.best[0]);
    const arrows = [{ path: played.move?.path ?? [], kind: "played" }];
    return best && (isShown || isSolved)
      ? [...arrows, { path: best.path, kind: "better" }]
      : arrows;
  }

  /** Begins a lesson of the worst moves of the analysed game, of one side or both. */
  start() {
    const { play } = this;
    const { game } = play;
    if (!game.report || play.isBusy) return;
    const side = game.humanSide ?? this.#side.value;
    const moments = line(game.report.end).flatMap((node) =>
      node.review?.mark && [node.review.side, ""].includes(side)
        ? new Moment(node, node.review)
        : [],
    );
    this.#moments = moments
      .sort((a, b) => b.review.loss - a.review.loss)
      .slice(0, MOST)
      .sort((a, b) => a.played.ply - b.played.ply);
    this.#game = game;
    this.#live = game.live;
    this.#index = 0;
    play.isReviewing = true;
    this.#pose();
    byId("learn-title").focus();
  }

  render() {
    const { play } = this;
    const { game } = play;
    const hasMoved = game.live !== this.#live && !game.setting.isStudy;
    if (this.isOn && (game !== this.#game || hasMoved)) this.#close();
    byId("learn").hidden = !this.isOn;
    byId("learn-choice").hidden = this.isOn || !game.report?.html;
    this.#side.hidden = game.humanSide !== null;
    const moment = this.#moment;
    const isAsked = moment?.node === game.shown;
    byId("learn-solve").hidden = this.#moments?.length === 0;
    setDisabled("learn-again", !moment || isAsked);
    setDisabled("learn-best", !moment);
    setDisabled("learn-next", !moment);
  }

  get #moment() {
    return this.#moments?.[this.#index];
  }

  /** @param {Move} move */
  #moveText(move) {
    return moveText(move, this.play.notation);
  }

  /** Shows a position to solve, or after the last one the summary. */
  #pose() {
    const { play } = this;
    const moments = this.#moments ?? [];
    this.#obsolete();
    this.#forget();
    this.#line.replaceChildren();
    const moment = this.#moment;
    play.game.isTrying = moment !== undefined;
    const title = moment ? `Position ${this.#index + 1} of ${moments.length}` : "Summary";
    byId("learn-title").textContent = title;
    byId("learn-why").hidden = moment !== undefined || moments.length === 0;
    if (moment) this.#ask(moment);
    else {
      play.problem = null;
      this.#summarise(moments);
      play.show(/** @type {Report} */ (play.game.report).end);
    }
    byId("learn").scrollIntoView({ block: "nearest" });
  }

  /** @param {Moment} moment */
  #ask(moment) {
    const { play } = this;
    const { played, node, review } = moment;
    const isOwn = play.game.humanSide !== null;
    const chances = isOwn ? "your chances" : `${sideName(review.side)}'s chances`;
    this.#text.textContent =
      `${moment.name}: after ${played.move ? this.#moveText(played.move) : ""} (dashed arrow) ${chances} fell from ` +
      `${percent(moment.before)} to ${percent(moment.after)}. Find a better move.`;
    play.problem = { node, take: (move) => this.#try(moment, move) };
    play.show(node);
  }

  /** @param {Moment[]} moments */
  #summarise(moments) {
    const side = /** @type {Side | ""} */ (this.#side.value);
    const { humanSide } = this.play.game;
    const whose = humanSide ? " of yours" : side && ` of ${sideName(side)}`;
    const solved = moments.filter(({ isSolved }) => isSolved).length;
    const score =
      moments.length === 0
        ? `No move${whose} lost anything worth learning.`
        : `Solved: ${solved} of ${moments.length}.`;
    const verdict = document.querySelector("#review-report .verdict")?.textContent ?? "";
    this.#text.textContent = `${score} ${verdict}`.trim();
    const entries = moments.map(({ name, tries, isSolved, isShown }, index) => {
      const how = isSolved ? `solved at try ${tries}` : isShown ? "best move shown" : "open";
      const open = () => {
        this.#index = index;
        this.#pose();
      };
      return element("li", "", button("", open, `${name}: ${how}`));
    });
    this.#line.replaceChildren(element("ol", "", ...entries));
  }

  /** @param {Moment} moment @param {Move} move */
  async #try(moment, move) {
    const { play } = this;
    const { node, review } = moment;
    const turn = this.#obsolete();
    const text = this.#moveText(move);
    if (!moment.isSolved && !moment.isShown) moment.tries += 1;
    this.#text.textContent = `${text}: the engine compares …`;
    this.#line.replaceChildren();
    const tried = play.game.play(node, move, review.side);
    play.show(tried);
    const bestMove = review.best[0] ?? "";
    try {
      moment.best ??= await this.#valueAfter(node, review.side, bestMove);
      const { best } = moment;
      const isBest = move.coordinate === bestMove;
      const own = isBest ? best : await this.#valueAfter(node, review.side, move.coordinate);
      if (turn !== this.#turn) return;
      // What the analysis has said of a move stays: of the best one, and of that of the game.
      const value = tried === moment.played ? moment.after : own.expected;
      const isPassed = isBest || Math.min(best.expected, moment.before) - value < PASS;
      if (isPassed && !moment.isShown) moment.isSolved = true;
      const reply = await this.#showLine(tried, own.pv, turn, !isPassed);
      if (turn !== this.#turn) return;
      const grade = isBest ? "the best move" : isPassed ? "as good as the best" : "not good enough";
      const bestWorth = best.proof || chances(moment.before);
      const ownWorth = isBest ? bestWorth : own.proof || chances(value);
      // A proved win is more than chances that are as good.
      const isShort = ownWorth === bestWorth || (isPassed && !best.isWin);
      const better = isShort ? "" : ` The best move ${bestWorth}.`;
      this.#text.textContent = `${text} is ${grade}: it ${ownWorth}.${better}${reply}`;
    } catch (error) {
      if (turn === this.#turn)
        this.#text.textContent = `${text} cannot be checked: ${messageOf(error)}`;
    }
    play.onChange();
  }

  async #showBest() {
    const moment = this.#moment;
    if (!moment) return;
    const { node, review } = moment;
    if (!moment.isSolved) moment.isShown = true;
    const turn = this.#obsolete();
    this.#forget();
    this.#text.textContent = "";
    this.play.show(node);
    await this.#showLine(node, review.best, turn, false);
    if (turn !== this.#turn) return;
    const best = this.#line.firstElementChild?.textContent ?? "";
    this.#text.textContent = `The best move is ${best}: it ${chances(moment.before)}.`;
  }

  /**
   * Shows moves after a position as buttons, and plays the first one if wanted. Returns what is said
   * about it.
   * @param {TreeNode} node @param {string[]} pv @param {number} turn @param {boolean} isPlayed
   */
  async #showLine(node, pv, turn, isPlayed) {
    const { play } = this;
    const moves = await readMoves(play.engine, play.game.position(node), pv.slice(0, SHOWN));
    if (turn !== this.#turn) return "";
    this.#line.replaceChildren(
      moves.length > 0 ? "It may go on: " : "",
      ...moves.map((move, index) =>
        button("move", () => play.explore(node, moves.slice(0, index + 1)), this.#moveText(move)),
      ),
    );
    const [first] = moves;
    if (!first || !isPlayed) return "";
    play.explore(node, [first]);
    return ` ${sideName(first.side)} answers ${this.#moveText(first)}.`;
  }

  /**
   * The value of a move for a side.
   * @param {TreeNode} node @param {Side} side @param {string} move @returns {Promise<Value>}
   */
  async #valueAfter(node, side, move) {
    const { engine, game, variant } = this.play;
    const position = game.position(node);
    position.moves.push(move);
    const { result, side: other } = await engine.state(position);
    if (result) {
      const expected = result.winner ? Number(result.winner === side) : 0.5;
      const proof = result.winner ? (expected ? "wins at once" : "loses at once") : "is a draw";
      return { expected, proof, isWin: expected === 1, pv: [] };
    }
    /** @type {Info[]} */
    const infos = [];
    const options = { ...levelOptions("full", variant), UCI_ShowWDL: "true" };
    const search = engine.search(position, LIMITS, options, (info) => {
      if (info.wdl && !info.isBound) infos.push(info);
    });
    this.#search = search;
    await search.best;
    const info = infos.at(-1);
    if (search !== this.#search || !info?.wdl) throw new Error("the search was stopped");
    const expected = 1 - forBlack(info.wdl, "black");
    const { mate = 0 } = info.score;
    const [isWin, isLoss] = [isWon(info.score, -1), isWon(info.score, 1)];
    // The winner's moves, with the one that was tried.
    const moves = mate < 0 ? 1 - mate : mate;
    const length = moves ? ` in ${countText(moves)}` : "";
    const winner = isWin ? "" : `loses: ${sideName(other)} `;
    const proof = isWin || isLoss ? `${winner}wins${length}, which is proved` : "";
    return { expected, proof, isWin, pv: info.pv };
  }

  /** Makes searches in progress obsolete. Returns the new turn. */
  #obsolete() {
    this.#search?.stop();
    this.#search = null;
    this.#turn += 1;
    return this.#turn;
  }

  #forget() {
    const { game } = this.play;
    for (const { node } of this.#moments ?? []) {
      const kept = keptChildren(node);
      if (node.children.length > kept.length) game.revision += 1;
      node.children = kept;
    }
  }

  #leave() {
    const { play } = this;
    this.#forget();
    this.#close();
    play.show(play.game.end);
    byId("learn-start").focus();
  }

  #close() {
    this.#obsolete();
    this.#moments = null;
    if (this.#game) this.#game.isTrying = false;
    this.play.problem = null;
    this.play.isReviewing = false;
  }
}

/** The expected points of the side that moved, after its move. @param {MoveReview} review */
function after({ wdl }) {
  return forBlack(wdl, "black");
}

/** The same before the move: after the best one. @param {MoveReview} review */
function before(review) {
  return after(review) + review.loss;
}

/** What a move leaves. @param {number} expected points */
function chances(expected) {
  return `leaves chances of ${percent(expected)}`;
}
