/** A game: a tree of moves, the players and their time. The rules are in the engine alone. */
import { opponent, SIDES } from "./protocol.js";

/** Milliseconds between updates of the clocks. */
const TICK = 100;

/**
 * @param {TreeNode | null} parent
 * @param {Move | null} move
 * @param {Side | null} mover
 * @returns {TreeNode}
 */
function makeNode(parent, move, mover) {
  const ply = parent ? parent.ply + 1 : 0;
  return {
    parent,
    move,
    mover,
    children: [],
    isTried: false,
    ply,
    clocks: null,
    ending: null,
    state: null,
    review: null,
    comment: "",
    nags: [],
    recorded: undefined,
  };
}

export class Game {
  /** @type {TreeNode} */
  root = makeNode(null, null, null);
  /** From here the game continues. */
  live = this.root;
  shown = this.root;
  isPaused = false;
  isFlipped = false;
  /** Whether new moves are tried in a lesson, and no part of the game. */
  isTrying = false;
  /** Whether it is stored. */
  isKept = true;
  /** @type {Report | null} */
  report = null;
  /** Counts the changes of the tree. */
  revision = 0;

  /** @param {Setting} setting @param {string} [id] */
  constructor(setting, id = newId()) {
    this.setting = setting;
    this.id = id;
    this.root.clocks = startClocks(setting.time);
  }

  /** @param {TreeNode} node @returns {Position} */
  position(node) {
    const { variant, setup, rules } = this.setting;
    const moves = line(node).flatMap(({ move }) => move?.coordinate ?? []);
    return { variant, setup, moves, rules };
  }

  /** @param {Side} side */
  isHuman(side) {
    return this.setting.players[side] === "human";
  }

  get humanSide() {
    const { black, white } = this.setting.players;
    if (black === white) return null;
    return black === "human" ? "black" : "white";
  }

  get hasTwoPlayers() {
    const { players, isStudy } = this.setting;
    return players.black === "human" && players.white === "human" && !isStudy;
  }

  /** Whether the engine plays both sides. */
  get isWatched() {
    return Object.values(this.setting.players).every((player) => player === "engine");
  }

  /** The side to be at the bottom of the board; null if it is open. @param {Turning} turning */
  bottom(turning) {
    if (turning === "rule") return "white";
    if (turning === "black") return "black";
    const { humanSide, hasTwoPlayers, live } = this;
    const mover = turning === "mover" && hasTwoPlayers ? live.state?.side : null;
    return humanSide ?? mover ?? null;
  }

  /** The position after a move: a new node, or an existing one. @param {TreeNode} node @param {Move} move @param {Side} mover */
  play(node, move, mover) {
    const known = node.children.find((child) => child.move?.coordinate === move.coordinate);
    if (known) return known;
    const child = makeNode(node, move, mover);
    child.isTried = this.isTrying;
    node.children.push(child);
    this.revision += 1;
    return child;
  }

  /** @param {TreeNode} node @param {readonly PlayedMove[]} moves */
  add(node, moves) {
    return moves.reduce((at, { side, ...move }) => this.play(at, move, side), node);
  }

  /**
   * Adds the moves of a record. Returns a function that gives the position in a line after a ply.
   * @param {ImportedGame} record
   */
  addRecord({ moves, variations, annotations }) {
    const lines = [line(this.add(this.root, moves))];
    /** @param {number} number @param {number} ply */
    const node = (number, ply) => /** @type {TreeNode} */ (lines[number]?.[ply]);
    for (const { line: number, ply, moves } of variations) {
      lines.push(line(this.add(node(number, ply - 1), moves)));
    }
    for (const { line: number, ply, comment, nags, recorded } of annotations) {
      Object.assign(node(number, ply), { comment, nags, recorded });
    }
    return node;
  }

