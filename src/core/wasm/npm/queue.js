/**
 * A queue of lines and files in shared memory, from the page to the worker. The worker can read it
 * during a search.
 *
 * The header has four 32-bit numbers: the bytes written and read so far, whether the input has
 * ended, and a counter of changes to wait for. The data is a ring buffer of consecutive entries. An
 * entry has two 32-bit numbers, its length and the remaining bytes of a file, and its bytes. For a
 * line these are UTF-8, and the second number is 0. A file can be larger than the ring: it is split
 * into several entries, and the remaining bytes include the entry itself.
 */

/** Whether this runs in Node and not in a browser. */
export const isNode = Boolean(globalThis.process?.versions?.node);

/** The longest line that the protocol reads, in bytes. */
const LONGEST_LINE = 1 << 20;
const CAPACITY = 1 << 21;
/** The largest part of a file, in bytes. */
const LARGEST_PART = 1 << 19;
const [WRITTEN, READ, ENDED, CHANGES] = [0, 1, 2, 3];
const HEADER_BYTES = 16;
const ENTRY_HEADER_BYTES = 8;

class Ring {
  /** @param {SharedArrayBuffer} memory */
  constructor(memory) {
    this.header = new Int32Array(memory, 0, HEADER_BYTES / 4);
    this.data = new Uint8Array(memory, HEADER_BYTES);
  }

  used() {
    return (Atomics.load(this.header, WRITTEN) - Atomics.load(this.header, READ)) >>> 0;
  }

  /** @param {number} counter its place in the header @param {number} bytes */
  advance(counter, bytes) {
    Atomics.add(this.header, counter, bytes);
    Atomics.add(this.header, CHANGES, 1);
    Atomics.notify(this.header, CHANGES);
  }

  /**
   * Copies bytes into the ring, `offset` bytes after the written part.
   * @param {Uint8Array} bytes
   * @param {number} offset
   */
  put(bytes, offset) {
    const start = ((Atomics.load(this.header, WRITTEN) >>> 0) + offset) % CAPACITY;
    const first = Math.min(bytes.length, CAPACITY - start);
    this.data.set(bytes.subarray(0, first), start);
    this.data.set(bytes.subarray(first), 0);
  }

  /**
   * Copies bytes from the ring, `offset` bytes after the read part.
   * @param {Uint8Array} bytes
   * @param {number} offset
   */
  get(bytes, offset) {
    const start = ((Atomics.load(this.header, READ) >>> 0) + offset) % CAPACITY;
    const first = Math.min(bytes.length, CAPACITY - start);
    bytes.set(this.data.subarray(start, start + first));
    bytes.set(this.data.subarray(0, bytes.length - first), first);
  }
}

/** The writing end, for the page. Writing never blocks: lines wait here while the ring is full. */
export class QueueWriter {
  constructor() {
    this.memory = new SharedArrayBuffer(HEADER_BYTES + CAPACITY);
    this.ring = new Ring(this.memory);
    /** The waiting entries: bytes, and the rest of a file. @type {[Uint8Array, number][]} */
    this.waiting = [];
    this.ended = false;
    this.encoder = new TextEncoder();
  }

  /** @param {string} line */
  push(line) {
    // One byte more than the limit is enough for the protocol to refuse the line.
    this.waiting.push([this.encoder.encode(line).subarray(0, LONGEST_LINE + 1), 0]);
    this.flush();
  }

  /** @param {Uint8Array} file not empty */
  pushFile(file) {
    for (let at = 0; at < file.length; at += LARGEST_PART) {
      this.waiting.push([file.subarray(at, at + LARGEST_PART), file.length - at]);
    }
    this.flush();
  }

  end() {
    this.ended = true;
    this.flush();
  }

  flush() {
    clearTimeout(this.timer);
    for (let [entry] = this.waiting; entry !== undefined; [entry] = this.waiting) {
      const [bytes, left] = entry;
      if (this.ring.used() + ENTRY_HEADER_BYTES + bytes.length > CAPACITY) {
        this.timer = setTimeout(() => this.flush(), 5);
        return;
      }
      this.ring.put(new Uint8Array(Uint32Array.of(bytes.length, left).buffer), 0);
      this.ring.put(bytes, ENTRY_HEADER_BYTES);
      this.ring.advance(WRITTEN, ENTRY_HEADER_BYTES + bytes.length);
      this.waiting.shift();
    }
    if (this.ended) {
      this.ring.advance(ENDED, 1);
      this.ended = false;
    }
  }
}

/** The reading end, for the worker. */
export class QueueReader {
  /** @param {SharedArrayBuffer} memory */
  constructor(memory) {
    this.ring = new Ring(memory);
    /** The file of which a part has been read. @type {Uint8Array | null} */
    this.file = null;
  }

  /**
   * Reads a line into the memory that `reserve(length)` returns. Returns its length, or -1 if there
   * is none yet, or -2 at the end of the input, or -3 if it is not a line but a file. Blocks for the
   * next line if `waits` is true.
   * @param {boolean} waits
   * @param {(length: number) => Uint8Array} reserve
   */
  read(waits, reserve) {
    const { ring } = this;
    for (;;) {
      const changes = Atomics.load(ring.header, CHANGES);
      if (ring.used() > 0) {
        const header = new Uint8Array(ENTRY_HEADER_BYTES);
        ring.get(header, 0);
        const [length = 0, left = 0] = new Uint32Array(header.buffer);
        if (left === 0) {
          ring.get(reserve(length), ENTRY_HEADER_BYTES);
        } else {
          this.file ??= new Uint8Array(left);
          const begin = this.file.length - left;
          ring.get(this.file.subarray(begin, begin + length), ENTRY_HEADER_BYTES);
        }
        ring.advance(READ, ENTRY_HEADER_BYTES + length);
        if (left === 0) return length;
        if (left > length) continue;
        if (this.file) reserve(this.file.length).set(this.file);
        this.file = null;
        return -3;
      }
      if (Atomics.load(ring.header, ENDED) > 0) return -2;
      if (!waits) return -1;
      Atomics.wait(ring.header, CHANGES, changes);
    }
  }
}
