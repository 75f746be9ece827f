/** The engine in a worker, for browsers and Node. See `soucie.d.ts`. */
/** @import { Hint, Info, Limits, Position, SearchResult } from "./soucie.d.ts" */
import { isNode } from "./queue.js";
import { RestartTransport, SharedTransport } from "./transports.js";

const WASM = new URL("./soucie.wasm", import.meta.url);
const TABLES = new URL("./draughts.tables", import.meta.url);
/** Four times the size of the tables of four pieces. */
const MOST_TABLE_BYTES = 1 << 24;

/**
 * Loads a file: from an address, or beside this module.
 * @param {string | URL} address
 */
const load = async (address) => {
  const url = new URL(address, isNode ? import.meta.url : globalThis.location?.href);
  if (url.protocol === "file:" && isNode) {
    const { readFile } = await import(
      /* webpackIgnore: true */ /* @vite-ignore */ "node:fs/promises"
    );
    return readFile(url);
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`cannot load ${url}: status ${response.status}`);
  return response.arrayBuffer();
};

// Not the streaming function: some static hosts do not serve the media type that it requires.
const compile = async () => WebAssembly.compile(await load(WASM));

/**
 * A copy of bytes, unpacked if they are compressed with gzip. Some hosts send them unpacked.
 * @param {ArrayBuffer | Uint8Array<ArrayBuffer>} packed
 */
const unpack = async (packed) => {
  const bytes = new Uint8Array(packed);
  const [first, second] = bytes;
  if (first !== 0x1f || second !== 0x8b) return bytes;
  const { readable, writable } = new DecompressionStream("gzip");
  const writer = writable.getWriter();
  const unpacked = new Response(readable).arrayBuffer();
  const [result] = await Promise.all([unpacked, writer.write(bytes), writer.close()]);
  return new Uint8Array(result);
};

/** The module is compiled once a page. @type {Promise<WebAssembly.Module> | undefined} */
let compiled;

/** Whether memory can be shared with the worker. */
const canShare = () => isNode || globalThis.crossOriginIsolated === true;

/** @param {string} line */
const words = (line) => line.trim().split(/\s+/);

const NUMBERS = /** @type {const} */ ([
  "depth",
  "seldepth",
  "multipv",
  "chances",
  "nodes",
  "nps",
  "hashfull",
  "tbhits",
  "time",
]);

/**
 * The fields of an `info` line; undefined if it has no score.
 * @param {string} line
 * @returns {Info | undefined}
 */
const parseInfo = (line) => {
  const [, ...rest] = words(line);
  /** @type {Partial<Info>} */
  const info = {};
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at];
    const name = NUMBERS.find((name) => name === word);
    if (name !== undefined) info[name] = Number(rest[++at]);
    else if (word === "score") {
      const unit = /** @type {"cp" | "mate"} */ (rest[++at]);
      info.score = { unit, value: Number(rest[++at]) };
    } else if (word === "lowerbound" || word === "upperbound") {
      if (info.score) info.score.bound = word;
    } else if (word === "wdl") info.wdl = [rest[++at], rest[++at], rest[++at]].map(Number);
    else if (word === "pv") {
      info.pv = rest.slice(at + 1).join(" ");
      break;
    } else if (word === "string") return undefined;
  }
  return info.score && { ...info, score: info.score };
};

/** @param {Position} [position] */
const positionLine = (position = "startpos") => {
  const { fen, moves = [] } = typeof position === "string" ? { fen: position } : position;
  const setup = fen === undefined || fen === "startpos" ? "startpos" : `fen ${fen}`;
  return `position ${setup}${moves.length > 0 ? ` moves ${moves.join(" ")}` : ""}`;
};

/** @param {Limits} [limits] */
const goLine = (limits = {}) => {
  const { searchmoves = [], ...rest } = limits;
  const parts = Object.entries(rest).flatMap(([name, value]) =>
    value === true ? [name] : value === false || value === undefined ? [] : [name, value],
  );
  if (searchmoves.length > 0) parts.push("searchmoves", ...searchmoves);
  return ["go", ...parts].join(" ");
};

export class Soucie {
  /** Called with each line of the engine. @type {((line: string) => void) | null} */
  onLine = null;

  /** @type {SharedTransport | RestartTransport} */
  #transport;
  #isClosed = false;
  #partial = "";
  /** The searches that wait for their `bestmove`, in the order of their `go`. @type {Search[]} */
  #searches = [];
  /** The hints that wait for their answer, in order. @type {HintRequest[]} */
  #hints = [];
  /** The files of endgame tables that have no answer yet. @type {PromiseWithResolvers<void>[]} */
  #tables = [];
  /** @type {PromiseWithResolvers<void>} */
  #end = withResolvers();

  /** @param {SharedTransport | RestartTransport} transport */
  constructor(transport) {
    this.#transport = transport;
  }

