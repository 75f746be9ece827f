/** The list of earlier games: they are opened, deleted, and saved together. */
import { button, byId, download, element } from "./page.js";
import { recordOf, today } from "./records.js";
import { movesText, playersText } from "./text.js";

/** @import { Notice } from "./messages.js" */
/** @import { Storage } from "./storage.js" */

export class EarlierGames {
  #list = byId("earlier-games");
  #saves = byId("save-all");

  /** @param {Play} play @param {Storage} storage @param {Notice} notice */
  constructor(play, storage, notice) {
    this.play = play;
    this.storage = storage;
    this.notice = notice;
    byId("open-menu").addEventListener("toggle", () => this.#render());
  }

  #render() {
    const { play, storage } = this;
    const games = storage.games().filter(({ isEmpty }) => !isEmpty);
    const others = games.filter(({ id }) => id !== play.game.id);
    byId("no-games").hidden = others.length > 0;
    this.#list.replaceChildren(...others.map((game) => this.#entry(game)));
    /** @type {Map<string, StoredGame[]>} */
    const groups = Map.groupBy(games, ({ variant }) => variant.record);
    const saves = [...groups].map(([format, group]) =>
      button(
        "stay",
        () => this.#saveAll(format, group),
        `All games as ${format.toUpperCase()} (${group.length})`,
      ),
    );
    this.#saves.replaceChildren(...(others.length > 0 ? saves : []));
  }

  /** @param {StoredGame} game @returns {HTMLElement} */
  #entry(game) {
    const { id, title, plies, saved, result, setting } = game;
    const when = new Date(saved).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
    const notes = [playersText(setting), setting.heads?.date ?? when, result].filter(Boolean);
    const open = async () => {
      const opened = await this.storage.open(id);
      if (opened) await this.play.open(opened);
    };
    const name = `${title}, ${movesText(plies)}`;
    const made = button("", open, name, element("span", "soft", notes.join(" · ")));
    const remove = button("stay", () => this.#remove(game, entry), "×");
    remove.ariaLabel = `Delete ${name}`;
    remove.title = remove.ariaLabel;
    const entry = element("li", "", made, remove);
    return entry;
  }

  /** Deletes a game; it can be restored until the menu is closed. @param {StoredGame} game @param {HTMLElement} entry */
  #remove(game, entry) {
    const restore = this.storage.remove(game.id);
    const undo = button(
      "stay",
      () => {
        restore();
        const again = this.#entry(game);
        entry.replaceWith(again);
        again.querySelector("button")?.focus();
      },
      "Undo",
    );
    entry.replaceChildren(element("span", "", `${game.title}: deleted`), undo);
    undo.focus();
  }

  /** Saves games in one file. @param {string} format @param {StoredGame[]} games */
  async #saveAll(format, games) {
    try {
      const texts = [];
      for (const { id, variant, saved } of games) {
        const game = this.storage.read(id);
        if (!game) continue;
        texts.push((await recordOf(this.play.engine, game, variant, new Date(saved))).text);
      }
      download(`games-${today("-")}.${format}`, "text/plain", texts.join("\n"));
    } catch (error) {
      this.notice.show(`The games cannot be saved: ${/** @type {Error} */ (error).message}`);
    }
  }
}
