/**
 * The worker: it contains the WebAssembly module. The page sends `{ module, memory }` and, without
 * shared memory, `{ line }` and `{ end: true }`. The worker sends `{ ready: true }`, `{ text }`,
 * which is one or more lines, and `{ ended: true }`; without shared memory also `{ idle: true }`
 * when a line is done, and `{ parked: true }` when a search has ended that waits for `stop`.
 */
import { QueueReader } from "./queue.js";

/** Ends a search that waits for `stop`. The page goes on with a new worker. */
class Parked extends Error {}

const isNode = Boolean(globalThis.process?.versions?.node);
const port = isNode
  ? (await import(/* webpackIgnore: true */ /* @vite-ignore */ "node:worker_threads")).parentPort
  : globalThis;

let instance;
const lines = [];
let ended = false;
/** How often the module has waited for input in vain since it last got some. */
let waits = 0;

const bytes = (pointer, length) => new Uint8Array(instance.exports.memory.buffer, pointer, length);
const reserve = (length) => bytes(instance.exports.reserve(length), length);

/** The input without shared memory: what has arrived before the search. */
const receiveLine = (mustWait) => {
  const line = lines.shift();
  if (line !== undefined) {
    const text = new TextEncoder().encode(line);
    reserve(text.length).set(text);
    waits = 0;
    return text.length;
  }
  if (ended) return -2;
  // Waiting in vain once ends `run`. A search waits on.
  if (mustWait && ++waits > 1) throw new Parked();
  return -1;
};

const instantiate = (module, receive) => {
  const decoder = new TextDecoder();
  instance = new WebAssembly.Instance(module, {
    soucie: {
      now: () => performance.now(),
      random: () => crypto.getRandomValues(new BigUint64Array(1))[0],
      receive,
      write: (pointer, length) =>
        port.postMessage({ text: decoder.decode(bytes(pointer, length)) }),
    },
  });
};

const run = () => {
  waits = 0;
  try {
    port.postMessage(instance.exports.run() ? { ended: true } : { idle: true });
  } catch (error) {
    if (!(error instanceof Parked)) throw error;
    port.postMessage({ parked: true });
  }
};

const onMessage = (message) => {
  if (message.module && message.memory) {
    const queue = new QueueReader(message.memory);
    instantiate(message.module, (mustWait) => queue.read(Boolean(mustWait), reserve));
    run();
  } else if (message.module) {
    instantiate(message.module, (mustWait) => receiveLine(Boolean(mustWait)));
  } else {
    if (message.end) ended = true;
    else lines.push(message.line);
    run();
  }
};

if (isNode) port.on("message", onMessage);
else port.onmessage = ({ data }) => onMessage(data);
port.postMessage({ ready: true });
