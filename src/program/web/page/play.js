/** The course of a game: the turns, the moves of the engine, the clocks, the result. */
import { Advice } from "./advice.js";
import { Clock, endOfLine, findMove, levelOf, line } from "./game.js";
import { ask } from "./messages.js";
import { pause } from "./page.js";
import { levelOptions, opponent } from "./protocol.js";
import { messageOf } from "./text.js";

/** Seconds between moves when the engine plays both sides, without a choice. */
const PACE = 0.6;
const FROM_HERE = "Play on from here? The moves after this position stay as a branch.";
/** Milliseconds between stores of the clocks. */
const STORE_CLOCKS = 5000;

/** @import { Storage } from "./storage.js" */

export class Play {
  onChange = () => {};
  onOpen = () => {};
  onStore = () => {};
  onClock = () => {};
  /** @type {(node: TreeNode) => void} */
  onPlayed = () => {};

  advice = new Advice(this);
  isThinking = false;
  isConnected = false;
  /** How many moves are analysed, of all, while the engine analyses the game. @type {{ moves: number, of: number } | null} */
  reviewed = null;
  /** @type {Lesson | null} */
  lesson = null;
  /** Receives the moves on the board while there is a position to solve. @type {Exercise | null} */
  exercise = null;
  /** The position whose move the lesson announces. @type {TreeNode | null} */
  announcedByLesson = null;
  /** Why the game cannot continue. */
  error = "";
  /** The game that has taken the place of one in progress. @type {Game | null} */
  replacing = null;

  /** A counter of the changes that invalidate a requested move. */
  #turn = 0;
  /** @type {Search | null} */
  #search = null;
  #stored = 0;

  /**
   * @param {Engine} engine
   * @param {Variant[]} variants
   * @param {Game} game
   * @param {Storage} storage
   */
  constructor(engine, variants, game, storage) {
    this.engine = engine;
    this.variants = variants;
    this.game = game;
    this.storage = storage;
    this.clock = new Clock(
      () => this.#clockTicked(),
      (side) => this.#endAgainst(side, "'s time is up", "time"),
    );
  }

  get variant() {
    return this.variantNamed(this.game.setting.variant);
  }

  /** @param {string} variant */
  variantNamed(variant) {
    return /** @type {Variant} */ (this.variants.find(({ name }) => name === variant));
  }

  get result() {
    return this.game.result(this.game.shown);
  }

  /** The moves that a human can make on the board now. */
  get offered() {
    const { game, exercise } = this;
    const { state, ending } = game.shown;
    if (!state || state.result || (ending && game.setting.isStudy)) return NONE;
    const isFree = exercise
      ? exercise.node === game.shown
      : game.isOver || game.isHuman(state.side);
    return isFree ? state.legal : NONE;
  }

  get notation() {
    return this.storage.settings.notation;
  }

  /** Whether the game needs the engine: for a move, or for advice. */
  get isBusy() {
    const { game, isThinking, advice } = this;
    const { state } = game.live;
    const isItsTurn = !state || (!game.isHuman(state.side) && !game.isPaused);
    return isThinking || advice.isSearching || (isItsTurn && !game.isOver);
  }

  /** @param {Game} game */
  async open(game) {
    const { shown } = game;
    // Else it would be announced apart.
    shown.state ??= await this.engine.state(game.position(shown)).catch(() => null);
    this.game = game;
    this.onOpen();
    this.engine.newGame();
    await this.#continue();
  }

  /** @param {Game} game */
  async openNew(game) {
    this.game = game;
    this.turnBoard();
    await this.open(game);
  }

  /** The side at the bottom of the board. @returns {Side} */
  get bottom() {
    const near = nearSide(this.variant);
    return this.game.isFlipped ? opponent(near) : near;
  }

  turnBoard() {
    const near = nearSide(this.variant);
    const bottom = this.game.bottom(this.storage.settings.turning) ?? near;
    this.game.isFlipped = bottom !== near;
  }

