/** The clocks of both sides. */
import { opponent } from "./protocol.js";

/** The interval between updates of the clocks, in milliseconds. */
const TICK = 100;

export class Clock {
  /** @type {Clocks} */
  #left = { black: 0, white: 0 };
  /** @type {Side | null} */
  #running = null;
  #since = 0;
  #timer = 0;

  /**
   * @param {() => void} onTick
   * @param {(side: Side) => void} onFlag the time of a side is up; its clock has stopped
   */
  constructor(onTick, onFlag) {
    this.onTick = onTick;
    this.onFlag = onFlag;
  }

  /** Stops, and shows these times. @param {Clocks} left */
  set(left) {
    this.stop();
    this.#left = { ...left };
  }

  /** @param {Side} side */
  start(side) {
    this.stop();
    this.#running = side;
    this.#since = performance.now();
    this.#timer = setInterval(() => this.#tick(), TICK);
  }

  stop() {
    clearInterval(this.#timer);
    if (this.#running) this.#left = this.left;
    this.#running = null;
  }

  /** Returns the remaining time of both sides, in milliseconds. @returns {Clocks} */
  get left() {
    const side = this.#running;
    if (!side) return { ...this.#left };
    const left = Math.max(0, this.#left[side] - (performance.now() - this.#since));
    const other = opponent(side);
    return /** @type {Clocks} */ ({ [side]: left, [other]: this.#left[other] });
  }

  /** The limits of a search. @param {TimeControl} time @returns {Limits} */
  limits(time) {
    if ("seconds" in time) return { movetime: time.seconds * 1000 };
    const { black, white } = this.left;
    const increment = time.increment * 1000;
    return { btime: black, wtime: white, binc: increment, winc: increment };
  }

  #tick() {
    const side = this.#running;
    if (side && this.left[side] === 0) {
      this.stop();
      this.onFlag(side);
    }
    this.onTick();
  }
}
