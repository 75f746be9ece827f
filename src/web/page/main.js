/** Starts the page, and joins its parts. */
import { addressOf, takeChoices, takePosition } from "./address.js";
import { Board } from "./board.js";
import { Engine } from "./engine.js";
import { Game } from "./game.js";
import { BoardInput } from "./input.js";
import { MoveList } from "./movelist.js";
import { NewGameDialog, showRules } from "./newgame.js";
import { Notice } from "./notice.js";
import { byId } from "./page.js";
import { Panel } from "./panel.js";
import { Play } from "./play.js";
import { Storage } from "./storage.js";
import { makeTabs } from "./tabs.js";
import { moveText, resultText, sideName } from "./text.js";
import { webSocket } from "./transport.js";

/** The choices of a first game. */
const FIRST = { level: "easy", time: { seconds: 1 } };

async function main() {
  const url = new URL("ws", location.href);
  url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  const engine = new Engine(webSocket(url.href));
  const storage = new Storage();
  const notice = new Notice(engine);
  storage.onFailure = () => notice.show("This browser does not keep the game.");
  engine.connect();
  const variants = await engine.variants();
  const page = new Page(engine, variants, storage, notice);
  await page.begin();
}

class Page {
  #board = new Board(byId("board"));
  #input = new BoardInput(this.#board);
  /** The position on the board. @type {TreeNode | null} */
  #drawn = null;

