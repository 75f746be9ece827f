/**
 * Two transports to a worker with the same methods: `send(line)`, `sendTables(file)`, `end()` and
 * `terminate()`. They call `onText(text)` with one or more lines, `onEnd()`, and `onError(error)`.
 */
import { isNode, QueueWriter } from "./queue.js";

/**
 * A message from a worker: see `worker.js`.
 * @typedef {{ ready?: true, text?: string, ended?: true, idle?: true, parked?: true }} FromWorker
 */

/** @typedef {{ postMessage(message: object): void, terminate(): unknown }} AnyWorker */

/**
 * Starts a worker. `onMessage` receives its messages, the first one when it is ready.
 * @param {(message: FromWorker) => void} onMessage
 * @param {(error: Error) => void} onError
 * @returns {Promise<AnyWorker>}
 */
const startWorker = async (onMessage, onError) => {
  if (!isNode) {
    const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }) => onMessage(data);
    worker.onerror = (event) => onError(new Error(event.message ?? "the worker cannot be loaded"));
    return worker;
  }
  const threads = await import(/* webpackIgnore: true */ /* @vite-ignore */ "node:worker_threads");
  const worker = new threads.Worker(new URL("./worker.js", import.meta.url));
  worker.on("message", onMessage);
  worker.on("error", onError);
  return worker;
};

class Transport {
  /** @type {(text: string) => void} */
  onText = () => {};
  onEnd = () => {};
  /** @type {(error: Error) => void} */
  onError = () => {};
  /** @type {AnyWorker | undefined} */
  worker;

  /** @param {WebAssembly.Module} module */
  constructor(module) {
    this.module = module;
  }
}

/** With shared memory the engine reads lines during a search. */
export class SharedTransport extends Transport {
  queue = new QueueWriter();

  async open() {
    /** @param {FromWorker} message */
    const onMessage = (message) => {
      if (message.ready) {
        this.worker?.postMessage({ module: this.module, memory: this.queue.memory });
      } else if (message.text !== undefined) {
        this.onText(message.text);
      } else {
        this.worker?.terminate();
        this.onEnd();
      }
    };
    this.worker = await startWorker(onMessage, (error) => this.onError(error));
  }

  /** @param {string} line */
  send(line) {
    this.queue.push(line);
  }

  /** @param {Uint8Array} tables */
  sendTables(tables) {
    this.queue.pushFile(tables);
  }

  end() {
    this.queue.end();
  }

  terminate() {
    this.worker?.terminate();
  }
}

/** @param {string} line */
const firstWord = (line) => line.trim().split(/\s+/)[0] ?? "";

