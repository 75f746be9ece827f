/** Opens games from pasted or dropped text, or from a file. */
import { createStudy } from "./create.js";
import { button, byId, element, onClick } from "./page.js";
import { importText, MOST_BYTES, tooLong } from "./records.js";
import { movesText, recordFault, sideName } from "./text.js";

/** @import { Notice } from "./messages.js" */

/** The maximum number of games that are offered. */
const MOST_GAMES = 300;

/** Where a pasted text belongs to the field. */
const TEXT_FIELDS = "textarea, input:not([type=checkbox], [type=radio])";
/** The other dialogs, which work on the game on the board. */
const OTHER_DIALOGS = "dialog[open]:not(#open-dialog)";

export class OpenDialog {
  #dialog = byId("open-dialog", HTMLDialogElement);
  #text = byId("open-text", HTMLTextAreaElement);
  #file = byId("open-file", HTMLInputElement);
  #variant = byId("open-variant", HTMLSelectElement);
  #list = byId("open-list");

  /** @param {Play} play @param {Notice} notice */
  constructor(play, notice) {
    this.play = play;
    this.notice = notice;
    for (const { name, title } of play.variants) this.#variant.add(new Option(title, name));
    onClick("open-text-item", () => this.#open());
    onClick("open-cancel", () => this.#dialog.close());
    byId("open-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#read(this.#text.value);
    });
    this.#file.addEventListener("change", () => this.#readFile(this.#file.files?.[0]));
    addEventListener("dragover", (event) => {
      if (isData(event.dataTransfer)) event.preventDefault();
    });
    addEventListener("drop", (event) => {
      if (isData(event.dataTransfer)) this.#drop(event, event.dataTransfer);
    });
    addEventListener("paste", (event) => {
      const isField = event.target instanceof Element && event.target.closest(TEXT_FIELDS);
      if (!isField && event.clipboardData) this.#drop(event, event.clipboardData);
    });
  }

  #open() {
    if (this.#dialog.open) return;
    this.#text.value = "";
    this.#file.value = "";
    this.#variant.value = this.play.variant.name;
    this.#fail("");
    this.#dialog.showModal();
  }

  /** @param {Event} event @param {DataTransfer} data */
  #drop(event, data) {
    const [file] = data.files;
    const text = data.getData("text/plain");
    if (document.querySelector(OTHER_DIALOGS) || (!file && !text.trim())) return;
    event.preventDefault();
    this.#open();
    if (file) this.#readFile(file);
    else {
      this.#text.value = text;
      this.#read(text);
    }
  }

  /** @param {File | undefined} file */
  async #readFile(file) {
    if (!file) return;
    if (file.size > MOST_BYTES) this.#fail(tooLong(`The file ${file.name}`));
    else await this.#read(await file.text());
  }

  /** @param {string} text */
  async #read(text) {
    this.#fail("");
    try {
      const { games, errors } = await importText(this.play.engine, text, this.#variant.value);
      const [first] = games;
      if (games.length === 1 && first) await this.#begin(first, errors);
      else this.#offer(games, errors);
    } catch (error) {
      this.#fail(/** @type {Error} */ (error).message.replace("import: ", ""));
    }
  }

  /** @param {ImportedGame[]} games @param {string[]} errors */
  #offer(games, errors) {
    const left = games.length - MOST_GAMES;
    const more = left > 0 ? ` The first ${MOST_GAMES} are listed.` : "";
    const entries = games.slice(0, MOST_GAMES).map((game, index) => {
      const { black, white, event, date, moves, result } = game;
      const outcome = result && (result === "draw" ? "drawn" : `${sideName(result)} won`);
      const notes = [event, date, movesText(moves.length), outcome].filter(Boolean).join(" · ");
      const players = `${index + 1}. ${black ?? "Black"} – ${white ?? "White"}`;
      const note = element("span", "soft", notes);
      return element(
        "li",
        "",
        button("", () => this.#begin(game, []), players, note),
      );
    });
    this.#fail(errors[0] ?? "");
    this.#list.replaceChildren(
      element("p", "", `${games.length} games. Choose one.${more}`),
      element("ol", "plain-list", ...entries),
    );
    this.#list.querySelector("button")?.focus();
  }

  /** @param {ImportedGame} record @param {string[]} errors of the other parts of the text */
  async #begin(record, errors) {
    const { play } = this;
    try {
      await play.open(await createStudy(play.engine, play.game.setting, record));
      this.#dialog.close();
      const fault = recordFault(record) || errors[0];
      if (fault) this.notice.show(fault);
    } catch (refusal) {
      this.#fail(/** @type {Error} */ (refusal).message);
    }
  }

  /** Shows why a text is not opened. @param {string} reason */
  #fail(reason) {
    this.#list.replaceChildren();
    byId("open-error").textContent = reason;
  }
}

/** Whether something dragged is a file or text. @param {DataTransfer | null} data @returns {data is DataTransfer} */
function isData(data) {
  return data !== null && (data.types.includes("Files") || data.types.includes("text/plain"));
}
