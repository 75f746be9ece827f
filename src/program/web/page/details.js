/** What users write about a game: its headers, and comments on its moves. */
import { byId, onClick } from "./page.js";
import { SIDES } from "./protocol.js";
import { endingOf, outcomeOf, usualName } from "./records.js";
import { placeText } from "./text.js";

/** The names of headers in the formats of records. */
const NAMES = {
  sgf: { site: "PC", round: "RO", result: "RE" },
  pdn: { site: "Site", round: "Round", result: "Result" },
};
/** @param {Variant} variant */
const namesOf = ({ record }) => NAMES[/** @type {keyof typeof NAMES} */ (record)];
const OWN = /** @type {const} */ (["black", "white", "event", "date"]);
const OTHER = /** @type {const} */ (["site", "round"]);

/** @param {Play} play */
export function listenToDetails(play) {
  const dialog = byId("details-dialog", HTMLDialogElement);
  const form = byId("details-form", HTMLFormElement);
  const result = byId("details-result", HTMLSelectElement);
  /** @param {string} name */
  const field = (name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));

  onClick("details-item", () => {
    const { game } = play;
    const { heads } = game.setting;
    for (const name of OWN) field(name).value = heads?.[name] ?? "";
    for (const side of SIDES) field(side).placeholder = usualName(game.setting, side) ?? "";
    const others = otherHeaders(play);
    for (const name of OTHER) field(name).value = others[name] ?? "";
    result.value = outcomeOf(game) ?? "";
    // The rules, or a game in progress against the engine, decide the result.
    result.disabled =
      Boolean(game.end.state?.result) || Object.values(game.setting.players).includes("engine");
    dialog.showModal();
  });
  form.addEventListener("submit", () => {
    const { game, variant } = play;
    /** @param {string} name */
    const text = (name) => field(name).value.trim() || null;
    const names = namesOf(variant);
    const outcome = /** @type {Side | "draw" | null} */ (result.value || null);
    const isNew = !result.disabled && outcome !== outcomeOf(game);
    if (isNew) game.end.ending = endingOf(outcome);
    const replaced = [names.site, names.round, ...(isNew ? [names.result] : [])];
    const kept = game.setting.heads?.headers?.filter(([name]) => !replaced.includes(name)) ?? [];
    /** @type {[string, string][]} */
    const added = OTHER.flatMap((name) => (text(name) ? [[names[name], text(name) ?? ""]] : []));
    game.setting.heads = {
      black: text("black"),
      white: text("white"),
      event: text("event"),
      date: text("date"),
      headers: [...added, ...kept],
    };
    game.revision += 1;
    play.changed();
  });
}

/** @param {Play} play @returns {{ site?: string, round?: string }} */
function otherHeaders({ game, variant }) {
  const names = namesOf(variant);
  const all = Object.fromEntries(game.setting.heads?.headers ?? []);
  return { site: all[names.site], round: all[names.round] };
}

/** @param {Play} play */
export function eventText(play) {
  const { event, date } = play.game.setting.heads ?? {};
  const { site, round } = otherHeaders(play);
  return [event, site, round && `round ${round}`, date].filter(Boolean).join(" · ");
}

/** The field for comments. Returns a function that draws it. @param {Play} play */
export function listenToComment(play) {
  const field = byId("comment", HTMLTextAreaElement);
  let { game } = play;
  let node = game.shown;
  field.addEventListener("input", () => {
    node.comment = field.value;
    game.revision += 1;
    play.changed();
  });
  const render = () => {
    // While a comment is being written, the moves of others do not take its field away.
    const isWriting = document.activeElement === field && game === play.game;
    if (!isWriting) {
      game = play.game;
      node = game.shown;
    }
    const { comment, ply, mover } = node;
    byId("comment-label").textContent = mover
      ? `Comment on ${placeText({ ply, mover })}`
      : "Comment at the start";
    if (field.value !== comment) field.value = comment;
  };
  field.addEventListener("blur", render);
  return render;
}
