/** The menu and the dialog that open games: earlier ones, a text or a file. */

import { button, byId, download, element, onClick, wait } from "./page.js";
import { importText, openRecord, recordOf, today } from "./records.js";
import { messageOf, movesText, outcomeText, playersText } from "./text.js";

/** The games that are listed at a time. */
const LISTED = 300;

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
  #progress = byId("open-progress");
  /** The text whose games are listed. */
  #listed = "";
  /** Identifies the text that is being read; null if none is. @type {object | null} */
  #reading = null;

  /** @param {Play} play @param {Notice} notice */
  constructor(play, notice) {
    this.play = play;
    this.notice = notice;
    for (const { name, title } of play.variants) this.#variant.add(new Option(title, name));
    onClick("open-text-item", () => this.#open());
    byId("open-form").addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.#reading) return;
      const { value: text } = this.#text;
      // The games of a file are listed without a text.
      const isListed = this.#list.hasChildNodes() && (!text.trim() || text === this.#listed);
      if (isListed) byId("open-error").textContent = "Choose one of the games above.";
      else this.#read(() => text);
    });
    this.#dialog.addEventListener("close", () => this.#stop());
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
      this.#read(() => text);
    }
  }

  /** @param {File | undefined} file */
  #readFile(file) {
    if (file) this.#read(async () => decoded(await wait(file.arrayBuffer())));
  }

  /** @param {() => string | Promise<string>} text */
  async #read(text) {
    const reading = {};
    this.#reading = reading;
    this.#fail("");
    /** @param {number} done @param {number} games */
    const onPart = (done, games) => {
      // The dialog was closed, or another text is read.
      if (this.#reading !== reading) throw new Error("The text is read no further.");
      if (done < 1) this.#progress.textContent = `${Math.floor(100 * done)} % read, ${games} games`;
    };
    try {
      const { play } = this;
      const { value: variant } = this.#variant;
      const { games, errors } = await importText(play.engine, await text(), variant, {}, onPart);
      const [first] = games;
      if (games.length === 1 && first) await this.#begin(first, errors);
      else this.#offer(games, errors);
    } catch (error) {
      if (this.#reading === reading) this.#fail(messageOf(error));
    }
    if (this.#reading === reading) this.#stop();
  }

  #stop() {
    this.#reading = null;
    this.#progress.textContent = "";
  }

  /** @param {ImportedGame[]} games @param {string[]} errors */
  #offer(games, errors) {
    const list = element("ol", "");
    const more = button("", () => show(), "Show more");
    const show = () => {
      const from = list.childElementCount;
      const next = games.slice(from, from + LISTED);
      list.append(...next.map((game, index) => this.#offered(game, from + index + 1)));
      if (list.childElementCount === games.length) more.remove();
      list.children[from]?.querySelector("button")?.focus();
    };
    this.#fail(errors[0] ?? "");
    this.#listed = this.#text.value;
    this.#list.replaceChildren(element("p", "", `${games.length} games. Choose one.`), list, more);
    show();
  }

  /** @param {ImportedGame} game @param {number} number */
  #offered(game, number) {
    const { black, white, event, date, moves, result } = game;
    const notes = [event, date, movesText(moves.length), outcomeText(result)];
    const players = `${number}. ${black ?? "Black"} – ${white ?? "White"}`;
    const note = element("span", "soft", notes.filter(Boolean).join(" · "));
    return element(
      "li",
      "",
      button("", () => this.#begin(game, []), players, note),
    );
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

/** The root of a game of SGF up to the charset that it declares. */
const CHARSET = /\(\s*;[^;]*?(?<=[;\]\s])CA\s*\[\s*([^\\\]\s]+)\s*\]/g;

/** The text of a file, each game in the charset that it declares. @param {ArrayBuffer} bytes */
function decoded(bytes) {
  // Each byte is a character here, so that an index of one is that of the other.
  const text = new TextDecoder("windows-1252").decode(bytes);
  const roots = [...text.matchAll(CHARSET)];
  // What comes before the first root is read with it.
  const starts = [0, ...roots.slice(1).map(({ index }) => index)];
  return starts
    .map((start, i) => decodedAs(roots[i]?.[1] ?? "utf-8", bytes.slice(start, starts[i + 1])))
    .join("");
}

/**
 * Bytes in a charset. Those that are not UTF-8 but declare it or nothing are in the charset of old files.
 * @param {string} charset @param {ArrayBuffer} bytes
 */
function decodedAs(charset, bytes) {
  const isUnicode = /^utf-?8$/i.test(charset);
  try {
    return new TextDecoder(charset, { fatal: isUnicode }).decode(bytes);
  } catch (error) {
    if (isUnicode) return new TextDecoder("windows-1252").decode(bytes);
    throw new Error(`The charset ${charset} is unknown.`, { cause: error });
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
