/**
 * The worker, which contains the WebAssembly module. The page sends `{ module, memory }` and,
 * without shared memory, `{ line }`, `{ tables }` and `{ end: true }`. The worker sends
 * `{ ready: true }`, `{ text }`, which is one or more lines, and `{ ended: true }`; without shared
 * memory also `{ idle: true }` when a line has been processed, and `{ parked: true }` when a search
 * has ended but its `bestmove` waits for `stop`.
 */
import { isNode, QueueReader } from "./queue.js";

/**
 * @typedef {object} Message
 * @property {WebAssembly.Module} [module]
 * @property {SharedArrayBuffer} [memory]
 * @property {string} [line]
 * @property {Uint8Array} [tables] a file of endgame tables
 * @property {boolean} [end]
 */

/**
 * @typedef {object} Exports
 * @property {WebAssembly.Memory} memory
 * @property {(length: number) => number} reserve
 * @property {() => number} run
 */

/** Aborts a search that waits for `stop`. The page continues with a new worker. */
class Parked extends Error {}

const threads = isNode
  ? await import(/* webpackIgnore: true */ /* @vite-ignore */ "node:worker_threads")
  : null;
const port = threads?.parentPort ?? globalThis;

/** The exports of the module: see `src/core/wasm/mod.rs`. @type {Exports} */
let exported;
/** @type {(string | Uint8Array)[]} */
const lines = [];
let ended = false;
/** How often the module has waited without result since the last input. */
let waits = 0;

/** @param {number} pointer @param {number} length */
const bytes = (pointer, length) => new Uint8Array(exported.memory.buffer, pointer, length);
/** @param {number} length */
const reserve = (length) => bytes(exported.reserve(length), length);

/** The input without shared memory, that before the search. @param {boolean} mustWait */
const receiveLine = (mustWait) => {
  const line = lines.shift();
  if (line !== undefined) {
    const isLine = typeof line === "string";
    const bytes = isLine ? new TextEncoder().encode(line) : line;
    reserve(bytes.length).set(bytes);
    waits = 0;
    return isLine ? bytes.length : -3;
  }
  if (ended) return -2;
  // One wait without result ends `run`. Only a search waits again.
  if (mustWait && ++waits > 1) throw new Parked();
  return -1;
};

/** @param {WebAssembly.Module} module @param {(mustWait: boolean) => number} receive */
const instantiate = (module, receive) => {
  const decoder = new TextDecoder();
  const { exports } = new WebAssembly.Instance(module, {
    soucie: {
      now: () => performance.now(),
      random: () => crypto.getRandomValues(new BigUint64Array(1))[0],
      /** @param {number} mustWait */
      receive: (mustWait) => receive(mustWait !== 0),
      /** @param {number} pointer @param {number} length */
      write: (pointer, length) =>
        port.postMessage({ text: decoder.decode(bytes(pointer, length)) }),
    },
  });
  exported = /** @type {Exports} */ (/** @type {unknown} */ (exports));
};

const run = () => {
  waits = 0;
  try {
    port.postMessage(exported.run() ? { ended: true } : { idle: true });
  } catch (error) {
    if (!(error instanceof Parked)) throw error;
    port.postMessage({ parked: true });
  }
};

/** @param {Message} message */
const onMessage = (message) => {
  if (message.module && message.memory) {
    const queue = new QueueReader(message.memory);
    instantiate(message.module, (mustWait) => queue.read(mustWait, reserve));
    run();
  } else if (message.module) {
    instantiate(message.module, receiveLine);
  } else {
    if (message.end) ended = true;
    else lines.push(message.tables ?? message.line ?? "");
    run();
  }
};

if (threads) threads.parentPort?.on("message", onMessage);
else globalThis.onmessage = ({ data }) => onMessage(data);
port.postMessage({ ready: true });
