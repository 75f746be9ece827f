/**
 * A queue of lines in shared memory, from the page to the worker. The worker can read it during a
 * search.
 *
 * The header has four numbers of 32 bits: the bytes written and read so far, whether the input has
 * ended, and a counter of changes to wait for. The data is a ring of bytes. A line is its length in
 * four bytes and its text in UTF-8.
 */

/** The longest line that the protocol reads, in bytes. */
const LONGEST_LINE = 1 << 20;
const CAPACITY = 1 << 21;
const [WRITTEN, READ, ENDED, CHANGES] = [0, 1, 2, 3];
const HEADER_BYTES = 16;
const LENGTH_BYTES = 4;

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
   * Copies bytes into the ring, `offset` bytes behind what is written.
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
   * Copies bytes from the ring, `offset` bytes behind what is read.
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

/** The end for the page. Writing never blocks: lines wait here while the ring is full. */
export class QueueWriter {
  constructor() {
    this.memory = new SharedArrayBuffer(HEADER_BYTES + CAPACITY);
    this.ring = new Ring(this.memory);
    /** @type {Uint8Array[]} */
    this.waiting = [];
    this.ended = false;
    this.encoder = new TextEncoder();
  }

  /** @param {string} line */
  push(line) {
    // What is longer is refused with its first word.
    this.waiting.push(this.encoder.encode(line).subarray(0, LONGEST_LINE + 1));
    this.flush();
  }

  end() {
    this.ended = true;
    this.flush();
  }

  flush() {
    clearTimeout(this.timer);
    for (let [text] = this.waiting; text !== undefined; [text] = this.waiting) {
      const length = new Uint8Array(Uint32Array.of(text.length).buffer);
      if (this.ring.used() + LENGTH_BYTES + text.length > CAPACITY) {
        this.timer = setTimeout(() => this.flush(), 5);
        return;
      }
      this.ring.put(length, 0);
      this.ring.put(text, LENGTH_BYTES);
      this.ring.advance(WRITTEN, LENGTH_BYTES + text.length);
      this.waiting.shift();
    }
    if (this.ended) {
      this.ring.advance(ENDED, 1);
      this.ended = false;
    }
  }
}

/** The end for the worker. */
export class QueueReader {
  /** @param {SharedArrayBuffer} memory */
  constructor(memory) {
    this.ring = new Ring(memory);
  }

  /**
   * Reads a line into the memory that `reserve(length)` returns. Returns its length, or -1 if there
   * is none yet, or -2 at the end of the input. Blocks for the next line if `waits` is true.
   * @param {boolean} waits
   * @param {(length: number) => Uint8Array} reserve
   */
  read(waits, reserve) {
    const { ring } = this;
    for (;;) {
      const changes = Atomics.load(ring.header, CHANGES);
      if (ring.used() > 0) {
        const length = new Uint8Array(LENGTH_BYTES);
        ring.get(length, 0);
        const [bytes = 0] = new Uint32Array(length.buffer);
        ring.get(reserve(bytes), LENGTH_BYTES);
        ring.advance(READ, LENGTH_BYTES + bytes);
        return bytes;
      }
      if (Atomics.load(ring.header, ENDED) > 0) return -2;
      if (!waits) return -1;
      Atomics.wait(ring.header, CHANGES, changes);
    }
  }
}
