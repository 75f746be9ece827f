/**
 * The way to the engine, which is in this page. A worker reads nothing during a search without
 * shared memory, so there are two engines: one searches, the other one answers everything else.
 */
import { Soucie } from "./soucie.js";

/** What the page shows while there is no engine. */
export const NO_ENGINE = "The engine does not run";

/** The commands of the engine that searches, by their first word. */
const SEARCH_COMMANDS = ["go", "analyse", "stop", "ucinewgame", "isready"];

/** Endgame tables are loaded for a game that has so few pieces left. They are for one variant. */
const FEW_PIECES = 10;
const VARIANT_OF_TABLES = "englishdraughts";

/** @type {Connect} */
export function connect({ onOpen, onLine, onClose }) {
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
  /** Whether tables have been asked for, since the last new game if they could not be loaded. */
  let hasTriedTables = false;
  /** @param {string} line */
  const receive = (line) => {
    // No command of the page asks for the tables, so their errors belong to none.
    if (/^info string (error )?tables\b/.test(line)) return;
    if (!hasTriedTables && line.startsWith("state ") && needsTables(line)) {
      hasTriedTables = true;
      // Without tables the engine plays on.
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
  Promise.all([start(), start()]).then((started) => {
    receivers = started;
    if (!isClosed) onOpen();
  }, close);
  return {
    send: (line) => {
      const [searching, answering] = receivers;
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

/** Whether the tables are for a position soon. @param {string} line the answer to `state` */
function needsTables(line) {
  /** @type {State | null} */
  const state = JSON.parse(line.slice(line.indexOf(" ")));
  return state?.variant === VARIANT_OF_TABLES && state.pieces.length <= FEW_PIECES;
}

/** An engine that gets options and a position when it has something to do with them. */
class Receiver {
  /** The lines that wait, by what they set. @type {Map<string, string>} */
  #waiting = new Map();

  /** @param {Soucie} engine */
  constructor(engine) {
    this.engine = engine;
  }

  /** @param {string} line an option or a position */
  set(line) {
    const what = line.startsWith("position") ? "position" : (line.split(" value ", 1)[0] ?? "");
    // A variant ends the position before it, so the order is that of the last ones.
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
