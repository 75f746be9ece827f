/** The dialog for a new game. */
import { byId, element, onClick } from "./page.js";
import { capitalised } from "./text.js";

/** The players, by the choice in the dialog. */
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
  /** The game on the board. @type {Play | null} */
  #play = null;

  /** @param {Variant[]} variants */
  constructor(variants) {
    this.variants = variants;
    byId("variant-choices").append(
      ...variants.map(({ name, title }) => choice("variant", name, title)),
    );
    this.#form.addEventListener("input", (event) => this.#update(event));
    this.#form.addEventListener("submit", (event) => this.#submit(event));
    onClick("new-game-cancel", () => this.#dialog.close());
  }

  /** @param {Setting} setting the initial choices @param {Play} play the game on the board */
  open(setting, play) {
    this.#play = play;
    const { variant, players, level, time } = setting;
    const [side] =
      Object.entries(PLAYERS).find(
        ([, { black, white }]) => black === players.black && white === players.white,
      ) ?? [];
    this.#set("variant", variant);
    this.#set("side", side ?? "black");
    this.#makeLevels(typeof level === "number" ? ELO : level);
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

  /** Offers the levels of the chosen game. @param {string} chosen */
  #makeLevels(chosen) {
    const names = [...Object.keys(this.#variant.levels), FULL, ELO];
    /** @type {Record<string, string>} */
    const labels = { [FULL]: "Full strength", [ELO]: "Elo" };
    byId("level-choices").replaceChildren(
      ...names.map((name) => choice("level", name, labels[name] ?? capitalised(name))),
    );
    this.#set("level", names.includes(chosen) ? chosen : (names[0] ?? FULL));
  }

  /** @param {Event} [event] */
  #update(event) {
    const { name } = /** @type {HTMLInputElement | undefined} */ (event?.target) ?? {};
    if (name === "variant") this.#makeLevels(this.#get("level"));
    showField("elo-field", this.#get("level") === ELO);
    showField("seconds-field", this.#get("time") === "seconds");
    showField("clock-field", this.#get("time") === "clock");
    // A position belongs to its game.
    showField("from-field", this.#get("variant") === this.#play?.variant.name);
    showRules(byId("new-game-rules"), this.#variant);
    byId("new-game-error").textContent = "";
  }

  /** @param {Event} event */
  async #submit(event) {
    event.preventDefault();
    const level = this.#get("level");
    const isFromBoard = this.#get("from") === "board";
    /** @type {Setting} */
    const setting = {
      variant: this.#get("variant"),
      setup: null,
      players: PLAYERS[/** @type {keyof typeof PLAYERS} */ (this.#get("side"))],
      level: level === ELO ? Number(this.#get("elo")) : level,
      time: this.#time(),
    };
    try {
      if (isFromBoard && this.#play) setting.setup = await this.#play.shownSetup();
      await this.onStart(setting);
      this.#dialog.close();
    } catch (error) {
      byId("new-game-error").textContent = String(/** @type {Error} */ (error).message);
    }
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

/** Shows or hides a part of the form. @param {string} id @param {boolean} isShown */
function showField(id, isShown) {
  const field = byId(id);
  field.hidden = !isShown;
  for (const input of field.querySelectorAll("input")) input.disabled = !isShown;
}

/** @param {HTMLElement} place @param {Variant} variant */
export function showRules(place, { rules }) {
  place.replaceChildren(...rules.map((rule, index) => element(index === 0 ? "h2" : "p", "", rule)));
}

/**
 * A radio button in the form of a segment of a row.
 * @param {string} name
 * @param {string} value
 * @param {string} text
 */
function choice(name, value, text) {
  const input = Object.assign(document.createElement("input"), { type: "radio", name, value });
  return element("label", "", input, text);
}
