/** The dialog for a new game. */
import { byId } from "./page.js";
import { capitalised } from "./text.js";

/** Who plays, by the choice in the dialog. */
const PLAYERS = /** @type {const} */ ({
  black: { black: "human", white: "engine" },
  white: { black: "engine", white: "human" },
  both: { black: "human", white: "human" },
  neither: { black: "engine", white: "engine" },
});

/** Names in the form that are not names of levels. */
const FULL = "full";
const ELO = "elo";

export class NewGameDialog {
  /**
   * A game was chosen. Rejects with the reason if it cannot begin.
   * @type {(setting: Setting) => Promise<void>}
   */
  onStart = async () => {};

  #dialog = byId("new-game-dialog", HTMLDialogElement);
  #form = byId("new-game-form", HTMLFormElement);

  /** @param {Variant[]} variants */
  constructor(variants) {
    this.variants = variants;
    byId("variant-choices").append(
      ...variants.map(({ name, title }) => choice("variant", name, title)),
    );
    this.#form.addEventListener("input", () => this.#update());
    this.#form.addEventListener("submit", (event) => this.#submit(event));
    byId("new-game-cancel").addEventListener("click", () => this.#dialog.close());
  }

  /** The game on the board. @type {Play | null} */
  #play = null;

  /** @param {Setting} setting what is chosen already @param {Play} play the game on the board */
  open(setting, play) {
    this.#play = play;
    const { variant, players, level, time } = setting;
    const [side] =
      Object.entries(PLAYERS).find(
        ([, { black, white }]) => black === players.black && white === players.white,
      ) ?? [];
    this.#set("variant", variant);
    this.#set("side", side ?? "black");
    this.#makeLevels();
    this.#set("level", typeof level === "number" ? ELO : level);
    if (typeof level === "number") this.#set("elo", String(level));
    this.#set("time", "seconds" in time ? "seconds" : "clock");
    for (const [name, value] of Object.entries(time)) this.#set(name, String(value));
    this.#set("from", "start");
    this.#update();
    this.#dialog.showModal();
  }

  get #variant() {
    const name = this.#get("variant");
    return /** @type {Variant} */ (this.variants.find((variant) => variant.name === name));
  }

  /** Offers the levels of the chosen game, with the same one chosen as before. */
  #makeLevels() {
    const chosen = this.#get("level");
    const names = [...Object.keys(this.#variant.levels), FULL, ELO];
    /** @type {Record<string, string>} */
    const labels = { [FULL]: "Full strength", [ELO]: "Elo" };
    byId("level-choices").replaceChildren(
      ...names.map((name) => choice("level", name, labels[name] ?? capitalised(name))),
    );
    this.#set("level", names.includes(chosen) ? chosen : (names[0] ?? FULL));
  }

  #update() {
    const names = [...Object.keys(this.#variant.levels), FULL, ELO];
    const shown = [...byId("level-choices").querySelectorAll("input")].map(({ value }) => value);
    if (shown.join() !== names.join()) this.#makeLevels();
    byId("elo-field").hidden = this.#get("level") !== ELO;
    byId("seconds-field").hidden = this.#get("time") !== "seconds";
    byId("clock-field").hidden = this.#get("time") !== "clock";
    showRules(byId("new-game-rules"), this.#variant);
    // A position belongs to its game.
    byId("from-field").hidden = this.#get("variant") !== this.#play?.variant.name;
    byId("new-game-error").textContent = "";
  }

  /** @param {Event} event */
  async #submit(event) {
    event.preventDefault();
    const level = this.#get("level");
    /** @type {Setting} */
    const setting = {
      variant: this.#get("variant"),
      setup: this.#setup,
      players: PLAYERS[/** @type {keyof typeof PLAYERS} */ (this.#get("side"))],
      level: level === ELO ? Number(this.#get("elo")) : level,
      time: this.#time(),
    };
    try {
      await this.onStart(setting);
      this.#dialog.close();
    } catch (error) {
      byId("new-game-error").textContent = String(/** @type {Error} */ (error).message);
    }
  }

  /** The position on the board, if it is chosen. */
  get #setup() {
    const { state } = this.#play?.game.shown ?? {};
    const isChosen = this.#get("from") === "board" && !byId("from-field").hidden;
    return isChosen && state ? state.setup : null;
  }

  /** @returns {TimeControl} */
  #time() {
    const [seconds, minutes, increment] = ["seconds", "minutes", "increment"].map((name) =>
      Number(this.#get(name)),
    );
    if (this.#get("time") === "seconds") return { seconds: seconds || 1 };
    return { minutes: minutes || 1, increment: increment || 0 };
  }

  /** @param {string} name */
  #get(name) {
    return String(new FormData(this.#form).get(name) ?? "");
  }

  /** @param {string} name @param {string} value */
  #set(name, value) {
    const field = this.#form.elements.namedItem(name);
    if (field instanceof RadioNodeList || field instanceof HTMLInputElement) field.value = value;
  }
}

/** @param {HTMLElement} place @param {Variant} variant */
export function showRules(place, { rules }) {
  const lines = rules.map((rule, index) => {
    const line = document.createElement(index === 0 ? "h2" : "p");
    line.textContent = rule;
    return line;
  });
  place.replaceChildren(...lines);
}

/** A radio button that looks like one segment of a row. @param {string} name @param {string} value @param {string} text */
function choice(name, value, text) {
  const label = document.createElement("label");
  const input = document.createElement("input");
  Object.assign(input, { type: "radio", name, value });
  label.append(input, text);
  return label;
}