  /** Adds moves as a branch, and shows its end. @param {TreeNode} node @param {readonly PlayedMove[]} moves */
  explore(node, moves) {
    this.show(this.game.add(node, moves));
  }

  changed() {
    this.onStore();
    this.onChange();
  }

  /** @param {TreeNode} node */
  async show(node) {
    this.game.shown = node;
    if (this.game.setting.isStudy) this.game.live = node;
    this.advice.clear();
    this.changed();
    if (node.state) return;
    await this.#stateOf(node);
    this.onChange();
  }

  /** The position on the board, which after a move is known only when the engine has answered. */
  async shownSetup() {
    const { game } = this;
    const { setup } = game.shown.state ?? (await this.engine.state(game.position(game.shown)));
    return setup;
  }

  /** @param {-1 | 1} plies */
  step(plies) {
    const { parent, children } = this.game.shown;
    const node = plies < 0 ? parent : children[0];
    if (node) this.show(node);
  }

  /** Shows the end of the game, or beside the game and from its end on, that of the branch. */
  showEnd() {
    const { end, shown } = this.game;
    const isBefore = shown !== end && line(end).includes(shown);
    this.show(isBefore ? end : endOfLine(shown));
  }

  /**
   * Plays a move of a human: at an earlier position if the game is to go on from there, and after the
   * end of the game as a variation.
   * @param {Move} move
   */
  async play(move) {
    const { game, exercise } = this;
    const { shown, live, setting } = game;
    this.advice.choice = null;
    if (!shown.state || !this.offered.includes(move)) return;
    if (exercise) return exercise.take(move);
    const { side } = shown.state;
    if (game.isOver) return this.explore(shown, [{ ...move, side }]);
    const isSure =
      shown === live || setting.isStudy || (await ask(FROM_HERE, "Play from here", "Cancel"));
    if (!isSure || game !== this.game || shown !== game.shown) return this.onChange();
    this.#advance(shown, move, side);
  }

  takeBack() {
    const { game } = this;
    const { takeBackTarget: target, live } = game;
    if (!target) return;
    const { move } = line(live)[target.ply + 1] ?? {};
    // Of a game that was over, what is taken back stays as a variation.
    if (move && !game.isOver) game.remove(target, move);
    target.ending = null;
    game.live = target;
    game.shown = target;
    game.revision += 1;
    this.#continue();
  }

  playFromHere() {
    this.game.continueFrom(this.game.shown);
    this.#continue();
  }

  /** Who would resign now. */
  get resigner() {
    const { live, humanSide, setting, isOver } = this.game;
    if (!live.state || isOver || setting.isStudy) return null;
    return humanSide ?? (setting.players.black === "human" ? live.state.side : null);
  }

  resign() {
    if (this.resigner) this.#endAgainst(this.resigner, " has resigned", "resignation");
  }

  agreeDraw() {
    this.#end({ winner: null, reason: "both players have agreed" });
  }

  /** @param {boolean} isPaused */
  pause(isPaused) {
    this.game.isPaused = isPaused;
    this.storeClocks();
    this.#continue();
  }

  moveNow() {
    this.#search?.stop();
  }

  flip() {
    this.advice.choice = null;
    this.game.isFlipped = !this.game.isFlipped;
    this.changed();
  }

  /** The clocks are stopped while there is no engine. @param {boolean} isConnected */
  connected(isConnected) {
    this.isConnected = isConnected;
    this.#runClock();
    this.onChange();
  }

  storeClocks() {
    const { live } = this.game;
    if (live.clocks) live.clocks = this.clock.left;
    this.#stored = Date.now();
    this.onStore();
  }

