/** Puzzles: the problems of the engine's collection, and the wins that were missed in the kept games. */
import { findMove, line } from "./game.js";
import { Lesson, worth } from "./lesson.js";
import { announce, silence } from "./messages.js";
import { byId, element, onClick, pause, setDisabled } from "./page.js";
import { FULL_STRENGTH, opponent } from "./protocol.js";
import { createGame, STUDY } from "./records.js";
import { capitalised, messageOf, sideName } from "./text.js";

/** Milliseconds before the defence is played. */
const PAUSE = 600;
/** Milliseconds before each move of a solution that is shown. */
const SHOW_PAUSE = 2000;
/** What the themes of the engine mean. @type {Record<string, string>} */
const THEMES = {
  block: "pieces of the opponent are left without a move",
  capture: "the first move captures",
  crowning: "a man becomes a king",
  defence: "the first move stops a win of the opponent",
  exchange: "the first move offers an exchange of pieces",
  "quiet move": "the first move captures nothing",
  sacrifice: "the first move makes the opponent capture",
};
/** In place of a grade: the puzzle is from a game of the player. */
const OWN = 0;

export class Puzzles extends Lesson {
  /** Sorted by grade, then those of the player's games. @type {Puzzle[]} */
  #puzzles = [];
  #isSolutionShown = false;
  /** The game that was on the board before. @type {Game | null} */
  #before = null;
  #grade = byId("grade", HTMLSelectElement);
  #number = byId("puzzle-number", HTMLSelectElement);

