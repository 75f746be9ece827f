/** Learning from a game: its worst moves are positions in which to find a better one. */
import { findMove, keptChildren, line, moveNumber } from "./game.js";
import { chances, Lesson, SHOWN, worth } from "./lesson.js";
import { button, byId, element, onClick } from "./page.js";
import { expectedPoints } from "./protocol.js";
import { chancesText, kindOf, percent, placeText, sideName } from "./text.js";

/** A move that costs fewer expected points is as good as the best one. A mistake costs at least 0.12. */
const PASS = 0.05;
const MOST = 10;
const WHY = "You look for better moves than those marked with ? or ??, the ten worst at most.";

/** A bad move of the game, the position before it, and how that was solved. */
class Moment {
  tries = 0;
  isSolved = false;
  /** Whether the best move was shown before it was found. */
  isShown = false;
  /** @type {Value | null} */
  best = null;

  /** @param {TreeNode} played @param {MoveReview} review @param {boolean} isYours */
  constructor(played, review, isYours) {
    this.played = played;
    this.review = review;
    this.node = /** @type {TreeNode} */ (played.parent);
    const move = { ply: played.ply, mover: review.side };
    this.name = isYours ? `Your move ${moveNumber(move)}` : placeText(move);
    this.whose = isYours ? "your" : `${sideName(review.side)}'s`;
    // As in the report: see `for_black` in `analysis/html/words.rs`.
    const last = this.node.review;
    const next = played.children[0]?.review;
    this.before = Math.max(before(review), last && kindOf(last) ? 1 - expectedPoints(last) : 0);
    this.after = Math.min(expectedPoints(review), next ? 1 - before(next) : 1);
  }
}

export class Learn extends Lesson {
  /** @type {Moment[]} */
  #moments = [];
  /** The current position of the game when the lesson began. @type {TreeNode | null} */
  #live = null;
  #side = byId("learn-side", HTMLSelectElement);

  /** @param {Play} play */
  constructor(play) {
    super(play);
    onClick("learn-start", () => this.start());
  }

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

  start() {
    const { play } = this;
    const { game } = play;
    if (!game.report || play.isBusy) return;
    const side = game.humanSide ?? this.#side.value;
    const moments = line(game.report.end).flatMap((node) =>
      node.review?.mark && [node.review.side, ""].includes(side)
        ? new Moment(node, node.review, game.humanSide !== null)
        : [],
    );
    this.#moments = moments
      .sort((a, b) => b.review.loss - a.review.loss)
      .slice(0, MOST)
      .sort((a, b) => a.played.ply - b.played.ply);
    this.begin(game);
    this.#live = game.live;
    this.index = 0;
    this.open();
    byId("lesson-title").focus();
  }

  render() {
    super.render();
    const { game } = this.play;
    if (game.live !== this.#live && !game.setting.isStudy) this.close();
    byId("lesson-solve").hidden = this.#moments.length === 0;
  }

  get #moment() {
    return this.#moments[this.index];
  }

  get best() {
    return this.#moment?.review.best[0];
  }

  get task() {
    return "Find a better move";
  }

