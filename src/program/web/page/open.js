/** The menu and the dialog that open games: earlier ones, a text or a file. */

import { ask } from "./messages.js";
import { button, byId, download, element, onClick, setDisabled, wait } from "./page.js";
import { copiedText, importText, openRecord, recordOf, today } from "./records.js";
import { gameText, messageOf, movesText, outcomeText, playersText, recordFault } from "./text.js";

/** The games that are listed at a time. */
const LISTED = 300;
/** The most games with faults that are named above the list. */
const SHOWN_FAULTS = 5;
/** The least number of games that are searched by names. */
const SEARCHED = 20;
/** The length of a text whose games are listed by the explorer alone. */
const LARGE = 8_000_000;

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
  /** What is said above the list of games, which stays until another one is read. */
  #listed = "";
  /** Opens the game that was read up to a fault. */
  #openPartial = () => {};
  /** Identifies the text that is being read; null if none is. @type {object | null} */
  #reading = null;

  /** @param {Play} play @param {Notice} notice @param {Explorer} explorer */
  constructor(play, notice, explorer) {
    this.play = play;
    this.notice = notice;
    this.explorer = explorer;
    for (const { name, title } of play.variants) this.#variant.add(new Option(title, name));
    onClick("open-text-item", () => this.#open());
    byId("open-form").addEventListener("submit", (event) => {
      event.preventDefault();
      const { value: text } = this.#text;
      // A file that was chosen is being read.
      if (!this.#reading) this.#read(() => copiedText(text));
    });
    onClick("open-back", () => this.#ask(""));
    onClick("open-partial", () => this.#openPartial());
    onClick("open-list-item", () => {
      byId("open-error").textContent = "";
      this.#showList();
      this.#dialog.showModal();
    });
    this.#dialog.addEventListener("close", () => (this.#reading = null));
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
    this.#variant.value = this.play.variant.name;
    this.#ask("");
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
      this.#read(() => copiedText(text));
    }
  }

  /** @param {File | undefined} file */
  #readFile(file) {
    if (file) this.#read(async () => decoded(await wait(file.arrayBuffer())), file.name);
  }

  /** @param {() => string | Promise<string>} text @param {string} [name] of its file */
  async #read(text, name = "") {
    const reading = {};
    this.#reading = reading;
    byId("open-error").textContent = "";
    this.#show("open-reading");
    const bar = byId("open-reading", HTMLProgressElement);
    bar.removeAttribute("value");
    const { activeElement: focused } = document;
    /** @param {number} done @param {number} games */
    const onPart = (done, games) => {
      // The dialog was closed, or another text is read.
      if (this.#reading !== reading) throw new Error("The text is read no further.");
      bar.value = done;
      if (done < 1) this.#progress.textContent = `${Math.floor(100 * done)} % read, ${games} games`;
    };
    try {
      const { play } = this;
      const { value: variant } = this.#variant;
      const content = await text();
      if (this.#reading !== reading) return;
      // The list of so many games would take too much memory.
      if (this.explorer.isAwaited || content.length > LARGE)
        return this.#explore(content, variant, name);
      const { games, errors } = await importText(play.engine, content, variant, {}, onPart);
      if (games.length > 1) this.explorer.open(content, variant, name);
      const [first] = games;
      const fault = first?.error ? recordFault(first) : errors[0];
      if (games.length > 1 || !first) this.#offer(games, errors);
      else if (fault) this.#refuse(fault, first, errors);
      else await this.#begin(first, errors);
    } catch (error) {
      if (this.#reading !== reading) return;
      this.#ask(messageOf(error));
      if (focused instanceof HTMLElement) focused.focus();
    }
  }

  /** @param {string} text @param {string} variant @param {string} name */
  #explore(text, variant, name) {
    this.explorer.open(text, variant, name);
    this.#dialog.close();
    byId("explorer-tab").click();
  }

  /** Shows the fault of the only game beside its text. @param {string} fault @param {ImportedGame} game @param {string[]} errors */
  #refuse(fault, game, errors) {
    this.#ask(fault);
    this.#openPartial = () => this.#begin(game, errors);
    byId("open-partial").hidden = false;
    byId("open-partial").focus();
  }

  /** Asks for a file or a text. @param {string} reason why the last one was not opened */
  #ask(reason) {
    this.#file.value = "";
    this.#show("open-fields");
    byId("open-error").textContent = reason;
  }

  /** Shows one part of the dialog. @param {"open-fields" | "open-reading" | "open-list"} part */
  #show(part) {
    for (const id of ["open-fields", "open-reading", "open-list"]) byId(id).hidden = id !== part;
    if (part !== "open-reading") this.#reading = null;
    this.#progress.textContent = "";
    byId("open-back").hidden = part !== "open-list";
    byId("open-partial").hidden = true;
    byId("open-start").hidden = part === "open-list";
    setDisabled("open-start", part === "open-reading");
  }

  /** @param {ImportedGame[]} games @param {string[]} errors */
  #offer(games, errors) {
    const list = element("ol", "");
    const entries = games.map((game, index) => ({ game, ...entryText(game, index + 1) }));
    const faulty = entries.flatMap(({ fault }, index) => (fault ? [index + 1] : []));
    const numbers = new Intl.ListFormat("en").format(faulty.map(String));
    const which =
      faulty.length > SHOWN_FAULTS
        ? `${faulty.length} of them`
        : `Number${faulty.length > 1 ? "s" : ""} ${numbers}`;
    const faults = faulty.length > 0 ? ` ${which} cannot be read to the end.` : "";
    const more = button("", () => show(), "Show more");
    let found = entries;
    const show = () => {
      const from = list.childElementCount;
      const next = found.slice(from, from + LISTED);
      list.append(...next.map((entry) => this.#offered(entry)));
      more.hidden = list.childElementCount === found.length;
      if (from > 0) list.children[from]?.querySelector("button")?.focus();
    };
    const search = element("input", "");
    search.type = "search";
    search.addEventListener("input", () => {
      const words = search.value.toLowerCase().split(/\s+/);
      found = entries.filter(({ players, note }) => {
        const text = `${players} ${note}`.toLowerCase();
        return words.every((word) => text.includes(word));
      });
      list.replaceChildren();
      show();
      const all = `${games.length} games.${faults}`;
      this.#listed = search.value.trim()
        ? `${found.length || "None"} of ${all}`
        : `${all} Choose one.`;
      this.#progress.textContent = this.#listed;
    });
    const field = element("label", "", "Find ", search);
    field.hidden = games.length < SEARCHED;
    this.#list.replaceChildren(field, list, more);
    const others = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
    byId("open-error").textContent = `${errors[0] ?? ""}${others}`;
    this.#listed = `${games.length} games.${faults} Choose one.`;
    const again = byId("open-list-item");
    again.hidden = false;
    again.textContent = `Back to the list of ${games.length} games`;
    this.#showList();
    show();
    list.querySelector("button")?.focus();
  }

  #showList() {
    this.#show("open-list");
    this.#progress.textContent = this.#listed;
  }

  /** @param {{ game: ImportedGame, players: string, note: string, fault: string }} entry */
  #offered({ game, players, note, fault }) {
    const parts = [
      element("span", "soft", note),
      ...(fault ? [element("span", "fault", fault)] : []),
    ];
    return element(
      "li",
      "",
      button("", () => this.#begin(game, []), players, ...parts),
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
      this.#ask(messageOf(refusal));
    }
  }
}