  /** @param {Play} play @param {Notice} notice */
  constructor(play, notice) {
    super(play);
    this.notice = notice;
    for (const id of ["puzzles-item", "puzzles-now"]) onClick(id, () => this.start());
    this.#grade.addEventListener("change", () => this.#choose(Number(this.#grade.value)));
    this.#number.addEventListener("change", () => {
      this.index = this.#puzzles.findIndex(({ id }) => id === this.#number.value);
      this.open();
    });
  }

  /** @param {string | null} [id] of the first puzzle; by default the next one that is not solved */
  async start(id) {
    try {
      await this.#start(id);
    } catch (error) {
      this.notice.show(`No puzzles: ${messageOf(error)}.`);
    }
  }

  /** @param {string | null} [id] */
  async #start(id) {
    const { play } = this;
    const { game, variant } = play;
    const graded = play.engine.query(game.position(game.root), "problems");
    /** @type {Puzzle[]} */
    const puzzles = [...(await graded), ...(await missedWins(play))];
    if (game !== play.game || play.lesson) return;
    if (puzzles.length === 0) throw new Error(`there are none of ${variant.title}`);
    this.#puzzles = puzzles;
    this.#before = game;
    play.storeClocks();
    this.begin(game);
    this.index = puzzles.findIndex((puzzle) => puzzle.id === id);
    await (this.index < 0 ? this.#choose(this.#progress.grade) : this.open());
    byId("lesson-title").focus();
  }

  get #progress() {
    return this.play.storage.progress(this.play.variant.name);
  }

  get #puzzle() {
    return /** @type {Puzzle} */ (this.#puzzles[this.index]);
  }

  /** @param {TreeNode} node */
  #side({ state }) {
    return /** @type {State} */ (state).side;
  }

  /** @param {number} grade */
  #ofGrade(grade) {
    return this.#puzzles.filter((puzzle) => puzzle.grade === grade);
  }

  /** Opens the first puzzle of a grade that is not solved. @param {number} grade */
  #choose(grade) {
    const { solved } = this.#progress;
    const all = this.#ofGrade(grade);
    const next = all.find(({ id }) => !solved.includes(id)) ?? all[0];
    this.index = next ? this.#puzzles.indexOf(next) : 0;
    return this.open();
  }

  next(by = 1) {
    if (this.#puzzles[this.index + by]) super.next(by);
  }

  close() {
    super.close();
    this.play.storage.puzzle = null;
  }

  render() {
    super.render();
    setDisabled("lesson-previous", this.index === 0);
    if (this.index === this.#puzzles.length - 1) setDisabled("lesson-next", true);
  }

  async open() {
    const { play } = this;
    const turn = this.obsolete();
    const { id, setup, rules, grade } = this.#puzzle;
    const variant = play.variant.name;
    play.storage.puzzle = id;
    const setting = { ...STUDY, variant, setup, rules, level: FULL_STRENGTH, time: { seconds: 1 } };
    const fail = this.fail.bind(this, turn, "The puzzle");
    const game = await createGame(play.engine, setting, []).catch(fail);
    if (!game || turn !== this.turn) return;
    game.setting.players = { ...STUDY.players, [opponent(this.#side(game.root))]: "engine" };
    game.isTrying = true;
    game.isKept = false;
    this.game = game;
    this.#isSolutionShown = false;
    play.storage.saveProgress(variant, { grade });
    this.#ask(game.root);
    play.openNew(game);
    this.#showTerms();
  }

  /** @param {TreeNode} node where the next move of the solution is to be found */
  #ask(node) {
    this.play.exercise = { node, take: (move) => this.#try(node, move) };
  }

  get #node() {
    return /** @type {Exercise} */ (this.play.exercise).node;
  }

  get #name() {
    const all = this.#ofGrade(this.#puzzle.grade);
    return `Puzzle ${all.indexOf(this.#puzzle) + 1} of ${all.length}`;
  }

  get tab() {
    return "Puzzles";
  }

  get best() {
    return this.#puzzle.solution[this.#node.ply];
  }

  get task() {
    return this.#node.parent ? "Right: find the next move" : `Find the ${this.#puzzle.terms}`;
  }

  get caption() {
    const { terms, grade, solution } = this.#puzzle;
    const { root } = /** @type {Game} */ (this.game);
    const shown = this.#isSolutionShown ? ` Solution: ${solution.join(" ")}.` : "";
    return `${this.#name}, ${gradeText(grade)}. ${sideName(this.#side(root))} to play and ${terms}.${shown}`;
  }

  #showTerms() {
    const { terms, grade, id } = this.#puzzle;
    const { solved } = this.#progress;
    const end = solved.includes(id) ? ", solved" : "";
    const source = grade === OWN ? "From your game: " : "";
    this.show(
      this.#name + end,
      // Later, fewer moves are left.
      `${source}${sideName(this.#side(this.#node))} to play and ${this.#node.parent ? "win" : terms}.`,
    );
    const options = [...new Set(this.#puzzles.map(({ grade }) => grade))].map((value) => {
      const ids = this.#ofGrade(value).map(({ id }) => id);
      const count = ids.filter((id) => solved.includes(id)).length;
      const text = `${capitalised(gradeText(value))}: ${count} of ${ids.length} solved`;
      return Object.assign(element("option", "", text), { value, selected: value === grade });
    });
    this.#grade.replaceChildren(...options);
    const numbers = this.#ofGrade(grade).map(({ id: value }, index) => {
      const text = solved.includes(value) ? `${index + 1} ✓` : `${index + 1}`;
      return Object.assign(element("option", "", text), { value, selected: value === id });
    });
    this.#number.replaceChildren(...numbers);
    this.#showGrade();
  }

  /** The grade of the player. */
  #showGrade() {
    const { solved, missed } = this.#progress;
    const tries = this.#puzzles.flatMap(({ id, grade }) => {
      const isMissed = missed.includes(id);
      const isTried = grade !== OWN && (isMissed || solved.includes(id));
      return isTried ? [{ grade, isSolved: !isMissed }] : [];
    });
    const { length } = tries;
    const from = `an estimate from ${length} puzzle${length === 1 ? "" : "s"}`;
    this.note.textContent = length > 0 ? `Your grade: ${estimate(tries).toFixed(1)}, ${from}.` : "";
    this.note.title = "You solve half of the puzzles of this grade at the first try.";
  }

  /** What is not solved at the first try is missed. */
  #miss() {
    const { id } = this.#puzzle;
    const { solved, missed } = this.#progress;
    if (!solved.includes(id) && !missed.includes(id))
      this.play.storage.saveProgress(this.play.variant.name, { missed: [...missed, id] });
  }

  /** @param {TreeNode} node @param {Move} move */
  async #try(node, move) {
    const { play } = this;
    const turn = this.obsolete();
    const { solution, duals } = this.#puzzle;
    const { ply } = node;
    const side = this.#side(node);
    const text = this.moveText(move);
    const tried = play.game.play(node, move, side);
    this.line.replaceChildren();
    const isDual = duals.some((dual) => dual.ply === ply && findMove([move], dual.move));
    if (!isDual && !findMove([move], solution[ply])) return this.#refute(tried, text);
    const isSolved = isDual || ply === solution.length - 1;
    if (isSolved) this.#solve(text, tried);
    else this.showText(`${text} is right.`);
    await Promise.all([this.showUnannounced(tried), pause(PAUSE)]);
    if (isSolved) return this.#showReason(turn, node, side, [move.coordinate]);
    const reply = findMove(tried.state?.legal ?? [], solution[ply + 1]);
    if (turn !== this.turn || !reply) return;
    const other = opponent(side);
    const next = play.game.play(tried, reply, other);
    this.#ask(next);
    const answer = `${sideName(other)} answers ${this.moveText(reply)}.`;
    this.showText(`${this.text.textContent} ${answer}`, answer);
    this.showUnannounced(next);
  }

  /** @param {TreeNode} tried @param {string} text */
  async #refute(tried, text) {
    const { play, turn } = this;
    const node = this.#node;
    this.showText(`${text} is not in the solution …`);
    this.showUnannounced(tried);
    try {
      const value = await this.valueAfter(node, this.#side(node), tried.move?.coordinate ?? "");
      if (turn !== this.turn) return;
      const end = worth(value);
      // A win in so many moves has no other solutions.
      if (value.isWin && this.#puzzle.terms === "win") {
        this.#solve(`${text} ${end}`, tried);
        return play.onChange();
      }
      this.#miss();
      this.#showGrade();
      const reply = await this.answer(tried, value, true);
      if (turn !== this.turn) return;
      const task = node.parent ? "win sooner" : this.#puzzle.terms;
      this.showText(
        value.isWin
          ? `${text} is too slow: it ${end}. The task is to ${task}.${reply}`
          : `${text} does not solve it: it ${end}.${reply}`,
      );
      this.judge(play.game.shown, "Not yet: try again", false);
      play.onChange();
    } catch (error) {
      this.fail(turn, text, error);
    }
  }

  /** @param {string} text @param {TreeNode} end */
  #solve(text, end) {
    const { play } = this;
    this.judge(end, "Solved", true);
    const solved = new Set(this.#progress.solved).add(this.#puzzle.id);
    if (!this.#isSolutionShown)
      play.storage.saveProgress(play.variant.name, { solved: [...solved] });
    this.#ask(play.game.root);
    this.#showTerms();
    // That it is solved is announced instead of the terms.
    silence();
    const how = this.#isSolutionShown
      ? "solved, with the solution shown, so it does not count"
      : "solved";
    this.showText(`${text}: ${how}.${this.#themes}`);
  }

  /**
   * Adds why the puzzle is won after moves, in one line.
   * @param {number} turn @param {TreeNode} node @param {Side} side @param {string[]} moves
   * @param {boolean} [isSpoken]
   */
  async #showReason(turn, node, side, moves, isSpoken = true) {
    const reason = await this.reason(node, side, moves).catch(() => "");
    if (turn !== this.turn || !reason) return;
    this.showText(`${this.text.textContent} ${reason}`, isSpoken ? reason : "");
  }

  get #themes() {
    const themes = this.#puzzle.themes.map((theme) => {
      const meaning = THEMES[theme];
      return meaning ? `${theme} (${meaning})` : theme;
    });
    const word = themes.length === 1 ? "Theme" : "Themes";
    return themes.length > 0 ? ` ${word}: ${themes.join(", ")}.` : "";
  }

  again() {
    const node = this.#node;
    this.obsolete();
    node.children = [];
    this.play.game.revision += 1;
    this.#showTerms();
    this.play.show(node);
  }

  hint() {
    // A solution that is being shown ends.
    this.obsolete();
    this.#miss();
    super.hint();
    this.#showGrade();
  }

  async solution() {
    const { root } = this.play.game;
    this.#miss();
    this.#isSolutionShown = true;
    // Nobody has won by what is shown.
    this.play.game.setting.players = STUDY.players;
    this.#ask(root);
    this.again();
    // The solution is announced instead of the terms.
    silence();
    const { turn } = this;
    this.text.textContent = `The solution, with the best defence.${this.#themes}`;
    const moves = await this.showLine(root, this.#puzzle.solution, "");
    if (turn !== this.turn) return;
    announce(this.text.textContent);
    const end = this.play.game.add(root, moves);
    this.judge(end, "", true);
    for (const node of line(end).slice(1)) {
      await pause(SHOW_PAUSE);
      if (turn !== this.turn) return;
      // The solver may step by hand.
      if (this.play.game.shown !== node.parent) break;
      await this.play.show(node);
    }
    const played = moves.map(({ coordinate }) => coordinate);
    // The result on the board is announced with its move.
    const isSpoken = this.play.game.shown === end && this.play.result === null;
    await this.#showReason(turn, root, this.#side(root), played, isSpoken);
  }

  leave() {
    this.close();
    this.play.open(/** @type {Game} */ (this.#before));
    /** @type {HTMLElement | null} */ (document.querySelector("#open-menu summary"))?.focus();
  }
}

/** @param {number} grade */
function gradeText(grade) {
  return grade === OWN ? "your games" : `grade ${grade}`;
}

/**
 * The grade of the puzzles of which half are solved at the first try, by a logistic curve. One puzzle that is solved below
 * all grades and one that is missed above them keep it from the ends while there are few.
 * @param {{ grade: number, isSolved: boolean }[]} tries
 */
export function estimate(tries) {
  const [least, most] = [1, 5];
  const bounds = [
    { grade: least - 1, isSolved: true },
    { grade: most + 1, isSolved: false },
  ];
  const all = [...tries, ...bounds];
  const solved = all.filter(({ isSolved }) => isSolved).length;
  let [low, high] = [least, most];
  while (high - low > 0.01) {
    const own = (low + high) / 2;
    const expected = all.reduce((sum, { grade }) => sum + 1 / (1 + Math.exp(grade - own)), 0);
    if (expected < solved) low = own;
    else high = own;
  }
  return low;
}

/** The proved wins that the player missed in kept games of the variant, by their analyses. @param {Play} play @returns {Promise<Puzzle[]>} */
async function missedWins({ engine, storage, variant }) {
  const games = storage.games().map(({ game }) => game);
  const missed = games.flatMap((game) => {
    const { setting, report } = game;
    if (setting.variant !== variant.name || setting.isStudy || !report) return [];
    return line(report.end).flatMap(({ parent, ply, review }) =>
      parent && review?.missed_win && game.isHuman(review.side)
        ? { id: `${game.id}.${ply}`, game, parent, solution: review.best.slice(0, 1) }
        : [],
    );
  });
  const puzzles = missed.map(async ({ id, game, parent, solution }) => {
    const { rules } = game.setting;
    // A stored game that is damaged has none.
    const state = await engine.state(game.position(parent)).catch(() => null);
    const puzzle = { id, rules, terms: "win", grade: OWN, themes: [], solution, duals: [] };
    return state ? [{ ...puzzle, setup: state.setup }] : [];
  });
  return (await Promise.all(puzzles)).flat();
}