  /** The variations and annotations of the record of the game. */
  get lines() {
    const lines = [line(this.end)];
    /** @type {Variation<string>[]} */
    const variations = [];
    /** @type {Annotation[]} */
    const annotations = [];
    // The list grows during the iteration.
    for (const [number, nodes] of lines.entries()) {
      nodes.forEach((node, index) => {
        const { ply, comment, nags, recorded } = node;
        if (comment || nags.length > 0 || recorded)
          annotations.push({ line: number, ply, comment, nags, recorded });
        const next = nodes[index + 1];
        // Moves that were taken back at the end of a game are not part of it.
        const others = next ? keptChildren(node).filter((child) => child !== next) : [];
        for (const first of others) {
          const variation = line(endOfLine(first)).slice(first.ply);
          const moves = variation.flatMap(({ move }) => move?.coordinate ?? []);
          variations.push({ line: number, ply: first.ply, moves });
          lines.push(variation);
        }
      });
    }
    return { variations, annotations };
  }

  /** The last position in the record of the game. */
  get end() {
    return this.setting.isStudy ? endOfLine(this.root) : this.live;
  }

  get isEmpty() {
    return this.root.children.length === 0 && this.setting.setup === null;
  }

  /** @param {TreeNode} node */
  continueFrom(node) {
    this.live = node;
    this.revision += 1;
    // In a study, trying a move does not change the order of the moves.
    if (this.setting.isStudy) return;
    for (const child of line(node)) {
      const siblings = child.parent?.children;
      if (siblings) siblings.unshift(...siblings.splice(siblings.indexOf(child), 1));
    }
  }

  /** The position before the last move of a human. */
  get takeBackTarget() {
    // Looking back through a game that is over leaves its result.
    if (this.setting.isStudy || (this.isOver && this.shown !== this.live)) return null;
    // After a loss on time there is no time left to continue.
    const isOutOfTime = Object.values(this.live.clocks ?? {}).includes(0);
    if (this.live.ending && !isOutOfTime) return this.live;
    // An opening that was drawn by lot stays.
    const { opening = 0 } = this.setting;
    for (let node = this.live; node.parent && node.ply > opening; node = node.parent) {
      if (node.mover && this.isHuman(node.mover) && node.move?.path.length) return node.parent;
    }
    return null;
  }

  /** The first move of the variation on the board, or the last move of a study. */
  get variation() {
    const { end, shown } = this;
    const isLast = this.setting.isStudy && shown === end && shown.parent !== null;
    return (
      line(shown).findLast(
        (node) => node.parent && (node.parent === end || node.parent.children[0] !== node),
      ) ?? (isLast ? end : undefined)
    );
  }

  /** Removes what follows a position by a move. @param {TreeNode} node @param {Move} removed */
  remove(node, removed) {
    node.children = node.children.filter(({ move }) => move !== removed);
    if (this.report && line(this.report.end).some(({ move }) => move === removed))
      this.report = null;
    this.revision += 1;
  }

  get isOver() {
    return this.result(this.live) !== null;
  }

  /** @param {TreeNode} node */
  result(node) {
    return node.ending ?? node.state?.result ?? null;
  }

  toJSON() {
    const nodes = allNodes(this.root);
    const numbers = new Map(nodes.map((node, index) => [node, index]));
    const { id, setting, isPaused, isFlipped, report } = this;
    return {
      version: VERSION,
      id,
      setting,
      isPaused,
      isFlipped,
      live: numbers.get(this.live),
      shown: numbers.get(this.shown),
      report: report && { ...report, end: numbers.get(report.end) },
      nodes: nodes.map(({ parent, children, state, isTried, ply, ...kept }) => ({
        ...kept,
        parent: parent ? numbers.get(parent) : -1,
      })),
    };
  }
}

/** @param {Setting} setting @param {Side} side */
export function levelOf({ level, levels }, side) {
  return levels?.[side] ?? level;
}

/** The level that records without one are taken for. */
const USUAL_LEVEL = "medium";

/** The level whose players' chances are shown: that of the engine, as which the human is taken. @param {Setting} setting */
export function levelOfPlayers(setting) {
  const engine = SIDES.find((side) => setting.players[side] === "engine");
  return engine && !setting.isStudy ? levelOf(setting, engine) : USUAL_LEVEL;
}

export const VERSION = 1;

/** @param {TimeControl} time @returns {Clocks | null} */
export function startClocks(time) {
  if ("seconds" in time) return null;
  const left = time.minutes * 60_000;
  return { black: left, white: left };
}

