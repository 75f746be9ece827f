/**
 * The way to the engine, which is in this page. A worker reads nothing during a search without
 * shared memory, so there are two engines: one searches, the other one answers everything else.
 */
import { Soucie } from "./soucie.js";

/** What the page shows while there is no engine. */
export const NO_ENGINE = "The engine does not run";

/** The commands of the engine that searches, by their first word. */
const SEARCH_COMMANDS = ["go", "analyse", "stop", "ucinewgame", "isready"];

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
  const start = async () => {
    const engine = await Soucie.create();
    engines.push(engine);
    if (isClosed) engine.terminate();
    engine.onLine = onLine;
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
