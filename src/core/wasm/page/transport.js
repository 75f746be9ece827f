/**
 * The transport to the engine, which runs in this page. Without shared memory a worker reads
 * nothing during a search, so there are two engines: one searches, the other one answers everything
 * else.
 */
import { Soucie } from "./soucie.js";

/** The message while there is no engine. */
export const NO_ENGINE = "The engine does not run";

/** The commands of the engine that searches, by their first word. */
const SEARCH_COMMANDS = ["go", "analyse", "hint", "stop", "ucinewgame", "isready"];

/** Endgame tables are loaded from this number of pieces on. They are for one variant. */
const FEW_PIECES = 10;
const VARIANT_OF_TABLES = "englishdraughts";

/** @type {Connect} */
export function connect({ onOpen, onLine, onClose }, hasSearches = true) {
  /** @type {Soucie[]} */
  const engines = [];
  let isClosed = false;
  /** @param {unknown} [error] */
  const close = (error) => {
    if (isClosed) return;
    isClosed = true;
    for (const engine of engines) engine.terminate();
    onClose(error instanceof Error ? error.message : "", false);
  };
  let hasTables = false;
  /** Whether tables have been requested, since the last new game if they could not be loaded. */
  let hasTriedTables = false;
  /** @param {string} line */
  const receive = (line) => {
    // No command of the page loads the tables, so their errors belong to none.
    if (/^info string (error )?tables\b/.test(line)) return;
    if (!hasTriedTables && line.startsWith("state ") && needsTables(line)) {
      hasTriedTables = true;
      // Without tables the engine continues to play.
      const loaded = receivers[0]?.engine.loadTables();
      loaded?.then(
        () => (hasTables = true),
        () => {},
      );
    }
    onLine(line);
  };
  const start = async () => {
    const engine = await Soucie.create();
    engines.push(engine);
    if (isClosed) engine.terminate();
    engine.onLine = receive;
    engine.ended.then(close, close);
    return new Receiver(engine);
  };
  /** @type {Receiver[]} */
  let receivers = [];
  Promise.all(hasSearches ? [start(), start()] : [start()]).then((started) => {
    receivers = started;
    if (!isClosed) onOpen();
  }, close);
  return {
    send: (line) => {
      const [searching, answering = searching] = receivers;
      const [word = ""] = line.split(" ", 1);
      if (word === "ucinewgame") hasTriedTables = hasTables;
      if (word === "setoption" || word === "position") {
        for (const receiver of receivers) receiver.set(line);
      } else if (SEARCH_COMMANDS.includes(word)) {
        searching?.send(line);
      } else {
        answering?.send(line);
      }
    },
  };
}

/** Whether the tables may soon be needed. @param {string} line the answer to `state` */
function needsTables(line) {
  /** @type {State | null} */
  const state = JSON.parse(line.slice(line.indexOf(" ")));
  return state?.variant === VARIANT_OF_TABLES && state.pieces.length <= FEW_PIECES;
}

/** An engine that gets options and the position only when a command needs them. */
class Receiver {
  /** The waiting lines, by what they set. @type {Map<string, string>} */
  #waiting = new Map();

  /** @param {Soucie} engine */
  constructor(engine) {
    this.engine = engine;
  }

  /** @param {string} line an option or a position */
  set(line) {
    const what = line.startsWith("position") ? "position" : (line.split(" value ", 1)[0] ?? "");
    // A variant resets the position, so the order of the latest lines is kept.
    this.#waiting.delete(what);
    this.#waiting.set(what, line);
  }

  /** @param {string} line */
  send(line) {
    for (const waiting of this.#waiting.values()) this.engine.send(waiting);
    this.#waiting.clear();
    this.engine.send(line);
  }
}
