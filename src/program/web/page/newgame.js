/** The dialogs for a new game: of the first visit, and with all choices. */
import { button, byId, element, onClick } from "./page.js";
import { FULL_STRENGTH, SIDES } from "./protocol.js";
import { capitalised, levelText, messageOf } from "./text.js";

const PLAYERS = /** @type {const} */ ({
  black: { black: "human", white: "engine" },
  white: { black: "engine", white: "human" },
  two: { black: "human", white: "human" },
  watch: { black: "engine", white: "engine" },
});

/** The name of a number in the form, beside the names of levels. */
const ELO = "elo";

export class NewGameDialog {
  /**
   * A game was chosen, and the moves of its opening. Rejects with the reason if it cannot begin.
   * @type {(setting: Setting, moves: readonly string[]) => Promise<void>}
   */
  onStart = async () => {};

  #dialog = byId("new-game-dialog", HTMLDialogElement);
  #form = byId("new-game-form", HTMLFormElement);
  #turning = byId("turning", HTMLInputElement);
  #ballots = new BallotField();
  #rules = new RuleFields(byId("rule-fields"));
  #isStarting = false;

  /** @param {Play} play */
  constructor(play) {
    this.play = play;
    const choices = play.variants.map(({ name, title }) => choice("variant", name, title));
    byId("variant-choices").append(...choices);
    this.#form.addEventListener("input", (event) => this.#update(event));
    this.#form.addEventListener("submit", (event) => this.#submit(event));
    onClick("usual-rules", () => {
      this.#rules.show(this.#variant, {});
      this.#update();
      byId("more-rules-label").focus();
    });
  }

  /**
   * @param {Setting} setting the initial choices
   * @param {"start" | "board"} from where the new game begins
   */
  open(setting, from) {
    const { variant, players, level, levels, time, pace, heads, rules } = setting;
    const isMixed = players.black !== players.white;
    this.#set("variant", variant);
    this.#set("mode", isMixed ? "one" : players.black === "human" ? "two" : "watch");
    this.#set("side", players.white === "human" && isMixed ? "white" : "black");
    this.#makeLevels({ level: typeof level === "number" ? ELO : level, ...levels });
    if (typeof level === "number") this.#set("elo", String(level));
    for (const side of SIDES) this.#set(`${side}-name`, heads?.[side] ?? "");
    this.#set("time", "seconds" in time ? "seconds" : "clock");
    for (const [name, value] of Object.entries(time)) this.#set(name, String(value));
    this.#set("pace", String(pace ?? ""));
    this.#set("from", from);
    this.#turning.checked = this.play.storage.settings.turning === "mover";
    this.#rules.show(this.#variant, rules ?? {});
    this.#set("ballot", "");
    this.#update();
    this.#dialog.showModal();
    const first = from === "board" ? "#new-game-start" : "input:checked";
    /** @type {HTMLElement | null} */ (this.#dialog.querySelector(first))?.focus();
  }

  get #variant() {
    return this.play.variantNamed(this.#get("variant"));
  }

  /** @param {Record<string, string | number>} chosen by field */
  #makeLevels(chosen) {
    const { levels } = this.#variant;
    const names = [...Object.keys(levels), FULL_STRENGTH];
    const label = (/** @type {string} */ name) =>
      name === ELO ? "A number" : capitalised(levelText(name));
    const elo = (/** @type {string} */ name) => (name in levels ? `Elo ${levels[name]}` : "");
    byId("level-choices").replaceChildren(
      ...[...names, ELO].map((name) => choice("level", name, label(name), elo(name))),
    );
    const level =
      [...names, ELO].find((name) => name === chosen.level) ?? names[0] ?? FULL_STRENGTH;
    this.#set("level", level);
    for (const side of SIDES) {
      const field = byId(`${side}-level`, HTMLSelectElement);
      field.replaceChildren(
        ...names.map((name) => new Option(`${label(name)} ${elo(name)}`.trim(), name)),
      );
      field.value = names.find((name) => name === chosen[side]) ?? names[0] ?? FULL_STRENGTH;
    }
  }

