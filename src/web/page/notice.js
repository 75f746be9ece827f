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
    clearInterval(this.#timer);
    this.#retry.hidden = true;
    this.#text.textContent = text;
    this.#line.hidden = false;
    this.#timer = setTimeout(() => this.#hide(), STAY);
  }

  /** @param {Connection} connection */
  #connection({ open, reason, retryAt }) {
    this.isOpen = open;
    clearInterval(this.#timer);
    if (open) this.#hide();
    else {
      const tell = () => {
        const seconds = Math.max(0, Math.ceil((retryAt - Date.now()) / 1000));
        const why = reason ? `: ${reason}` : "";
        this.#text.textContent = `No connection to the engine${why}. The next attempt follows in ${seconds} s.`;
      };
      tell();
      this.#retry.hidden = false;
      this.#line.hidden = false;
      this.#timer = setInterval(tell, 1000);
    }
    this.onConnection(open);
  }

  #hide() {
    this.#line.hidden = true;
    this.#text.textContent = "";
  }
}
