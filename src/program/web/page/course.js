/** Learning the rules by playing: the lessons of the game, one after the other. */
import { findMove } from "./game.js";
import { Lesson } from "./lesson.js";
import { announce } from "./messages.js";
import { byId, onClick, pause, setDisabled } from "./page.js";
import { FULL_STRENGTH, opponent } from "./protocol.js";
import { createGame, STUDY } from "./records.js";
import { messageOf, resultText } from "./text.js";

/** Milliseconds for which a move that does not solve the task stays on the board. */
const PAUSE = 900;
const END = "These are the rules. “Leave” goes to your game.";

export class Course extends Lesson {
  /** @type {RuleLesson[]} */
  #lessons = [];
  /** The game that was on the board before. @type {Game | null} */
  #before = null;
  /** The place of the lesson that was solved last. */
  #solved = -1;

  /** @param {Play} play @param {Notice} notice */
  constructor(play, notice) {
    super(play);
    this.notice = notice;
    for (const id of ["learn-item", "learn-rules"]) onClick(id, () => this.start());
  }

  /** Begins with the first lesson that is not done. */
  async start() {
    const { play } = this;
    const { game, variant } = play;
    try {
      /** @type {RuleLesson[]} */
      const lessons = await play.engine.query(game.position(game.root), "lessons");
      if (game !== play.game || play.lesson) return;
      if (lessons.length === 0) throw new Error(`there are none of ${variant.title}`);
      this.#lessons = lessons;
      this.#before = game;
      play.storeClocks();
      this.begin(game);
      const next = lessons.findIndex(({ id }) => !this.#done.includes(id));
      this.index = Math.max(next, 0);
      await this.open();
      byId("lesson-title").focus();
    } catch (error) {
      this.notice.show(`No lessons: ${messageOf(error)}.`);
    }
  }

  get #lesson() {
    return /** @type {RuleLesson} */ (this.#lessons[this.index]);
  }

  /** The ids of the lessons that were solved. */
  get #done() {
    const { play } = this;
    return play.storage.progress(play.variant.name).lessons;
  }

  get tab() {
    return "Lessons";
  }

  // Else the page would make the further jumps, which the learner has to know.
  get isStepwise() {
    return true;
  }

  get best() {
    return this.#lesson.solution[0];
  }

  get task() {
    return "Your turn";
  }

  get clue() {
    return this.#lesson.hint;
  }

  get #title() {
    const { id, title } = this.#lesson;
    const mark = this.#done.includes(id) ? " ✓" : "";
    return `${this.index + 1} of ${this.#lessons.length}: ${title}${mark}`;
  }

  get caption() {
    return `${this.#lesson.title}. ${this.#lesson.text}`;
  }

  render() {
    super.render();
    setDisabled("lesson-previous", this.index === 0);
    if (this.index === this.#lessons.length - 1) setDisabled("lesson-next", true);
    const isSolved = this.isOn && this.#solved === this.index;
    byId("lesson-next").classList.toggle("primary", isSolved);
  }

  close() {
    super.close();
    byId("lesson-next").classList.remove("primary");
  }

  next(by = 1) {
    if (this.#lessons[this.index + by]) super.next(by);
  }

  async open() {
    const { play } = this;
    const turn = this.obsolete();
    const { setup, text } = this.#lesson;
    const variant = play.variant.name;
    const setting = { ...STUDY, variant, setup, level: FULL_STRENGTH, time: { seconds: 1 } };
    const fail = this.fail.bind(this, turn, "The lesson");
    const game = await createGame(play.engine, setting, []).catch(fail);
    if (!game || turn !== this.turn) return;
    const { side } = /** @type {State} */ (game.root.state);
    game.setting.players = { ...STUDY.players, [opponent(side)]: "engine" };
    game.isTrying = true;
    game.isKept = false;
    this.game = game;
    this.#solved = -1;
    this.#ask(game.root);
    play.openNew(game);
    this.show(this.#title, text);
  }

  /** @param {TreeNode} node */
  #ask(node) {
    this.play.exercise = { node, take: (move) => this.#try(node, move) };
  }

  /** @param {TreeNode} node @param {Move} move */
  async #try(node, move) {
    const { play } = this;
    const turn = this.obsolete();
    const { id, solution, right, wrong, other } = this.#lesson;
    const { side } = /** @type {State} */ (node.state);
    const isRight = solution.some((text) => findMove([move], text));
    const tried = play.game.play(node, move, side);
    await this.showUnannounced(tried);
    if (turn !== this.turn) return;
    if (!isRight) {
      const known = wrong.find((entry) => findMove([move], entry.move));
      this.judge(node, "Not yet: make another move", false);
      this.tell(`${this.moveText(move)}: ${known?.text ?? other}`);
      await pause(PAUSE);
      if (turn !== this.turn) return;
      node.children = [];
      return this.showUnannounced(node);
    }
    const lessons = [...new Set([...this.#done, id])];
    play.storage.saveProgress(play.variant.name, { lessons });
    const { result } = tried.state ?? {};
    const end = this.index === this.#lessons.length - 1 ? ` ${END}` : "";
    const won = result ? `${resultText(result, play.game)}. ` : "";
    this.judge(tried, "Right", true);
    this.#solved = this.index;
    this.show(this.#title, `${won}${right}${end}`.trim());
    play.onChange();
  }

  again() {
    const { node } = /** @type {Exercise} */ (this.play.exercise);
    this.obsolete();
    node.children = [];
    this.show(this.#title, this.#lesson.text);
    this.play.show(node);
  }

  solution() {
    const { node } = /** @type {Exercise} */ (this.play.exercise);
    const move = findMove(node.state?.legal ?? [], this.best);
    if (!move) return;
    this.again();
    this.play.advice.hint = { node, path: move.path };
    const intro = "The solution: ";
    this.showLine(node, [move.coordinate], intro);
    announce(`${intro}${this.moveText(move)}`);
    this.play.onChange();
  }

  leave() {
    this.close();
    this.play.open(/** @type {Game} */ (this.#before));
    byId("rules-tab").focus();
  }
}