  /** @param {Event} [event] */
  #update(event) {
    const { name } = /** @type {HTMLInputElement | undefined} */ (event?.target) ?? {};
    if (name === "variant") {
      this.#makeLevels({ level: this.#get("level"), ...this.#levels });
      this.#rules.show(this.#variant, {});
    }
    const mode = this.#get("mode");
    showField("side-field", mode === "one");
    showField("level-field", mode === "one");
    showField("names-field", mode === "two");
    showField("levels-field", mode === "watch");
    showField("elo-field", mode === "one" && this.#get("level") === ELO);
    showField("seconds-field", mode !== "two" && this.#get("time") === "seconds");
    showField("clock-field", this.#get("time") === "clock");
    // A position belongs to its game.
    showField("from-field", this.#get("variant") === this.play.variant.name);
    this.#ballots.show(this.#variant, !this.#isFromBoard);
    byId("more-rules").hidden = !this.#variant.options?.length;
    const changed = Object.keys(this.#rules.chosen).length;
    const label = `More: other rules${changed > 0 ? ` (${changed} changed)` : ""}`;
    byId("more-rules-label").textContent = label;
    byId("usual-rules").hidden = changed === 0;
    showRules(byId("new-game-rules"), this.#variant);
    byId("new-game-error").textContent = "";
  }

  get #isFromBoard() {
    return !byId("from-field").hidden && this.#get("from") === "board";
  }

  /** @param {Event} event */
  async #submit(event) {
    event.preventDefault();
    const setting = this.#setting;
    const isMover = this.play.storage.settings.turning === "mover";
    if (this.#get("mode") === "two" && this.#turning.checked !== isMover)
      this.play.storage.change({ turning: isMover ? "own" : "mover" });
    // The dialog stays open meanwhile.
    if (this.#isStarting) return;
    this.#isStarting = true;
    try {
      if (this.#isFromBoard) setting.setup = await this.play.shownSetup();
      const { moves, lot } = this.#ballots.opening;
      await this.onStart({ ...setting, lot }, moves);
      this.#dialog.close();
    } catch (error) {
      byId("new-game-error").textContent = messageOf(error);
    } finally {
      this.#isStarting = false;
    }
  }

  /** @returns {Setting} */
  get #setting() {
    const mode = this.#get("mode");
    const name = /** @type {keyof typeof PLAYERS} */ (mode === "one" ? this.#get("side") : mode);
    const players = PLAYERS[name];
    const level = this.#get("level");
    const isTwo = players === PLAYERS.two;
    const [black = "", white = ""] = SIDES.map((side) => this.#get(`${side}-name`).trim());
    return {
      variant: this.#get("variant"),
      setup: null,
      players,
      level: level === ELO ? Number(this.#get("elo")) : level,
      levels: players === PLAYERS.watch ? this.#levels : undefined,
      time: this.#time(),
      pace: Number(this.#get("pace")) || undefined,
      rules: this.#rules.chosen,
      heads: isTwo && (black || white) ? { black, white, event: null, date: null } : undefined,
    };
  }

  get #levels() {
    return { black: this.#get("black-level"), white: this.#get("white-level") };
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
    return this.#field(name).value;
  }

  /** @param {string} name @param {string} value */
  #set(name, value) {
    this.#field(name).value = value;
  }

  /** @param {string} name */
  #field(name) {
    return /** @type {RadioNodeList | HTMLInputElement} */ (this.#form.elements.namedItem(name));
  }
}

/** @param {string} id @param {boolean} isShown */
function showField(id, isShown) {
  const field = byId(id);
  field.hidden = !isShown;
  for (const input of field.querySelectorAll("input")) input.disabled = !isShown;
}

/** @param {HTMLElement} place @param {Variant} variant */
export function showRules(place, { rules }) {
  place.replaceChildren(...rules.map((rule, index) => element(index === 0 ? "h2" : "p", "", rule)));
}

/** A radio button. @param {string} name @param {string} value @param {string} text @param {string} [note] */
function choice(name, value, text, note = "") {
  const input = Object.assign(document.createElement("input"), { type: "radio", name, value });
  if (!note) return element("label", "", input, text);
  const described = element("span", "soft", note);
  // It describes the button, and is no part of its name.
  described.ariaHidden = "true";
  input.ariaDescription = note;
  return element("label", "", input, text, described);
}

const LOT = "lot";

/** @param {Ballot} ballot */
function ballotText({ standard, name }) {
  return name ? `${standard} ${name}` : standard;
}

class BallotField {
  #place = byId("ballot-field");
  #field = byId("ballot", HTMLSelectElement);
  /** @type {Ballot[]} */
  #ballots = [];

  /** @param {Variant} variant @param {boolean} isOffered */
  show({ ballots = [] }, isOffered) {
    this.#place.hidden = !isOffered || ballots.length === 0;
    if (ballots === this.#ballots || ballots.length === 0) return;
    this.#ballots = ballots;
    this.#field.replaceChildren(
      new Option("Free", ""),
      new Option(`By lot, one of ${ballots.length}`, LOT),
      ...ballots.map((ballot, index) => new Option(ballotText(ballot), String(index))),
    );
  }

  /** The moves of the opening, which may be drawn by lot now, and then its name. */
  get opening() {
    const { value } = this.#field;
    const isLot = value === LOT;
    const index = isLot ? Math.floor(Math.random() * this.#ballots.length) : Number(value);
    const ballot = this.#ballots[index];
    if (this.#place.hidden || !value || !ballot) return { moves: [], lot: undefined };
    return { moves: ballot.moves, lot: isLot ? ballotText(ballot) : undefined };
  }
}

/** The fields for the rules that can be chosen. */
class RuleFields {
  /** @type {{ name: string, usual: string, field: HTMLInputElement | HTMLSelectElement }[]} */
  #fields = [];

  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
  }

  /** @param {Variant} variant @param {Options} chosen the unusual ones */
  show({ options = [] }, chosen) {
    this.#fields = [];
    this.place.replaceChildren(
      ...options.map((option) => {
        const { name, description } = option;
        const usual = String(option.default);
        const field = makeField(option);
        field.value = chosen[name] ?? usual;
        this.#fields.push({ name, usual, field });
        return element("label", "rule", element("span", "", description), field);
      }),
    );
  }

  get chosen() {
    const unusual = this.#fields.filter(({ field, usual }) => field.value !== usual);
    return Object.fromEntries(unusual.map(({ name, field }) => [name, field.value]));
  }
}

/** @param {RuleOption} option */
function makeField({ choices, labels, min, max }) {
  if (!choices) {
    const [least, most] = [String(min), String(max)];
    const field = { type: "number", min: least, max: most, required: true };
    return Object.assign(document.createElement("input"), field);
  }
  const field = document.createElement("select");
  for (const [index, choice] of choices.entries()) field.add(new Option(labels?.[index], choice));
  return field;
}

/**
 * Offers the games, their lessons and their puzzles at the first visit. Without a choice, the game on the board stays.
 * @param {Play} play
 * @param {(variant: Variant) => Promise<void>} begin
 * @param {{ course: import("./course.js").Course, puzzles: import("./puzzles.js").Puzzles }} others
 */
export function welcome({ variants, engine }, begin, { course, puzzles }) {
  const dialog = byId("welcome-dialog", HTMLDialogElement);
  const place = byId("welcome-puzzles");
  /** The first positions of lessons and puzzles: variants of a game have the same. @type {Set<string>} */
  const known = new Set();
  /** @param {{ setup: string }[]} all */
  const isNew = ([first]) => first && known.size < known.add(first.setup).size;
  for (const variant of variants) {
    const choose = async () => {
      await begin(variant);
      dialog.close();
    };
    const learn = () => choose().then(() => course.start());
    const solve = () => choose().then(() => puzzles.start());
    const position = { variant: variant.name, setup: null, moves: [] };
    const offer = (/** @type {Puzzle[]} */ all) => {
      if (!isNew(all)) return;
      place.append(button("", solve, `Puzzles of ${variant.title}`), " ");
      place.hidden = false;
    };
    const parts = [element("b", "", variant.title), element("span", "", variant.goal)];
    const game = element("div", "welcome-game", button("", choose, ...parts));
    byId("welcome-games").append(game);
    const teach = (/** @type {RuleLesson[]} */ all) => {
      if (!isNew(all)) return;
      const of = element("span", "unseen", ` of ${variant.title}`);
      game.append(button("", learn, "Learn the rules", of));
    };
    engine.query(position, "lessons").then(teach, () => {});
    engine.query(position, "problems").then(offer, () => {});
  }
  dialog.showModal();
}
