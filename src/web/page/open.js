/** The menu and the dialog that open games: earlier ones, a text or a file. */

import { button, byId, download, element, onClick, wait } from "./page.js";
import { importText, MOST_BYTES, openRecord, recordOf, today, tooLong } from "./records.js";
import { messageOf, movesText, outcomeText, playersText } from "./text.js";

const MOST_GAMES = 300;

/** Where a pasted text belongs to the field. */
const TEXT_FIELDS = "textarea, input:not([type=checkbox], [type=radio])";
/** They work on the game on the board. */
const OTHER_DIALOGS = "dialog[open]:not(#open-dialog)";

export class OpenDialog {
  #dialog = byId("open-dialog", HTMLDialogElement);
  #text = byId("open-text", HTMLTextAreaElement);
  #file = byId("open-file", HTMLInputElement);
  #variant = byId("open-variant", HTMLSelectElement);
  #list = byId("open-list");
  /** The text whose games are listed. */
  #listed = "";

  /** @param {Play} play @param {Notice} notice */
  constructor(play, notice) {
    this.play = play;
    this.notice = notice;
    for (const { name, title } of play.variants) this.#variant.add(new Option(title, name));
    onClick("open-text-item", () => this.#open());
    byId("open-form").addEventListener("submit", (event) => {
      event.preventDefault();
      const { value: text } = this.#text;
      // The games of a file are listed without a text.
      const isListed = this.#list.hasChildNodes() && (!text.trim() || text === this.#listed);
      if (isListed) byId("open-error").textContent = "Choose one of the games above.";
      else this.#read(text);
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
    else await this.#read(decoded(await wait(file.arrayBuffer())));
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
      this.#fail(messageOf(error));
    }
  }

  /** @param {ImportedGame[]} games @param {string[]} errors */
  #offer(games, errors) {
    const left = games.length - MOST_GAMES;
    const more = left > 0 ? ` The first ${MOST_GAMES} are listed.` : "";
    const entries = games.slice(0, MOST_GAMES).map((game, index) => {
      const { black, white, event, date, moves, result } = game;
      const notes = [event, date, movesText(moves.length), outcomeText(result)]
        .filter(Boolean)
        .join(" · ");
      const players = `${index + 1}. ${black ?? "Black"} – ${white ?? "White"}`;
      const note = element("span", "soft", notes);
      return element(
        "li",
        "",
        button("", () => this.#begin(game, []), players, note),
      );
    });
    this.#fail(errors[0] ?? "");
    this.#listed = this.#text.value;
    this.#list.replaceChildren(
      element("p", "", `${games.length} games. Choose one.${more}`),
      element("ol", "", ...entries),
    );
    this.#list.querySelector("button")?.focus();
  }

  /** @param {ImportedGame} record @param {string[]} errors of the other parts of the text */
  async #begin(record, errors) {
    const { play } = this;
    try {
      const setting = { ...play.game.setting, rules: undefined };
      const close = () => this.#dialog.close();
      await openRecord(play, this.notice, setting, record, errors, 0, close);
    } catch (refusal) {
      this.#fail(messageOf(refusal));
    }
  }

  /** Lists no games. @param {string} reason */
  #fail(reason) {
    this.#list.replaceChildren();
    byId("open-error").textContent = reason;
  }
}

/** The text of a file: in UTF-8 or, where that fails, in the encoding of old ones. @param {ArrayBuffer} bytes */
function decoded(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** @param {DataTransfer | null} data @returns {data is DataTransfer} */
function isData(data) {
  return data !== null && (data.types.includes("Files") || data.types.includes("text/plain"));
}

export class EarlierGames {
  #list = byId("earlier-games");
  #saves = byId("save-all");

  /** @param {Play} play @param {Notice} notice */
  constructor(play, notice) {
    this.play = play;
    this.notice = notice;
    byId("open-menu").addEventListener("toggle", () => this.#render());
  }

  #render() {
    const others = this.#renderSaves();
    byId("no-games").hidden = others.length > 0;
    this.#list.replaceChildren(...others.map((game) => this.#entry(game)));
  }

  /** Returns the games that are not on the board. */
  #renderSaves() {
    const games = this.#games;
    const others = games.filter(({ game }) => game.id !== this.play.game.id);
    const groups = Map.groupBy(games, (stored) => this.#variantOf(stored).record);
    const saves = [...groups].map(([format, { length }]) =>
      button(
        "stay",
        () => this.#saveAll(format),
        `All games as ${format.toUpperCase()} (${length})`,
      ),
    );
    this.#saves.replaceChildren(...(others.length > 0 ? saves : []));
    return others;
  }

  get #games() {
    return this.play.storage.games().filter(({ game }) => !game.isEmpty);
  }

  /** @param {StoredGame} stored */
  #variantOf({ game }) {
    return this.play.variantNamed(game.setting.variant);
  }

  /** @param {StoredGame} stored */
  #entry(stored) {
    const { saved, result } = stored;
    const { id, setting, end } = stored.game;
    const when = new Date(saved).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
    const { event, date } = setting.heads ?? {};
    const notes = [event, playersText(setting), date ?? when, result].filter(Boolean);
    const open = async () => {
      const opened = await this.play.storage.open(id);
      if (opened) await this.play.open(opened);
    };
    const isMoved = end.ply > 0 || setting.setup === null;
    const parts = [
      this.#variantOf(stored).title,
      ...(setting.setup === null ? [] : ["position"]),
      ...(isMoved ? [movesText(end.ply)] : []),
    ];
    const name = parts.join(", ");
    const made = button("", open, name, element("span", "soft", notes.join(" · ")));
    const remove = button("stay", () => this.#remove(stored, entry), "×");
    remove.ariaLabel = `Delete ${name}`;
    remove.title = remove.ariaLabel;
    const entry = element("li", "", made, remove);
    return entry;
  }

  /** Deletes a game; it can be restored until the menu is closed. @param {StoredGame} stored @param {HTMLElement} entry */
  #remove(stored, entry) {
    const restore = this.play.storage.remove(stored.game.id);
    const undo = button(
      "stay",
      () => {
        restore();
        this.#renderSaves();
        const again = this.#entry(stored);
        entry.replaceWith(again);
        again.querySelector("button")?.focus();
      },
      "Undo",
    );
    entry.replaceChildren(element("span", "", `${this.#variantOf(stored).title}: deleted`), undo);
    undo.focus();
    this.#renderSaves();
  }

  /** @param {string} format */
  async #saveAll(format) {
    try {
      const texts = [];
      for (const stored of this.#games) {
        if (this.#variantOf(stored).record !== format) continue;
        const { game, saved } = stored;
        texts.push((await recordOf(this.play.engine, game, new Date(saved))).text);
      }
      download(`games-${today()}.${format}`, "text/plain", texts.join("\n"));
    } catch (error) {
      this.notice.show(`The games cannot be saved: ${messageOf(error)}`);
    }
  }
}