  /**
   * @param {Engine} engine
   * @param {Variant[]} variants
   * @param {Storage} storage
   * @param {Notice} notice
   */
  constructor(engine, variants, storage, notice) {
    this.engine = engine;
    this.storage = storage;
    this.notice = notice;
    this.variants = variants;
    this.play = new Play(engine, variants, new Game(this.#setting(null)));
    this.panel = new Panel(this.play);
    this.moves = new MoveList(byId("moves"), (node) => this.play.show(node));
    this.moves.notation = storage.settings.notation;
    this.dialog = new NewGameDialog(variants);
    makeTabs(byId("tabs"));
    this.#listen();
  }

  /** Shows the game of the address, of this tab, or a new one. */
  async begin() {
    const choices = takeChoices();
    const position = takePosition();
    const { play } = this;
    if (position) await this.#startShared(position);
    else if (choices) await play.start(this.#setting(choices));
    else {
      const game = await this.storage.restore();
      const isKnown = this.variants.some(({ name }) => name === game?.setting.variant);
      if (game && isKnown) await play.open(game);
      else await play.start(this.#setting(null));
    }
  }

  #listen() {
    const { play, panel } = this;
    play.onChange = () => this.#render();
    play.onClock = () => panel.renderClocks();
    play.onMove = (node) => this.#announce(node);
    play.onStore = () => this.#store();
    this.#input.onMove = (move) => play.play(move);
    this.notice.onConnection = (isOpen) => play.connected(isOpen);
    play.connected(this.notice.isOpen);
    this.dialog.onStart = (setting, isFromBoard) => this.#startChosen(setting, isFromBoard);
    byId("new-game").addEventListener("click", () => this.dialog.open(this.#setting(null)));
    byId("typed-form").addEventListener("submit", (event) => this.#playTyped(event));
    byId("notation").addEventListener("change", () => this.#changeNotation());
    byId("notation", HTMLSelectElement).value = this.moves.notation;
    byId("copy-link").addEventListener("click", () => this.#copy("link"));
    byId("copy-setup").addEventListener("click", () => this.#copy("setup"));
    byId("open-menu").addEventListener("toggle", () => this.#listGames());
    addEventListener("pagehide", () => play.storeClocks());
    addEventListener("hashchange", async () => {
      const position = takePosition();
      if (position) await this.#startShared(position);
    });
    addEventListener("keydown", (event) => this.#key(event));
    addEventListener("pointerdown", ({ target }) => closeMenus(target));
  }

  /** The setting of a new game. @param {Choices | null} choices @returns {Setting} */
  #setting(choices) {
    const { next } = this.storage.settings;
    const first = this.variants[0]?.name ?? "";
    const known = this.variants.some(({ name }) => name === next.variant) ? next.variant : first;
    /** @type {Record<Side, Player>} */
    const players = { black: "human", white: "engine" };
    const side = choices?.side;
    return {
      variant: choices?.variant ?? known ?? first,
      setup: null,
      players: side
        ? { black: "engine", white: "engine", [side]: "human" }
        : (next.players ?? players),
      level: choices?.level ?? next.level ?? FIRST.level,
      time: next.time ?? FIRST.time,
    };
  }

  /** @param {Setting} setting @param {boolean} isFromBoard */
  async #startChosen(setting, isFromBoard) {
    const { shown, setting: old } = this.play.game;
    const { variant, players, level, time } = setting;
    if (isFromBoard && variant === old.variant && shown.state) {
      await this.play.start({ ...setting, setup: shown.state.setup });
    } else if (isFromBoard) {
      throw new Error("the position on the board is one of another game");
    } else {
      await this.play.start(setting);
    }
    this.storage.change({ next: { variant, players, level, time } });
  }

  /** @param {Position} position */
  async #startShared({ variant, setup, moves }) {
    const setting = { ...this.#setting(null), variant, setup };
    /** @type {Record<Side, Player>} */
    const players = { black: "human", white: "human" };
    try {
      await this.play.start({ ...setting, players }, moves);
    } catch (error) {
      this.notice.show(
        `The position in the address is refused: ${/** @type {Error} */ (error).message}`,
      );
      await this.play.start(this.#setting(null));
    }
  }

  #render() {
    const { play } = this;
    const { shown, isFlipped } = play.game;
    this.panel.render();
    this.moves.render(play);
    if (shown.state) {
      if (this.#board.isFlipped !== isFlipped) this.#input.clear();
      this.#board.setVariant(play.variant);
      this.#board.flip(isFlipped);
      if (this.#drawn !== shown) {
        this.#board.draw(shown.state, motion(this.#drawn, shown));
        this.#drawn = shown;
        showRules(byId("rules-panel"), play.variant);
      }
      this.#input.offer(play.offered);
    }
    const hint = play.hint?.node === shown ? play.hint.move : null;
    this.#board.arrows(hint ? [{ path: hint.path, kind: "better" }] : []);
  }

  /** @param {TreeNode} node */
  #announce({ move, mover, ending, state }) {
    const result = ending ?? state?.result;
    const words = [
      move && mover && !ending ? `${sideName(mover)}: ${moveText(move, "coordinate")}.` : "",
      result ? `${resultText(result)}.` : "",
    ];
    byId("announcer").textContent = words.join(" ").trim();
  }

  #store() {
    const { game, variant } = this.play;
    const result = game.result(game.live);
    this.storage.save(game, { title: variant.title, result: result ? resultText(result) : "" });
  }

  /** @param {Event} event */
  async #playTyped(event) {
    event.preventDefault();
    const field = byId("typed", HTMLInputElement);
    const fault = byId("typed-error");
    fault.textContent = "";
    if (!field.value.trim()) return;
    try {
      await this.play.playTyped(field.value);
      field.value = "";
    } catch (error) {
      fault.textContent = /** @type {Error} */ (error).message;
    }
  }

  #changeNotation() {
    const { value } = byId("notation", HTMLSelectElement);
    this.moves.notation = value === "coordinate" ? "coordinate" : "standard";
    this.storage.change({ notation: this.moves.notation });
    this.moves.render(this.play);
  }

  /** @param {"link" | "setup"} what */
  async #copy(what) {
    const { game } = this.play;
    const { state } = game.shown;
    const text = what === "link" ? addressOf(game.position(game.shown)) : state?.setup;
    closeMenus(null);
    try {
      await navigator.clipboard.writeText(text ?? "");
      this.notice.show("Copied.");
    } catch {
      this.notice.show(`Copy this: ${text}`);
    }
  }

  #listGames() {
    const entries = this.storage.games().map(({ id, saved, title, plies, result }) => {
      const button = document.createElement("button");
      button.type = "button";
      const when = new Date(saved).toLocaleString(undefined, {
        dateStyle: "medium",
        timeStyle: "short",
      });
      button.textContent = `${title}, ${plies} moves`;
      const note = document.createElement("span");
      note.className = "soft";
      note.textContent = [when, result].filter(Boolean).join(" · ");
      button.append(note);
      button.addEventListener("click", () => this.#openStored(id));
      const entry = document.createElement("li");
      entry.append(button);
      return entry;
    });
    byId("earlier-games").replaceChildren(...entries);
  }

  /** @param {string} id */
  async #openStored(id) {
    closeMenus(null);
    const game = await this.storage.open(id);
    if (game) await this.play.open(game);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key === "Escape") closeMenus(null);
    if (event.altKey || event.ctrlKey || event.metaKey || isTyping(event.target)) return;
    const plies = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (plies && !event.defaultPrevented) this.play.step(plies);
  }
}

/** The move between two positions, if it is one. @param {TreeNode | null} from @param {TreeNode} to */
function motion(from, to) {
  if (from && to.parent === from && to.move) return { move: to.move, isBackward: false };
  if (from?.parent === to && from.move) return { move: from.move, isBackward: true };
  return null;
}

/** Whether a key belongs to an element that takes text or arrow keys. @param {EventTarget | null} target */
function isTyping(target) {
  return (
    target instanceof Element &&
    target.closest("input, select, textarea, dialog, [role=tablist]") !== null
  );
}

/** Closes the menus, except the one that contains an element. @param {EventTarget | null} inside */
function closeMenus(inside) {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!(inside instanceof Node && menu.contains(inside))) menu.removeAttribute("open");
  }
}

main();
