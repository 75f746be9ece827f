/** The line at the top of the page: a lost connection, or a temporary message. */
import { byId } from "./page.js";
import { NO_ENGINE } from "./transport.js";

/** The time for which a message is shown, in milliseconds. */
const STAY = 8000;

export class Notice {
  /** @type {(isOpen: boolean) => void} */
  onConnection = () => {};
  isOpen = false;
  #line = byId("notice");
  #text = byId("notice-text");
  #retry = byId("retry");
  #timer = 0;
  #loss = "";

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
    this.#timer = setTimeout(() => this.settle(), STAY);
  }

  /** @param {Connection} connection */
  #connection({ isOpen, reason }) {
    this.isOpen = isOpen;
    this.#loss = `${NO_ENGINE}${reason && `: ${reason}`}. The page tries again by itself.`;
    this.settle();
    this.onConnection(isOpen);
  }

  /** Removes a temporary text: shows that there is no connection, or nothing. */
  settle() {
    clearTimeout(this.#timer);
    this.#retry.hidden = this.isOpen;
    this.#line.hidden = this.isOpen;
    const text = this.isOpen ? "" : this.#loss;
    // The same text is not announced again.
    if (this.#text.textContent !== text) this.#text.textContent = text;
  }
}
