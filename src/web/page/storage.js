/**
 * The stored data: the games and the settings.
 *
 * Each game has its own key in `localStorage`. A tab holds a lock on its game while it is open, so
 * that no other tab writes to it. The lock is released when the tab is closed or crashes.
 */
import { Game, newId } from "./game.js";

const GAME = "soucie.game.";
const SETTINGS = "soucie.settings";
/** The key of the id of this tab's game in `sessionStorage`. */
const TAB = "soucie.tab";
/** The maximum number of stored games, and of games that have not begun. */
const MOST_GAMES = 30;

/** @type {Settings} */
const DEFAULTS = { notation: "standard", next: {}, isAnalysing: false, lines: 3 };

export class Storage {
  /** Called if the browser stores nothing. @type {() => void} */
  onFailure = () => {};
  /** Releases the lock on the game of this tab. */
  #release = () => {};
  #id = "";

  /**
   * The game of this tab: the one before the reload, or else the last one that no tab has open.
   * @returns {Promise<Game | null>}
   */
  async restore() {
    const own = this.#read("sessionStorage", TAB);
    if (typeof own === "string") {
      // A duplicated tab has the same id; then the game is copied.
      const game = this.#game(own);
      if (game && (await this.#claim(own))) return game;
      if (game) return Game.fromJSON({ ...game.toJSON(), id: newId() });
    }
    for (const { id } of this.games()) {
      const game = this.#game(id);
      if (game && (await this.#claim(id))) return game;
    }
    return null;
  }

  /**
   * The game of a list entry, as a copy if another tab has it open.
   * @param {string} id
   * @returns {Promise<Game | null>}
   */
  async open(id) {
    const game = this.#game(id);
    if (!game || (await this.#claim(id))) return game;
    return Game.fromJSON({ ...game.toJSON(), id: newId() });
  }

  /**
   * Stores the current state of the game of this tab.
   * @param {Game} game
   * @param {{ title: string, result: string }} label the text for lists of games
   */
  save(game, { title, result }) {
    if (game.id !== this.#id) this.#claim(game.id);
    const { isEmpty, end } = game;
    const entry = {
      saved: Date.now(),
      title,
      result,
      plies: end.ply,
      isEmpty,
      game: game.toJSON(),
    };
    this.#write("sessionStorage", TAB, game.id);
    this.#write("localStorage", GAME + game.id, entry);
  }

  /** The stored games, the last one first. @returns {StoredGame[]} */
  games() {
    return gameKeys()
      .flatMap((key) => {
        const entry = this.#read("localStorage", key);
        if (!entry) return [];
        // Entries of earlier versions have no `isEmpty`.
        const { saved, title, plies, result, isEmpty = plies === 0 } = entry;
        return { id: key.slice(GAME.length), saved, title, plies, result, isEmpty };
      })
      .sort((a, b) => b.saved - a.saved);
  }

  /** @returns {Settings} */
  get settings() {
    return { ...DEFAULTS, ...this.#read("localStorage", SETTINGS) };
  }

  /** @param {Partial<Settings>} changes */
  change(changes) {
    this.#write("localStorage", SETTINGS, { ...this.settings, ...changes });
  }

  /** @param {string} id @returns {Game | null} */
  #game(id) {
    try {
      return Game.fromJSON(this.#read("localStorage", GAME + id)?.game);
    } catch {
      return null;
    }
  }

  /**
   * Holds the lock on a game until the tab ends or holds another one.
   * @param {string} id
   * @returns {Promise<boolean>} whether no other tab holds it
   */
  async #claim(id) {
    if (id === this.#id || !navigator.locks) return true;
    /** @type {boolean} */
    const isFree = await new Promise((resolve) => {
      navigator.locks.request(GAME + id, { ifAvailable: true }, (lock) => {
        resolve(lock !== null);
        if (!lock) return undefined;
        this.#release();
        this.#id = id;
        return new Promise((release) => {
          this.#release = () => release(undefined);
        });
      });
    });
    if (isFree) this.#dropOldGames();
    return isFree;
  }

  #dropOldGames() {
    const games = this.games();
    // Games that have not begun do not take the places of others.
    for (const isEmpty of [false, true]) {
      const group = games.filter((game) => game.isEmpty === isEmpty);
      for (const { id } of group.slice(MOST_GAMES)) localStorage.removeItem(GAME + id);
    }
  }

  /** @param {"localStorage" | "sessionStorage"} storage @param {string} key @returns {any} */
  #read(storage, key) {
    try {
      return JSON.parse(window[storage].getItem(key) ?? "null");
    } catch {
      return null;
    }
  }

  /** @param {"localStorage" | "sessionStorage"} storage @param {string} key @param {unknown} value */
  #write(storage, key, value) {
    try {
      window[storage].setItem(key, JSON.stringify(value));
    } catch {
      this.onFailure();
    }
  }
}

/** The keys of the stored games; none where the browser allows no storage. */
function gameKeys() {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(GAME));
  } catch {
    return [];
  }
}
