/** The problems of the engine's collection, to be solved one after the other. */
import { findMove } from "./game.js";
import { chances, Lesson } from "./lesson.js";
import { announce, silence } from "./messages.js";
import { byId, element, onClick, pause, setDisabled } from "./page.js";
import { FULL_STRENGTH, opponent } from "./protocol.js";
import { createGame, STUDY } from "./records.js";
import { messageOf, sideName } from "./text.js";

/** Milliseconds before the defence is played. */
const PAUSE = 600;

export class Problems extends Lesson {
  /** Sorted by grade. @type {Problem[]} */
  #problems = [];
  #isSolutionShown = false;
  /** The game that was on the board before. @type {Game | null} */
  #before = null;
  #grade = byId("grade", HTMLSelectElement);
  #number = byId("problem-number", HTMLSelectElement);

  /** @param {Play} play @param {Notice} notice */
  constructor(play, notice) {
    super(play);
    this.notice = notice;
    for (const id of ["problems-item", "problems-now"]) onClick(id, () => this.start());
    this.#grade.addEventListener("change", () => this.#choose(Number(this.#grade.value)));
    this.#number.addEventListener("change", () => {
      this.index = this.#problems.findIndex(({ id }) => id === this.#number.value);
      this.open();
    });
  }

  /** @param {string | null} [id] of the first problem; by default the next one that is not solved */
  async start(id) {
    try {
      await this.#start(id);
    } catch (error) {
      this.notice.show(`No problems: ${messageOf(error)}.`);
    }
  }

  /** @param {string | null} [id] */
  async #start(id) {
    const { play } = this;
    const { game, variant } = play;
    /** @type {Problem[]} */
    const problems = await play.engine.query(game.position(game.root), "problems");
    if (game !== play.game || play.lesson) return;
    if (problems.length === 0) throw new Error(`there are none of ${variant.title}`);
    this.#problems = problems;
    this.#before = game;
    play.storeClocks();
    this.begin(game, "Solution");
    this.index = problems.findIndex((problem) => problem.id === id);
    await (this.index < 0 ? this.#choose(this.#progress.grade) : this.open());
    byId("lesson-title").focus();
  }

  get #progress() {
    return this.play.storage.progress(this.play.variant.name);
  }

  get #problem() {
    return /** @type {Problem} */ (this.#problems[this.index]);
  }

  /** @param {TreeNode} node */
  #side({ state }) {
    return /** @type {State} */ (state).side;
  }

  /** @param {number} grade */
  #ofGrade(grade) {
    return this.#problems.filter((problem) => problem.grade === grade);
  }

  /** Opens the first problem of a grade that is not solved. @param {number} grade */
  #choose(grade) {
    const { solved } = this.#progress;
    const all = this.#ofGrade(grade);
    const next = all.find(({ id }) => !solved.includes(id)) ?? all[0];
    this.index = next ? this.#problems.indexOf(next) : 0;
    return this.open();
  }

  next(by = 1) {
    if (this.#problems[this.index + by]) super.next(by);
  }

  close() {
    super.close();
    this.play.storage.problem = null;
  }

  render() {
    super.render();
    setDisabled("lesson-previous", this.index === 0);
    if (this.index === this.#problems.length - 1) setDisabled("lesson-next", true);
  }

  async open() {
    const { play } = this;
    const turn = this.obsolete();
    const { id, setup, grade } = this.#problem;
    const variant = play.variant.name;
    play.storage.problem = id;
    const setting = { ...STUDY, variant, setup, level: FULL_STRENGTH, time: { seconds: 1 } };
    const fail = this.fail.bind(this, turn, "The problem");
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
    const all = this.#ofGrade(this.#problem.grade);
    return `Problem ${all.indexOf(this.#problem) + 1} of ${all.length}`;
  }

  get caption() {
    const { terms, grade, solution } = this.#problem;
    const { root } = /** @type {Game} */ (this.game);
    const shown = this.#isSolutionShown ? ` Solution: ${solution.join(" ")}.` : "";
    return `${this.#name}, grade ${grade}. ${sideName(this.#side(root))} to play and ${terms}.${shown}`;
  }

  #showTerms() {
    const { terms, grade, id } = this.#problem;
    const { solved } = this.#progress;
    const end = solved.includes(id) ? ", solved" : "";
    this.show(
      this.#name + end,
      // Later, fewer moves are left.
      `${sideName(this.#side(this.#node))} to play and ${this.#node.parent ? "win" : terms}.`,
    );
    const options = [...new Set(this.#problems.map(({ grade }) => grade))].map((value) => {
      const ids = this.#ofGrade(value).map(({ id }) => id);
      const count = ids.filter((id) => solved.includes(id)).length;
      const text = `Grade ${value}: ${count} of ${ids.length} solved`;
      return Object.assign(element("option", "", text), { value, selected: value === grade });
    });
    this.#grade.replaceChildren(...options);
    const numbers = this.#ofGrade(grade).map(({ id: value }, index) => {
      const text = solved.includes(value) ? `${index + 1} ✓` : `${index + 1}`;
      return Object.assign(element("option", "", text), { value, selected: value === id });
    });
    this.#number.replaceChildren(...numbers);
  }

  /** @param {TreeNode} node @param {Move} move */
  async #try(node, move) {
    const { play } = this;
    const turn = this.obsolete();
    const { solution, duals } = this.#problem;
    const { ply } = node;
    const side = this.#side(node);
    const text = this.moveText(move);
    const tried = play.game.play(node, move, side);
    this.line.replaceChildren();
    const isDual = duals.some((dual) => dual.ply === ply && findMove([move], dual.move));
    if (!isDual && !findMove([move], solution[ply])) return this.#refute(tried, text);
    if (isDual || ply === solution.length - 1) this.#solve(text);
    else this.showText(`${text} is right.`);
    await Promise.all([this.showUnannounced(tried), pause(PAUSE)]);
    const reply = findMove(tried.state?.legal ?? [], solution[ply + 1]);
    if (turn !== this.turn || isDual || !reply) return;
    const other = opponent(side);
    const next = play.game.play(tried, reply, other);
    this.#ask(next);
    const answer = `${sideName(other)} answers ${this.moveText(reply)}.`;
    this.showText(`${this.text.textContent} ${answer}`, answer);
    this.showUnannounced(next);
  }

  /** @param {TreeNode} tried @param {string} text */
  async #refute(tried, text) {
    const { turn } = this;
    const node = this.#node;
    this.showText(`${text} is not in the solution …`);
    this.showUnannounced(tried);
    try {
      const value = await this.valueAfter(node, this.#side(node), tried.move?.coordinate ?? "");
      if (turn !== this.turn) return;
      const worth = value.proof || chances(value.expected);
      // A win in so many moves has no other solutions.
      if (value.isWin && this.#problem.terms === "win") return this.#solve(`${text} ${worth}`);
      const reply = await this.answer(tried, value, true);
      if (turn !== this.turn) return;
      const task = node.parent ? "win sooner" : this.#problem.terms;
      this.showText(
        value.isWin
          ? `${text} is too slow: it ${worth}. The task is to ${task}.${reply}`
          : `${text} does not solve it: it ${worth}.${reply}`,
      );
    } catch (error) {
      this.fail(turn, text, error);
    }
  }

  /** @param {string} text */
  #solve(text) {
    const { play } = this;
    const solved = new Set(this.#progress.solved).add(this.#problem.id);
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

  get #themes() {
    const { themes } = this.#problem;
    return themes.length > 0 ? ` Themes: ${themes.join(", ")}.` : "";
  }

  again() {
    const node = this.#node;
    this.obsolete();
    node.children = [];
    this.play.game.revision += 1;
    this.#showTerms();
    this.play.show(node);
  }

  async solution() {
    const { root } = this.play.game;
    this.#isSolutionShown = true;
    this.#ask(root);
    this.again();
    // The line is announced instead of the terms.
    silence();
    const { turn } = this;
    this.text.textContent = `The solution, with the best defence.${this.#themes}`;
    const moves = await this.showLine(root, this.#problem.solution, "");
    const names = moves.map((move) => this.moveText(move)).join(", ");
    if (turn === this.turn)
      announce(`The solution, with the best defence: ${names}.${this.#themes}`);
  }

  leave() {
    this.close();
    this.play.open(/** @type {Game} */ (this.#before));
    /** @type {HTMLElement | null} */ (document.querySelector("#open-menu summary"))?.focus();
  }
}
