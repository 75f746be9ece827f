/**
 * The engine, reached through a transport whose connection may be lost and restored.
 *
 * There are two queues. A request (`state`, `check`, ...) is answered at once, also during a
 * search; only one is in progress at a time, so that an error belongs to it. A job (a search) takes
 * long; one runs at a time, and its start is a request. Every request includes its position and
 * options, so that it can be sent again over a new connection, whose engine has no state.
 */
import { wait } from "./page.js";
import { goCommand, parseInfo, positionCommand } from "./protocol.js";

/** Milliseconds between attempts to connect; the last one is repeated. */
const RETRY_AFTER = [300, 700, 1500, 3000, 6000];
/** After so many connections lost during a request or a job, it is assumed to be the cause. */
const MOST_LOSSES = 3;
const ERROR = "info string error ";
const ENDLESS = "go infinite";
const LOST = "the connection ends at this command";

/** @param {string} command */
function wordOf(command) {
  return command.split(" ", 1)[0] ?? "";
}

class EngineError extends Error {}

export class Engine {
  /** @type {(connection: Connection) => void} */
  onConnection = () => {};

  #connect;
  /** @type {Transport | null} */
  #transport = null;
  #isOpen = false;
  #attempts = 0;
  #retry = 0;

  /** @type {EngineRequest[]} */
  #requests = [];
  /** @type {EngineRequest | null} */
  #request = null;
  /** @type {Job[]} */
  #jobs = [];
  /** The job that the engine runs or is about to run. @type {Job | null} */
  #job = null;
  #variants;
  /** The usual rules. @type {Options} */
  rules = {};

  /** @param {Connect} connect @param {readonly Variant[]} variants */
  constructor(connect, variants) {
    this.#connect = connect;
    this.#variants = variants;
    for (const { name, default: usual } of variants.flatMap(({ options = [] }) => options)) {
      this.rules[name] = String(usual);
    }
  }

  /** Connects now. */
  connect() {
    clearTimeout(this.#retry);
    if (this.#transport) return;
    this.#transport = this.#connect({
      onOpen: () => this.#opened(),
      onLine: (line) => this.#receive(line),
      onClose: (reason, isRefused) => this.#closed(reason, isRefused),
    });
  }

  /** The board after the moves of a position. @param {Position} position @returns {Promise<State>} */
  async state(position) {
    const { variant, setup, moves, rules } = position;
    const isStart = setup === null && moves.length === 0 && Object.keys(rules ?? {}).length === 0;
    const known = isStart && this.#variants.find(({ name }) => name === variant);
    return known ? known.first : this.query(position, "state");
  }

  /**
   * Resolves with the answer to a command: the JSON after a word.
   * Rejects with an `EngineError` if the engine refuses the position or the command.
   * @param {Position | null} position
   * @param {string} command
   * @param {Options} [options]
   * @param {string} [answer] the word
   */
  query(position, command, options = {}, answer = wordOf(command)) {
    /** @type {PromiseWithResolvers<any>} */
    const { promise, resolve, reject: fail } = Promise.withResolvers();
    const request = { position, options, command, answer, resolve, fail, error: null, losses: 0 };
    this.#requests.push(request);
    this.#sendRequest();
    return wait(promise);
  }

  newGame() {
    // Only a lost connection can fail here, and a new engine has nothing to clear.
    this.query(null, "ucinewgame\nisready", {}, "readyok").catch(() => {});
  }

  /**
   * Searches a position after the searches requested before. `best` is null without a legal move.
   * @param {Position} position
   * @param {Limits} limits
   * @param {Options} options
   * @param {(info: Info) => void} [onInfo]
   * @returns {Search}
   */
  search(position, limits, options, onInfo = () => {}) {
    /** @type {PromiseWithResolvers<string | null>} */
    const { promise, resolve, reject } = Promise.withResolvers();
    const stop = this.run(position, options, goCommand(limits), reject, (line) => {
      const [word, move] = line.split(" ");
      if (word === "bestmove") {
        resolve(move === undefined || move === "(none)" ? null : move);
        return true;
      }
      const info = parseInfo(line);
      if (info) onInfo(info);
      return false;
    });
    return { best: promise, stop };
  }