/** The last line of each kind of job. */
const LAST_LINE = {
  go: /^bestmove/,
  perft: /^Nodes searched/,
  analyse: /^analyse (null$|\{"final":true)/,
  hint: /^hint /,
  bench: / nodes \d+ nps$/,
};

/** A search or another long command, which `stop` ends. */
class Job {
  /** Returns the job of a line; undefined for other commands. @param {string} line */
  static of(line) {
    const words = line.trim().split(/\s+/);
    const [word] = words;
    if (word === "go") return new Job(words.includes("perft") ? "perft" : "go", words);
    return word === "analyse" || word === "hint" || word === "bench"
      ? new Job(word, words)
      : undefined;
  }

  /** @param {keyof typeof LAST_LINE} kind @param {string[]} words */
  constructor(kind, words) {
    this.kind = kind;
    /** Whether the last line has arrived. */
    this.isAnswered = false;
    const limits = ["depth", "nodes", "movetime", "btime", "wtime", "p1time", "p2time", "mate"];
    this.isPondering = kind === "go" && words.includes("ponder");
    this.isEndless =
      kind === "go" &&
      (this.isPondering || words.includes("infinite") || !limits.some((l) => words.includes(l)));
  }

  /** Records the results in a line of the job. @param {string} line */
  read(line) {
    this.isAnswered ||= LAST_LINE[this.kind].test(line);
    if (this.kind === "go") {
      const words = line.split(" ");
      const pv = words.indexOf("pv");
      const rank = words.indexOf("multipv");
      if (words[0] === "info" && pv > 0 && (rank < 0 || words[rank + 1] === "1")) {
        this.best = words.slice(pv + 1, pv + 3);
      }
    }
  }

  /** The last line when the job is stopped now; undefined if a search has no move yet. */
  stopped() {
    if (this.kind === "perft") return "Nodes searched: unknown (stopped)";
    if (this.kind === "analyse") return 'analyse {"final":true,"stopped":true}';
    if (this.kind === "hint") return "hint null";
    if (this.kind === "bench") return "unknown nodes (stopped)";
    if (this.best === undefined) return undefined;
    const [best, ponder] = this.best;
    return `bestmove ${best}${ponder === undefined ? "" : ` ponder ${ponder}`}`;
  }
}

/**
 * A line for the worker.
 * @typedef {object} Entry
 * @property {string} line
 * @property {Uint8Array} [tables] a file of endgame tables in place of the line
 * @property {Job} [job] the job that it starts
 * @property {boolean} [isStopped] whether the job must answer as soon as possible
 * @property {boolean} [isParked] whether its search has ended, and waits for `stop`
 * @property {boolean} [isMuted] whether its output is dropped
 * @property {boolean} [isRefused] whether there was an error
 */

/**
 * Without shared memory a worker reads nothing during a search. Lines are queued here and sent one
 * at a time. To stop a search, its worker is terminated, and a new one gets the same options,
 * position and endgame tables.
 */
export class RestartTransport extends Transport {
  /** Lines that wait. @type {Entry[]} */
  queue = [];
  /** The line that the worker has. @type {Entry | undefined} */
  current;
  isReady = false;
  isEnding = false;
  /** A worker that is still starting ends as soon as it has started. */
  isTerminated = false;
  /** The last `setoption` line for each name. @type {Map<string, string>} */
  settings = new Map();
  /** The last `position`, and whether it was refused. @type {string | undefined} */
  position;
  isRefused = false;
  /** The last endgame tables. @type {Uint8Array | undefined} */
  tables;

  async open() {
    /** @param {FromWorker} message */
    const messages = (message) => {
      if (this.worker !== worker) return;
      if (message.ready) {
        worker.postMessage({ module: this.module });
        this.isReady = true;
        this.pump();
      } else if (message.text !== undefined) this.read(message.text);
      else if (message.idle) this.finish();
      else if (message.parked) this.park();
      else this.close();
    };
    /** @type {AnyWorker} */
    const worker = await startWorker(messages, (error) => {
      if (this.worker === worker) this.onError(error);
    });
    if (this.isTerminated) worker.terminate();
    else this.worker = worker;
  }

  /** @param {string} line */
  send(line) {
    const word = firstWord(line);
    if (word === "stop") this.stopAll();
    else if (word === "ponderhit") this.ponderHit();
    else {
      const job = Job.of(line);
      if (word === "quit") this.stopAll();
      else if (job !== undefined) this.stopEndless();
      this.queue.push({ line, job });
      this.pump();
    }
  }

  /** @param {Uint8Array} tables */
  sendTables(tables) {
    const { current, queue } = this;
    // After an endless search they might never be sent. Therefore they precede all waiting lines,
    // and a running endless search is restarted.
    const isEndless = current?.job?.isEndless && !current.job.isAnswered && !current.isStopped;
    if (isEndless) queue.unshift({ line: current.line, job: Job.of(current.line) });
    const lines = queue.findIndex((entry) => entry.tables === undefined);
    queue.splice(lines < 0 ? queue.length : lines, 0, { line: "", tables });
    if (isEndless) this.restart();
    else this.pump();
  }

  end() {
    this.isEnding = true;
    this.stopEndless();
    this.pump();
  }

  terminate() {
    this.isTerminated = true;
    this.queue = [];
    this.worker?.terminate();
    this.worker = undefined;
  }

  pump() {
    if (this.isReady && this.current === undefined) {
      this.current = this.queue.shift();
      if (this.current !== undefined) {
        const { line, tables } = this.current;
        this.worker?.postMessage({ line, tables });
      } else if (this.isEnding) {
        this.worker?.postMessage({ end: true });
      }
    }
    if (this.current?.job?.isAnswered === false) this.answerReady();
  }

  /** Answers `isready` during a job, because its line would wait for the end of the job. */
  answerReady() {
    /** @param {Entry} entry */
    const isReadyCommand = ({ line }) => firstWord(line) === "isready";
    const commands = this.queue.filter(isReadyCommand);
    this.queue = this.queue.filter((entry) => !isReadyCommand(entry));
    if (commands.length > 0) this.answer("readyok\n".repeat(commands.length));
  }

  /** @param {string} text */
  read(text) {
    const { current } = this;
    for (const line of text.split("\n")) {
      current?.job?.read(line);
      if (current !== undefined && line.startsWith("info string error")) current.isRefused = true;
    }
    if (!current?.isMuted) this.onText(text);
    this.stopIfPossible();
  }

  /** Called when the current line has been processed. */
  finish() {
    const { line, tables, isRefused = false } = this.current ?? { line: "" };
    const word = firstWord(line);
    if (tables !== undefined && !isRefused) this.tables = tables;
    if (word === "setoption" && !isRefused) this.keepSetting(line);
    if (word === "position") [this.position, this.isRefused] = [line, isRefused];
    // As in the engine, a new game after a refused position begins at the start position.
    if (word === "ucinewgame" && this.isRefused)
      [this.position, this.isRefused] = [undefined, false];
    this.current = undefined;
    this.pump();
  }

  /** @param {string} line */
  keepSetting(line) {
    const name = /^\s*setoption\s+name\s+(.*?)(\s+value\s.*)?$/s.exec(line)?.[1]?.toLowerCase();
    if (name === undefined) return;
    // The options of rules replay the game, so the order is kept.
    this.settings.delete(name);
    this.settings.set(name, line);
    if (name === "uci_variant") [this.position, this.isRefused] = [undefined, false];
  }

  /** The current search has ended, but must not answer before `stop` or `ponderhit`. */
  park() {
    if (this.current !== undefined) this.current.isParked = true;
    this.stopIfPossible();
  }

  /** The jobs that were requested and have not answered. */
  jobs() {
    return [this.current, ...this.queue].flatMap((entry) => (entry?.job ? [entry] : []));
  }

  stopAll() {
    for (const entry of this.jobs()) entry.isStopped = true;
    this.stopIfPossible();
  }

  stopEndless() {
    for (const entry of this.jobs()) if (entry.job?.isEndless) entry.isStopped = true;
    this.stopIfPossible();
  }

  ponderHit() {
    for (const entry of this.jobs().filter(({ job }) => job?.isPondering)) {
      entry.line = entry.line.replace(/\sponder(?=\s|$)/, "");
      entry.job = Job.of(entry.line);
      if (entry === this.current) {
        this.queue.unshift({ line: entry.line, job: entry.job });
        this.restart();
      }
    }
  }

  stopIfPossible() {
    const { current } = this;
    if (current?.job?.isAnswered !== false || !current.isStopped) return;
    const answer = current.job.stopped() ?? (current.isParked ? "bestmove (none)" : undefined);
    if (answer === undefined) return;
    current.job.isAnswered = true;
    this.answer(`${answer}\n`);
    this.restart();
  }

  /** Answers instead of the worker, but not within the call that sends a line. @param {string} text */
  answer(text) {
    queueMicrotask(() => this.onText(text));
  }

  /** Continues with a new worker. */
  restart() {
    this.worker?.terminate();
    this.worker = undefined;
    this.isReady = false;
    this.current = undefined;
    const lines = [...this.settings.values(), ...(this.position ? [this.position] : [])];
    this.queue.unshift(...lines.map((line) => ({ line, isMuted: true })));
    if (this.tables) this.queue.unshift({ line: "", tables: this.tables, isMuted: true });
    this.open().catch((error) => this.onError(error));
  }

  close() {
    this.worker?.terminate();
    this.onEnd();
  }
}