  /** Shows a position to solve, or after the last one the summary. */
  open() {
    const { play } = this;
    const { game } = play;
    const moments = this.#moments;
    this.obsolete();
    this.#forget();
    const moment = this.#moment;
    game.isTrying = Boolean(moment);
    this.note.textContent =
      game.isTrying || moments.length === 0
        ? ""
        : `${WHY} Chances are those ${chancesText(game.setting)}${game.humanSide ? "; you are taken for one" : ""}.`;
    if (!moment) {
      play.exercise = null;
      this.#summarise();
      play.show(/** @type {Report} */ (game.report).end);
      return;
    }
    const { played, node, name, whose, before, after } = moment;
    this.show(
      `Position ${this.index + 1} of ${moments.length}`,
      `${name}: after ${played.move ? this.moveText(played.move) : ""} ${whose} chances fell from ` +
        `${percent(before)} to ${percent(after)}. Find a better move.`,
    );
    play.exercise = { node, take: (move) => this.#try(moment, move) };
    play.show(node);
  }

  #summarise() {
    const moments = this.#moments;
    const side = /** @type {Side | ""} */ (this.#side.value);
    const { humanSide } = this.play.game;
    const whose = humanSide ? " of yours" : side && ` of ${sideName(side)}`;
    const solved = moments.filter(({ isSolved }) => isSolved).length;
    const score =
      moments.length === 0
        ? `No single move${whose} cost much.`
        : `Solved: ${solved} of ${moments.length}.`;
    const verdict = document.querySelector("#review-report .verdict")?.textContent ?? "";
    this.show("Summary", `${score} ${verdict}`.trim());
    const entries = moments.map(({ name, tries, isSolved, isShown }, index) => {
      const how = isSolved ? `solved at try ${tries}` : isShown ? "best move shown" : "open";
      const open = () => {
        this.index = index;
        this.open();
      };
      return element("li", "", button("", open, `${name}: ${how}`));
    });
    this.line.replaceChildren(element("ol", "", ...entries));
  }

  /** @param {Moment} moment @param {Move} move */
  async #try(moment, move) {
    const { play } = this;
    const { node, review } = moment;
    const turn = this.obsolete();
    const text = this.moveText(move);
    if (!moment.isSolved && !moment.isShown) moment.tries += 1;
    this.showText(`${text}: the engine compares …`);
    this.line.replaceChildren();
    const tried = play.game.play(node, move, review.side);
    this.showUnannounced(tried);
    const bestMove = review.best[0] ?? "";
    try {
      moment.best ??= await this.valueAfter(node, review.side, bestMove);
      const { best } = moment;
      const isBest = move.coordinate === bestMove;
      if (best.isLoss) {
        const all = await this.valueAfter(node, review.side);
        if (turn !== this.turn) return;
        if (all.isLoss) return this.#acquit(moment, tried, all);
      }
      const own = isBest ? best : await this.valueAfter(node, review.side, move.coordinate);
      if (turn !== this.turn) return;
      // What the analysis has said of a move stays: of the best one, and of that of the game.
      const value = tried === moment.played ? moment.after : own.expected;
      const isPassed = isBest || Math.min(best.expected, moment.before) - value < PASS;
      if (isPassed && !moment.isShown) moment.isSolved = true;
      const reply = await this.answer(tried, own, !isPassed);
      if (turn !== this.turn) return;
      const grade = isBest ? "the best move" : isPassed ? "as good as the best" : "not good enough";
      const bestWorth = best.proof || chances(moment.before);
      const ownWorth = isBest ? bestWorth : worth({ ...own, expected: value });
      // A proved win is more than chances that are as good.
      const isShort = ownWorth === bestWorth || (isPassed && !best.isWin);
      const better = isShort ? "" : ` The best move ${bestWorth}.`;
      this.showText(`${text} is ${grade}: it ${ownWorth}.${better}${reply}`);
      this.judge(play.game.shown, isPassed ? "Solved" : "Not yet: try again", isPassed);
    } catch (error) {
      this.fail(turn, text, error);
    }
    play.onChange();
  }

  /** Takes back the mark of a move, as every move loses. @param {Moment} moment @param {TreeNode} tried @param {Value} value */
  #acquit(moment, tried, { proof }) {
    const { play } = this;
    const { review } = moment;
    Object.assign(review, { mark: undefined, missed_win: undefined, loss: 0 });
    moment.isSolved = true;
    play.game.revision += 1;
    this.showText(
      `Every move ${proof}. The move of the game was no mistake, and is not marked any more.`,
    );
    this.judge(tried, "Solved", true);
    play.changed();
  }

  async solution() {
    const moment = this.#moment;
    if (!moment) return;
    const { node, review } = moment;
    if (!moment.isSolved) moment.isShown = true;
    const turn = this.obsolete();
    this.#forget();
    this.text.textContent = "";
    this.play.show(node);
    await this.showLine(node, review.best.slice(0, SHOWN));
    if (turn !== this.turn) return;
    const best = this.line.firstElementChild?.textContent ?? "";
    // Players of a level miss won games, so that a win has less than 100 %.
    const won = review.missed_win && moment.before < 1 ? "wins with best play, and " : "";
    this.showText(`The best move is ${best}: it ${won}${chances(moment.before)}.`);
  }

  #forget() {
    const { game } = this.play;
    for (const { node } of this.#moments) {
      const kept = keptChildren(node);
      if (node.children.length > kept.length) game.revision += 1;
      node.children = kept;
    }
  }

  leave() {
    const { play } = this;
    this.#forget();
    this.close();
    play.show(play.game.end);
    byId("learn-start").focus();
  }
}

/** The same before the move: after the best one. @param {MoveReview} review */
function before(review) {
  return expectedPoints(review) + review.loss;
}