export class Clock {
  /** @type {Clocks} */
  #left = { black: 0, white: 0 };
  /** @type {Side | null} */
  #running = null;
  #since = 0;
  #timer = 0;

  /**
   * @param {() => void} onTick
   * @param {(side: Side) => void} onFlag the time of a side is up; its clock has stopped
   */
  constructor(onTick, onFlag) {
    this.onTick = onTick;
    this.onFlag = onFlag;
  }

  /** @param {Clocks} left */
  set(left) {
    this.stop();
    this.#left = { ...left };
  }

  /** @param {Side} side */
  start(side) {
    this.stop();
    this.#running = side;
    this.#since = performance.now();
    this.#timer = setInterval(() => this.#tick(), TICK);
  }

  stop() {
    clearInterval(this.#timer);
    if (this.#running) this.#left = this.left;
    this.#running = null;
  }

  /** In milliseconds. @returns {Clocks} */
  get left() {
    const side = this.#running;
    if (!side) return { ...this.#left };
    const left = Math.max(0, this.#left[side] - (performance.now() - this.#since));
    const other = opponent(side);
    return /** @type {Clocks} */ ({ [side]: left, [other]: this.#left[other] });
  }

  /** @param {TimeControl} time @returns {Limits} */
  limits(time) {
    if ("seconds" in time) return { movetime: time.seconds * 1000 };
    const { black, white } = this.left;
    const increment = time.increment * 1000;
    return { btime: black, wtime: white, binc: increment, winc: increment };
  }

  #tick() {
    const side = this.#running;
    if (side && this.left[side] === 0) {
      this.stop();
      this.onFlag(side);
    }
    this.onTick();
  }
}

/**
 * The move that a text is, in either notation.
 * @param {readonly Move[]} moves
 * @param {string | null | undefined} text
 */
export function findMove(moves, text) {
  return moves.find(({ coordinate, standard }) => coordinate === text || standard === text);
}

/** The positions from the start of the game to this one. @param {TreeNode} node */
export function line(node) {
  /** @type {TreeNode[]} */
  const nodes = [];
  for (let at = /** @type {TreeNode | null} */ (node); at; at = at.parent) nodes.push(at);
  return nodes.reverse();
}

/**
 * The number of a move, as books count: a move is one of each side.
 * @param {{ ply: number, mover: Side | null }} move
 */
export function moveNumber({ ply, mover }) {
  return mover === "black" ? Math.floor(ply / 2) + 1 : Math.ceil(ply / 2);
}

/** The number of pieces that a side has captured. @param {TreeNode} node @param {Side} side */
export function captured(node, side) {
  const moves = line(node).filter(({ mover }) => mover === side);
  return moves.reduce((sum, { move }) => sum + (move?.captures.length ?? 0), 0);
}

/** The new kind of the moved piece, if it has one. @param {TreeNode} node */
export function promotion({ move, parent, state }) {
  /** @param {State | null | undefined} at @param {string | undefined} square */
  const kind = (at, square) => at?.pieces.find((piece) => piece.square === square)?.kind;
  const [before, after] = [kind(parent?.state, move?.path[0]), kind(state, move?.path.at(-1))];
  return before && after && before !== after ? after : null;
}

/** The last position of the line through this one. @param {TreeNode} node */
export function endOfLine(node) {
  let end = node;
  while (end.children[0]) end = end.children[0];
  return end;
}

/** The positions after one that are part of the game. @param {TreeNode} node */
export function keptChildren({ children }) {
  return children.filter(({ isTried }) => !isTried);
}

/** All positions of the game, each after its parent and its elder siblings. @param {TreeNode} root */
function allNodes(root) {
  const nodes = [root];
  // The list grows during the iteration.
  for (const node of nodes) nodes.push(...keptChildren(node));
  return nodes;
}

/** Without HTTPS, pages have no `crypto.randomUUID`. */
export function newId() {
  const parts = crypto.getRandomValues(new Uint32Array(4));
  return Array.from(parts, (part) => part.toString(36)).join("-");
}