/** What the list of games has of one. @param {ImportedGame} game @param {number} number */
function entryText(game, number) {
  const { black, white, event, date, moves, result } = game;
  const notes = [event, date, movesText(moves.length), outcomeText(result)];
  return {
    players: `${number}. ${black ?? "Black"} – ${white ?? "White"}`,
    note: notes.filter(Boolean).join(" · "),
    fault: recordFault(game),
  };
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
    onClick("delete-all", () => this.#removeAll());
  }

  #render() {
    const others = this.#renderSaves();
    const leaving = this.play.storage.leaving.map(({ game }) => game.id);
    this.#list.replaceChildren(
      ...others.map((stored) => this.#entry(stored, leaving.includes(stored.game.id))),
    );
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
    byId("delete-all").hidden = others.length === 0;
    return others;
  }

  get #games() {
    return this.play.storage.games().filter(({ game }) => !game.isEmpty);
  }

  /** @param {StoredGame} stored */
  #variantOf({ game }) {
    return this.play.variantNamed(game.setting.variant);
  }

  /** @param {StoredGame} stored @param {boolean} isLeaving whether the next game takes its place */
  #entry(stored, isLeaving) {
    const { saved, result } = stored;
    const { id, setting } = stored.game;
    const when = new Date(saved).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
    const { event, date } = setting.heads ?? {};
    const notes = [event, playersText(setting), date ?? when, result].filter(Boolean);
    const open = async () => {
      const opened = await this.play.storage.open(id);
      if (opened) await this.play.open(opened);
    };
    const name = gameText(stored.game, this.#variantOf(stored));
    const made = button("", open, name, element("span", "soft", notes.join(" · ")));
    if (isLeaving) made.append(element("span", "fault", "The next game takes its place."));
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
        const again = this.#entry(stored, false);
        entry.replaceWith(again);
        again.querySelector("button")?.focus();
      },
      "Undo",
    );
    entry.replaceChildren(element("span", "", `${this.#variantOf(stored).title}: deleted`), undo);
    undo.focus();
    this.#renderSaves();
  }

  /** Deletes all games but that on the board. */
  async #removeAll() {
    const { storage, game } = this.play;
    const ids = this.#games.map(({ game }) => game.id).filter((id) => id !== game.id);
    const games = ids.length === 1 ? "the earlier game" : `all ${ids.length} earlier games`;
    const isSure = await ask(`Delete ${games}? This cannot be undone.`, "Delete", "Cancel");
    if (isSure) for (const id of ids) storage.remove(id);
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
