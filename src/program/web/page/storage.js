/**
 * The stored data: games, settings and solved puzzles.
 *
 * Each game has its own key in `localStorage`. A tab holds a lock on its game while it is open, so
 * that no other tab writes to it. The lock is released when the tab is closed or crashes.
 */
import { newId } from "./game.js";
import { wait } from "./page.js";
import { readEntry, readGame, readProgress, readSettings } from "./stored.js";

const GAME = "soucie.game.";
const SETTINGS = "soucie.settings";
const PUZZLES = "soucie.problems.";
/** The id of this tab's game, in `sessionStorage`. */
const TAB = "soucie.tab";
/** The id of this tab's puzzle, in `sessionStorage`. */
const PUZZLE = "soucie.problem";
/** The maximum number of stored games, of opened ones, and of those that have not begun. */
const MOST_GAMES = 30;

export class Storage {
  /** Called if the browser stores nothing. @type {() => void} */
  onFailure = () => {};
  /** Called before the next game takes the place of one. @type {(leaving: StoredGame) => void} */
  onFull = () => {};
  /** The game that is open in another tab, in place of which this tab opens another one or a copy. @type {{ stored: StoredGame, isCopy: boolean } | null} */
  elsewhere = null;
  /** Releases the lock on the game of this tab. */
  #release = () => {};
  #id = "";

  /** @param {Variant[]} variants */
  constructor(variants) {
    this.variants = variants;
  }

  /**
   * The game of this tab: the one before the reload, or else the last one with moves that no tab has open.
   * @returns {Promise<Game | null>}
   */
  async restore() {
    const own = this.#read("sessionStorage", TAB);
    if (typeof own === "string") {
      // A duplicated tab has the same id.
      const game = await this.open(own);
      if (game) return game;
    }
    // In place of a game without moves, one with the last settings is new.
    for (const stored of this.games()) {
      const { game } = stored;
      if (game.isEmpty) continue;
      if (await this.#claim(game.id)) return game;
      this.elsewhere ??= { stored, isCopy: false };
    }
    return null;
  }

  /**
   * A copy if another tab has the game open.
   * @param {string} id
   * @returns {Promise<Game | null>}
   */
  async open(id) {
    const stored = this.#entry(id);
    if (!stored) return null;
    const { game } = stored;
    if (await this.#claim(id)) return game;
    this.elsewhere = { stored, isCopy: true };
    return readGame(game.toJSON(), newId(), this.variants);
  }

  /**
   * The stored game that has the same record as an opened one, or else that one.
   * @param {Game} opened
   */
  async known(opened) {
    const json = JSON.parse(JSON.stringify(opened));
    const text = recordText(readGame(json, "", this.variants));
    const same = this.games().find(({ game }) => recordText(game) === text);
    const kept = same && (await this.open(same.game.id));
    if (!kept) return opened;
    kept.end.state = opened.end.state;
    return kept;
  }

  /**
   * Stores the current state of the game of this tab.
   * @param {Game} game
   * @param {string} result the text for lists of games
   */
  save(game, result) {
    if (game.id !== this.#id) this.#claim(game.id);
    const entry = { saved: Date.now(), result, game: game.toJSON() };
    this.#write("sessionStorage", TAB, game.id);
    this.#write("localStorage", GAME + game.id, entry);
  }

  /** The stored games that can be read, the last one first. */
  games() {
    return gameKeys()
      .flatMap((key) => this.#entry(key.slice(GAME.length)) ?? [])
      .sort((a, b) => b.saved - a.saved);
  }

  /** @param {string} id @returns {StoredGame | null} */
  #entry(id) {
    const entry = readEntry(this.#read("localStorage", GAME + id));
    const game = entry && readGame(entry.game, id, this.variants);
    return game && { ...entry, game };
  }

  /** Deletes a game, and returns a function that restores it. @param {string} id */
  remove(id) {
    const entry = this.#read("localStorage", GAME + id);
    localStorage.removeItem(GAME + id);
    return () => this.#write("localStorage", GAME + id, entry);
  }

  get settings() {
    return readSettings(this.#read("localStorage", SETTINGS));
  }

  /** @param {Partial<Settings>} changes */
  change(changes) {
    this.#write("localStorage", SETTINGS, { ...this.settings, ...changes });
  }

  /** The id of the puzzle that this tab shows; null without one. @returns {string | null} */
  get puzzle() {
    const id = this.#read("sessionStorage", PUZZLE);
    return typeof id === "string" ? id : null;
  }

  set puzzle(id) {
    this.#write("sessionStorage", PUZZLE, id);
  }

  /** @param {string} variant */
  progress(variant) {
    return readProgress(this.#read("localStorage", PUZZLES + variant));
  }

  /** @param {string} variant @param {Partial<Progress>} changes */
  saveProgress(variant, changes) {
    this.#write("localStorage", PUZZLES + variant, { ...this.progress(variant), ...changes });
  }

  /**
   * Holds the lock on a game until the tab ends or holds another one.
   * @param {string} id
   * @returns {Promise<boolean>} whether no other tab holds it
   */
  async #claim(id) {
    if (id === this.#id || !navigator.locks) return true;
    /** @type {Promise<boolean>} */
    const claimed = new Promise((resolve) => {
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
    const isFree = await wait(claimed);
    if (isFree) this.#dropOldGames();
    return isFree;
  }

  #dropOldGames() {
    for (const { game } of this.#beyond(MOST_GAMES)) localStorage.removeItem(GAME + game.id);
    const [next] = this.leaving;
    if (next) this.onFull(next);
  }

  /** The games whose places the next ones take. */
  get leaving() {
    return this.#beyond(MOST_GAMES - 1).filter(({ game }) => !game.isEmpty);
  }

  /** The oldest games that are too many. @param {number} most */
  #beyond(most) {
    // Games that have not begun, and opened ones, do not take the places of others.
    const groups = Map.groupBy(this.games(), ({ game }) =>
      game.isEmpty ? null : game.setting.isStudy,
    );
    return [...groups.values()].flatMap((group) => group.slice(most));
  }

  /** @param {"localStorage" | "sessionStorage"} storage @param {string} key @returns {unknown} */
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

/** All of a study that its record has. @param {Game | null} game */
function recordText(game) {
  if (!game?.setting.isStudy) return "";
  const { setting, end, lines } = game;
  return JSON.stringify([game.position(end), setting.heads, end.ending, lines]);
}

/** The keys of the stored games; none where the browser allows no storage. */
function gameKeys() {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(GAME));
  } catch {
    return [];
  }
}