  /**
   * Runs a command that prints lines until one of them ends it. The returned function stops it,
   * which makes that line come soon.
   * @param {Position} position
   * @param {Options} options
   * @param {string} command
   * @param {(error: Error) => void} fail
   * @param {(line: string) => boolean} receive whether the line is the last one
   */
  run(position, options, command, fail, receive) {
    /** @type {Job} */
    const job = {
      position,
      options,
      command,
      receive,
      fail,
      isRunning: false,
      isStopped: false,
      error: null,
      losses: 0,
      end: () => {},
    };
    if (command !== ENDLESS) wait(new Promise((end) => Object.assign(job, { end })));
    this.#jobs.push(job);
    this.#startJob();
    return () => {
      if (this.#job === job && job.isRunning && !job.isStopped) this.#send("stop");
      job.isStopped = true;
    };
  }

  #sendRequest() {
    if (!this.#isOpen || this.#request) return;
    const request = this.#requests.shift();
    if (!request) return;
    this.#request = request;
    const { position, options, command } = request;
    const variant = position ? { UCI_Variant: position.variant } : {};
    const needed = { ...this.rules, ...position?.rules, ...variant, ...options };
    for (const [name, value] of Object.entries(needed))
      this.#send(`setoption name ${name} value ${value}`);
    if (position) this.#send(positionCommand(position));
    for (const line of command.split("\n")) this.#send(line);
  }

  #startJob() {
    if (this.#job) return;
    this.#job = this.#jobs.shift() ?? null;
    if (this.#job) this.#sendJob(this.#job);
  }

  /** @param {Job} job */
  async #sendJob(job) {
    try {
      await this.query(job.position, `${job.command}\nisready`, job.options, "readyok");
      if (this.#job !== job) return;
      job.isRunning = true;
      if (job.isStopped) this.#send("stop");
    } catch (error) {
      job.fail(/** @type {Error} */ (error));
      // A job that the engine refuses still has its last line.
      if (error instanceof EngineError) job.isRunning = true;
      else if (this.#job === job) this.#endJob();
    }
  }

  #endJob() {
    this.#job?.end();
    this.#job = null;
    this.#startJob();
  }

  /** @param {string} line */
  #send(line) {
    // A line break inside a text would begin another command.
    if (this.#isOpen) this.#transport?.send(line.replace(/[\r\n]+/g, " "));
  }

  /** @param {string} line */
  #receive(line) {
    this.#attempts = 0;
    const request = this.#request;
    if (line.startsWith(ERROR)) {
      const error = line.slice(ERROR.length);
      const job = this.#job;
      const isOfJob = job?.isRunning && (!request || error.startsWith(`${wordOf(job.command)}: `));
      const failing = isOfJob ? job : request;
      if (failing) failing.error ??= error;
      return;
    }
    const end = line.indexOf(" ");
    if (request && (end < 0 ? line : line.slice(0, end)) === request.answer) {
      this.#request = null;
      if (request.error !== null) request.fail(new EngineError(request.error));
      else request.resolve(end < 0 ? null : JSON.parse(line.slice(end + 1)));
      this.#sendRequest();
    } else if (this.#job?.receive(line)) {
      const { isRunning, fail, error } = this.#job;
      // No effect on a job that is complete. It may end before the answer to its start.
      const reason = isRunning ? error : request?.error;
      fail(new EngineError(reason ?? "the engine has not finished"));
      this.#endJob();
    }
  }

  #opened() {
    this.#isOpen = true;
    this.onConnection({ isOpen: true, reason: "" });
    this.#sendRequest();
  }

  /** @param {string} reason @param {boolean} isRefused whether no command is the cause */
  #closed(reason, isRefused) {
    this.#isOpen = false;
    this.#transport = null;
    this.#repeatAfterLoss(reason, isRefused);
    const wait = RETRY_AFTER[Math.min(this.#attempts, RETRY_AFTER.length - 1)] ?? 0;
    this.#attempts += 1;
    this.#retry = setTimeout(() => this.connect(), wait);
    this.onConnection({ isOpen: false, reason });
  }

  /**
   * Moves requests and jobs in progress back to the head of their queues.
   * @param {string} reason
   * @param {boolean} isRefused
   */
  #repeatAfterLoss(reason, isRefused) {
    const request = this.#request;
    this.#request = null;
    if (request) {
      if (!isRefused) request.losses += 1;
      request.error = null;
      if (request.losses < MOST_LOSSES) this.#requests.unshift(request);
      else request.fail(new Error(reason || LOST));
    }
    // A job whose start is among the requests begins with it.
    const job = this.#job;
    if (!job?.isRunning) return;
    job.isRunning = false;
    job.error = null;
    if (!isRefused) job.losses += 1;
    if (job.losses < MOST_LOSSES) this.#sendJob(job);
    else {
      job.fail(new Error(reason || LOST));
      this.#endJob();
    }
  }
}
