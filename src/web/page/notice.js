/** The line at the top of the page: a lost connection, or something to know. */
import { byId } from "./page.js";

/** Milliseconds that a notice stays. */
const STAY = 8000;

export class Notice {
  /** @type {(isOpen: boolean) => void} */
  onConnection = () => {};
  isOpen = false;
  #line = byId("notice");
  #text = byId("notice-text");
  #retry = byId("retry");
  #timer = 0;

  /** @param {Engine} engine */
  constructor(engine) {
    engine.onConnection = (connection) => this.#connection(connection);
    this.#retry.addEventListener("click", () => engine.connect());
  }

  /** Shows a text for some seconds. @param {string} text */
  show(text) {
    clearTimeout(this.#timer);
    this.#retry.hidden = true;
    this.#text.textContent = text;
    this.#line.hidden = false;
    this.#timer = setTimeout(() => this.#hide(), STAY);
  }

  /** @param {Connection} connection */
  #connection({ isOpen, reason }) {
    this.isOpen = isOpen;
    if (isOpen) this.#hide();
    else {
      clearTimeout(this.#timer);
      this.#retry.hidden = false;
      this.#text.textContent = `No connection to the engine${reason && `: ${reason}`}. The page tries again by itself.`;
      this.#line.hidden = false;
    }
    this.onConnection(isOpen);
  }

  #hide() {
    this.#line.hidden = true;
    this.#text.textContent = "";
  }
}