  static async create({ shared = canShare() } = {}) {
    compiled ??= compile();
    // A failure is not kept, because it may be temporary.
    compiled.catch(() => (compiled = undefined));
    const transport = new (shared ? SharedTransport : RestartTransport)(await compiled);
    const engine = new Soucie(transport);
    // A failure also rejects the searches, so the client may ignore `ended`.
    engine.ended.catch(() => {});
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

  /** @param {string} line */
  send(line) {
    if (this.#isClosed) throw new Error("the engine has ended");
    for (const part of String(line).split(/\r?\n/)) {
      const [word, ...rest] = words(part);
      if (word === "go" && !rest.includes("perft")) this.#searches.push({});
      if (word === "hint") this.#hints.push({});
      this.#transport.send(part);
    }
  }

  /**
   * @param {{ position?: Position, limits?: Limits }} [request]
   * @returns {Promise<SearchResult>}
   */
  search({ position, limits } = {}) {
    return new Promise((resolve, reject) => {
      this.#request(positionLine(position), goLine(limits));
      Object.assign(this.#searches.at(-1) ?? {}, { resolve, reject, info: [] });
    });
  }

  /**
   * @param {{ position?: Position, limits?: object }} [request]
   * @returns {Promise<Hint>}
   */
  hint({ position, limits = {} } = {}) {
    return new Promise((resolve, reject) => {
      this.#request(positionLine(position), `hint ${JSON.stringify(limits)}`);
      Object.assign(this.#hints.at(-1) ?? {}, { resolve, reject });
    });
  }

  /** @param {string[]} lines */
  #request(...lines) {
    if (lines.some((line) => /[\r\n]/.test(line)))
      throw new Error("a setup or a move has a line break");
    for (const line of lines) this.send(line);
  }

  /** @param {string | URL | ArrayBuffer | Uint8Array<ArrayBuffer>} [source] */
  async loadTables(source = TABLES) {
    const isFile = source instanceof ArrayBuffer || ArrayBuffer.isView(source);
    const packed = isFile ? source : await load(source);
    const tables = await unpack(packed).catch((cause) => {
      throw new Error("tables: the file cannot be unpacked", { cause });
    });
    if (tables.length === 0 || tables.length > MOST_TABLE_BYTES) {
      throw new Error(`tables: the file has ${tables.length} bytes`);
    }
    if (this.#isClosed) throw new Error("the engine has ended");
    const answer = withResolvers();
    this.#tables.push(answer);
    this.#transport.sendTables(tables);
    return answer.promise;
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

  /** @param {string} text */
  #read(text) {
    const lines = (this.#partial + text).split("\n");
    this.#partial = lines.pop() ?? "";
    for (const line of lines) {
      this.#note(line);
      this.onLine?.(line);
    }
  }

  /** @param {string} line */
  #note(line) {
    const [answer] = this.#tables;
    if (answer && /^info string (error )?tables\b/.test(line)) {
      this.#tables.shift();
      if (line.startsWith("info string tables")) answer.resolve();
      else answer.reject(new Error(line.slice("info string error ".length)));
    } else if (line.startsWith("info string error")) {
      // The last search has caused it, if not a line that the client has sent.
      const request = this.#hints.at(-1) ?? this.#searches.at(-1);
      if (request) request.error = line.slice("info string error ".length);
    } else if (line.startsWith("hint ")) {
      const { resolve, reject, error } = this.#hints.shift() ?? {};
      const hint = JSON.parse(line.slice("hint ".length));
      if (hint) resolve?.(hint);
      else reject?.(new Error(error ?? "the search is stopped"));
    } else if (line.startsWith("info")) {
      const info = parseInfo(line);
      if (info !== undefined) this.#searches[0]?.info?.push(info);
    } else if (line.startsWith("bestmove")) {
      const { resolve, reject, info, error } = this.#searches.shift() ?? {};
      const [, bestmove = "", , ponder] = words(line);
      if (bestmove === "(none)" && info?.length === 0)
        reject?.(new Error(error ?? "the search is refused"));
      else resolve?.({ bestmove, ponder, info: info ?? [] });
    }
  }

  /** @param {Error} [error] */
  #close(error) {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const reason = error ?? new Error("the engine has ended");
    for (const { reject } of this.#searches.splice(0)) reject?.(reason);
    for (const { reject } of this.#hints.splice(0)) reject?.(reason);
    for (const { reject } of this.#tables.splice(0)) reject(reason);
    if (error === undefined) this.#end.resolve();
    else this.#end.reject(error);
  }
}

/**
 * A search in progress; empty if it was sent as a line.
 * @typedef {object} Search
 * @property {(result: SearchResult) => void} [resolve]
 * @property {(error: Error) => void} [reject]
 * @property {Info[]} [info]
 * @property {string} [error] the last error since it was sent
 */

/**
 * A hint to come; empty if it was sent as a line.
 * @typedef {object} HintRequest
 * @property {(hint: Hint) => void} [resolve]
 * @property {(error: Error) => void} [reject]
 * @property {string} [error] the last error since it was sent
 */

/** `Promise.withResolvers`, which older JavaScript engines lack. */
function withResolvers() {
  /** @type {Partial<PromiseWithResolvers<void>>} */
  const parts = {};
  parts.promise = new Promise((resolve, reject) => Object.assign(parts, { resolve, reject }));
  return /** @type {PromiseWithResolvers<void>} */ (parts);
}
