/** The engine in a worker, for browsers and Node. See `soucie.d.ts`. */
import { RestartTransport, SharedTransport } from "./transports.js";

const WASM = new URL("./soucie.wasm", import.meta.url);
const isNode = Boolean(globalThis.process?.versions?.node);

const compile = async () => {
  if (isNode) {
    const { readFile } = await import(
      /* webpackIgnore: true */ /* @vite-ignore */ "node:fs/promises"
    );
    return WebAssembly.compile(await readFile(WASM));
  }
  const response = await fetch(WASM);
  if (!response.ok) throw new Error(`cannot load ${WASM}: status ${response.status}`);
  // Not the streaming function: some static hosts do not serve the media type that it requires.
  return WebAssembly.compile(await response.arrayBuffer());
};

/** The module is compiled once a page. */
let compiled;

/** Whether lines can be shared with a worker that is busy. */
const canShare = () => isNode || globalThis.crossOriginIsolated === true;

const words = (line) => line.trim().split(/\s+/);

const NUMBERS = ["depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "tbhits", "time"];

/** The fields of an `info` line; undefined if it has no score. */
const parseInfo = (line) => {
  const [, ...rest] = words(line);
  const info = {};
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at];
    if (NUMBERS.includes(word)) info[word] = Number(rest[++at]);
    else if (word === "score") info.score = { unit: rest[++at], value: Number(rest[++at]) };
    else if (word === "lowerbound" || word === "upperbound") info.score.bound = word;
    else if (word === "wdl") info.wdl = [rest[++at], rest[++at], rest[++at]].map(Number);
    else if (word === "pv") return { ...info, pv: rest.slice(at + 1).join(" ") };
    else if (word === "string") return undefined;
  }
  return info.score && info;
};

const positionLine = (position = "startpos") => {
  const { fen, moves = [] } = typeof position === "string" ? { fen: position } : position;
  const setup = fen === undefined || fen === "startpos" ? "startpos" : `fen ${fen}`;
  return `position ${setup}${moves.length > 0 ? ` moves ${moves.join(" ")}` : ""}`;
};

const goLine = (limits = {}) => {
  const { searchmoves = [], ...rest } = limits;
  const parts = Object.entries(rest).flatMap(([name, value]) =>
    value === true ? [name] : value === false || value === undefined ? [] : [name, value],
  );
  // The moves come last: the engine reads words after them as moves.
  if (searchmoves.length > 0) parts.push("searchmoves", ...searchmoves);
  return ["go", ...parts].join(" ");
};

export class Soucie {
  /** Called with each line of the engine. */
  onLine = null;

  #transport;
  #isClosed = false;
  #partial = "";
  /** The searches that wait for their `bestmove`, in the order of their `go`. */
  #searches = [];
  #lastError;
  #end = Promise.withResolvers?.() ?? withResolvers();

  static async create({ shared = canShare() } = {}) {
    compiled ??= compile();
    // A failure is not kept: the network may come back.
    compiled.catch(() => (compiled = undefined));
    const engine = new Soucie();
    // A failure also rejects the searches: `ended` need not be used.
    engine.ended.catch(() => {});
    const transport = new (shared ? SharedTransport : RestartTransport)(await compiled);
    engine.#transport = transport;
    transport.onText = (text) => engine.#read(text);
    transport.onEnd = () => engine.#close();
    transport.onError = (error) => {
      transport.terminate();
      engine.#close(error);
    };
    await transport.open();
    return engine;
  }

  /** Resolves when the engine has ended; rejects if it has failed. */
  get ended() {
    return this.#end.promise;
  }

  send(line) {
    if (this.#isClosed) throw new Error("the engine has ended");
    for (const part of String(line).split(/\r?\n/)) {
      const [word, ...rest] = words(part);
      if (word === "go" && !rest.includes("perft")) this.#searches.push({});
      this.#transport.send(part);
    }
  }

  search({ position, limits } = {}) {
    return new Promise((resolve, reject) => {
      this.#lastError = undefined;
      this.send(positionLine(position));
      this.send(goLine(limits));
      Object.assign(this.#searches.at(-1), { resolve, reject, info: [] });
    });
  }

  /** The end of the input: pending searches finish, then the engine ends. */
  end() {
    if (!this.#isClosed) this.#transport.end();
  }

  quit() {
    if (!this.#isClosed) this.send("quit");
    return this.ended;
  }

  terminate() {
    this.#transport.terminate();
    this.#close();
  }

  #read(text) {
    const lines = (this.#partial + text).split("\n");
    this.#partial = lines.pop();
    for (const line of lines) {
      this.#note(line);
      this.onLine?.(line);
    }
  }

  #note(line) {
    if (line.startsWith("info string error")) {
      this.#lastError = line.slice("info string error ".length);
    } else if (line.startsWith("info")) {
      const info = parseInfo(line);
      if (info !== undefined) this.#searches[0]?.info?.push(info);
    } else if (line.startsWith("bestmove")) {
      const { resolve, reject, info } = this.#searches.shift() ?? {};
      const [, bestmove, , ponder] = words(line);
      if (bestmove === "(none)" && info?.length === 0) reject(new Error(this.#lastError));
      else resolve?.({ bestmove, ponder, info });
    }
  }

  #close(error) {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const reason = error ?? new Error("the engine has ended");
    for (const { reject } of this.#searches.splice(0)) reject?.(reason);
    if (error === undefined) this.#end.resolve();
    else this.#end.reject(error);
  }
}

/** `Promise.withResolvers` for engines of JavaScript without it. */
function withResolvers() {
  const parts = {};
  parts.promise = new Promise((resolve, reject) => Object.assign(parts, { resolve, reject }));
  return parts;
}