  /**
   * Continues the game from its current position: a move of the engine, a clock, or the result.
   * @param {boolean} [isNew] whether a move or an end has led there that must be announced
   */
  async #continue(isNew = false) {
    const turn = ++this.#turn;
    this.#search?.stop();
    this.#search = null;
    this.advice.clear();
    this.isThinking = false;
    this.error = "";
    const { live } = this.game;
    if (live.clocks) this.clock.set(live.clocks);
    this.changed();
    const state = await this.#stateOf(live);
    if (!state || turn !== this.#turn) return;
    if (!this.game.shown.state) await this.#stateOf(this.game.shown);
    this.#runClock();
    if (this.storage.settings.turning === "mover" && this.game.hasTwoPlayers) this.turnBoard();
    if (isNew) this.onPlayed(live);
    this.changed();
    const [only] = state.legal;
    if (this.game.isOver || !only) return;
    if (state.legal.length === 1 && only.path.length === 0) {
      this.#advance(live, only, state.side);
    } else if (!this.game.isHuman(state.side) && !this.game.isPaused) {
      // Not awaited: the game has begun, so its dialog may close.
      this.#think(live, state, turn);
    }
  }

  /** @param {TreeNode} node @param {State} state @param {number} turn */
  async #think(node, state, turn) {
    const { setting } = this.game;
    const pace = this.game.isWatched ? 1000 * (setting.pace ?? PACE) : 0;
    const options = levelOptions(levelOf(setting, state.side), this.variant);
    const shownUntil = Date.now() + pace;
    this.isThinking = true;
    const limits = this.clock.limits(setting.time);
    this.#search = this.engine.search(this.game.position(node), limits, options);
    this.onChange();
    try {
      const best = await this.#search.best;
      const rest = shownUntil - Date.now();
      if (rest > 0) await pause(rest);
      if (turn !== this.#turn) return;
      const move = findMove(state.legal, best);
      if (move) this.#advance(node, move, state.side);
    } catch (error) {
      if (turn === this.#turn) this.#fail(error);
    }
  }

  /** Makes a move the last one of the game. @param {TreeNode} node @param {Move} move @param {Side} mover */
  #advance(node, move, mover) {
    const { game } = this;
    const { time } = game.setting;
    // If the board shows an earlier position, it stays there.
    const isWatched = game.shown === node;
    const isBranch = node !== game.live;
    const child = game.play(node, move, mover);
    const left = isBranch ? node.clocks : this.clock.left;
    if (left && "minutes" in time) {
      const increment = node.parent ? time.increment * 1000 : 0;
      child.clocks = { ...left, [mover]: left[mover] + increment };
    }
    child.ending = null;
    game.continueFrom(child);
    if (isWatched) game.shown = child;
    this.#continue(true);
  }

  /** @param {Side} loser @param {string} reason what follows the name of the loser @param {WinReason} by */
  #endAgainst(loser, reason, by) {
    this.#end({ winner: opponent(loser), reason: `the opponent${reason}`, by });
  }

  /** @param {Result} ending */
  #end(ending) {
    this.storeClocks();
    this.game.live.ending = ending;
    this.game.shown = this.game.live;
    this.#continue(true);
  }

  /** Returns null if the engine refuses the position. @param {TreeNode} node */
  async #stateOf(node) {
    try {
      node.state ??= await this.engine.state(this.game.position(node));
      return node.state;
    } catch (error) {
      this.#fail(error);
      return null;
    }
  }

  /** @param {unknown} error */
  #fail(error) {
    this.isThinking = false;
    this.error = messageOf(error);
    this.onChange();
  }

  #runClock() {
    const { live, isOver, isPaused } = this.game;
    this.clock.stop();
    // The clocks start after the first move.
    const isRunning = this.isConnected && !isOver && !isPaused && live.parent !== null;
    if (live.clocks && live.state && isRunning) this.clock.start(live.state.side);
    this.onClock();
  }

  #clockTicked() {
    this.onClock();
    if (Date.now() - this.#stored > STORE_CLOCKS) this.storeClocks();
  }
}

/** @type {readonly Move[]} */
const NONE = [];

/** The side at the bottom of a board that is not turned. @param {Variant} variant @returns {Side} */
function nearSide({ first }) {
  const isFar = first.pieces.every(({ side, square }) => side === "white" || Number(square[1]) > 4);
  return isFar ? "white" : "black";
}
