/** Announcements, sounds, the line at the top, and questions. */
import { byId, element, pause } from "./page.js";
import { NO_ENGINE } from "./transport.js";

/** Texts within this time, in milliseconds, are one announcement: a later one would replace them. */
const GATHER_TIME = 60;
/** Milliseconds for which a text at the top is shown. */
const STAY = 8000;

/** @type {string[]} */
let texts = [];

/** Announces a text, also if it is the same as the last one. @param {string} text */
export function announce(text) {
  if (texts.push(text) === 1) announceSoon();
}

async function announceSoon() {
  const gathered = texts;
  await pause(GATHER_TIME);
  // Only what is in a dialog is announced while it is open.
  if (gathered !== texts || document.querySelector("dialog[open]")) return;
  byId("announcer").replaceChildren(element("span", "", texts.join(" ")));
  silence();
}

addEventListener("close", () => texts.length > 0 && announceSoon(), { capture: true });

/** Announces nothing that is not announced yet. */
export function silence() {
  texts = [];
}

/** The line at the top of the page: a lost connection, or a temporary text. */
export class Notice {
  /** @type {(isOpen: boolean) => void} */
  onConnection = () => {};
  isOpen = false;
  #line = byId("notice");
  #text = byId("notice-text");
  #retry = byId("retry");
  #timer = 0;
  #loss = "";
  /** Whether the text goes by itself. */
  #isTemporary = false;

  /** @param {Engine} engine */
  constructor(engine) {
    engine.onConnection = (connection) => this.#connection(connection);
    this.#retry.addEventListener("click", () => engine.connect());
  }

  /** @param {string} text */
  show(text) {
    clearTimeout(this.#timer);
    this.#retry.hidden = true;
    this.#text.textContent = text;
    this.#line.hidden = false;
    this.#isTemporary = true;
    this.#timer = setTimeout(() => this.settle(), STAY);
  }

  /** @param {Connection} connection */
  #connection({ isOpen, reason }) {
    this.isOpen = isOpen;
    const loss = `${NO_ENGINE}${reason && `: ${reason}`}. The page tries again by itself.`;
    this.#loss = isOpen ? "" : loss;
    if (!isOpen || !this.#isTemporary) this.settle();
    this.onConnection(isOpen);
  }

  /** Removes a temporary text. */
  settle() {
    clearTimeout(this.#timer);
    this.#isTemporary = false;
    // Neither is there a loss before the first connection.
    this.#retry.hidden = this.#loss === "";
    this.#line.hidden = this.#loss === "";
    // The same text is not announced again.
    if (this.#text.textContent !== this.#loss) this.#text.textContent = this.#loss;
  }
}

/** Resolves with whether the answer is yes; Escape is no. @param {string} question @param {string} yes @param {string} no */
export function ask(question, yes, no) {
  const dialog = byId("ask-dialog", HTMLDialogElement);
  const content = { "ask-question": question, "ask-yes": yes, "ask-no": no };
  for (const [id, text] of Object.entries(content)) byId(id).textContent = text;
  dialog.returnValue = "";
  silence();
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
  });
}

const MOVE = [330];
const CAPTURE = [330, 247];
const END = [392, 330, 262];
/** Seconds between two notes. */
const STEP = 0.11;

/** @type {AudioContext | null} */
let audio = null;

/** @param {TreeNode} node */
export function playSound(node) {
  audio ??= new AudioContext();
  // Browsers allow sounds only after the first input on the page.
  audio.resume();
  for (const [index, pitch] of notes(node).entries()) {
    const start = audio.currentTime + index * STEP;
    const tone = new OscillatorNode(audio, { type: "triangle", frequency: pitch });
    const volume = new GainNode(audio, { gain: 0.2 });
    volume.gain.setValueAtTime(0.2, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + 2 * STEP);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + 2 * STEP);
  }
}

/** @param {TreeNode} node */
function notes(node) {
  if (node.ending ?? node.state?.result) return END;
  return node.move?.captures.length ? CAPTURE : MOVE;
}
