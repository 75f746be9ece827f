/**
 * The parameters of the address: choices for a new game in the query, a shared position or record in
 * the fragment. They are read once and then removed, so that a reload continues the game.
 */

import { line } from "./game.js";
import { createGame, createStudy, importText, MOST_BYTES, STUDY } from "./records.js";
import { messageOf, recordFault } from "./text.js";

/** The choices in the query, or null if there are none. @returns {Choices | null} */
export function takeChoices() {
  const query = new URLSearchParams(location.search);
  const [variant, level, elo, side] = ["variant", "level", "elo", "side"].map((name) =>
    query.get(name),
  );
  if (!variant && !level && !elo && !side) return null;
  clear();
  return {
    variant: variant ?? null,
    level: Number(elo) || level || null,
    side: side === "black" || side === "white" ? side : null,
  };
}

/**
 * The fragment of an address, which holds a record, the ply to show, and the rules that are not the
 * usual ones, each as the option of the engine.
 * @param {string} text @param {number} at @param {Options} [rules]
 */
export async function gameFragment(text, at, rules) {
  return `#${new URLSearchParams({ at: String(at), game: await pack(text), ...rules })}`;
}

/** Compresses a text: deflate in base64url. @param {string} text */
async function pack(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** @param {string} packed */
async function unpack(packed) {
  const binary = atob(packed.replace(/-/g, "+").replace(/_/g, "/"));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const decoder = new TextDecoder();
  let text = "";
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
    // A short fragment can hold a text of any length.
    if (text.length > MOST_BYTES) throw new Error("it is too long");
  }
}

function clear() {
  history.replaceState(null, "", location.pathname);
}

/**
 * Opens the game or the position in the fragment. Returns whether there was one that could be opened.
 * @param {Play} play
 * @param {Setting} setting what the address leaves open
 * @param {Notice} notice
 */
export async function openShared(play, setting, notice) {
  const fragment = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  const { at = -1, game, variant, setup = null, moves = "", ...rules } = fragment;
  if (!game && !variant) return false;
  clear();
  try {
    const options = play.variants.flatMap(({ options = [] }) => options);
    // Other options of the engine are not for links.
    const unknown = Object.keys(rules).find((rule) => !options.some(({ name }) => name === rule));
    if (unknown) throw new Error(`there is no rule '${unknown}'`);
    if (game) await openRecord(play, { ...setting, rules }, notice, await unpack(game), Number(at));
    else if (variant) {
      const study = { ...setting, ...STUDY, variant, setup, rules, heads: undefined };
      await play.open(await createGame(play.engine, study, moves.split(" ").filter(Boolean)));
    }
    return true;
  } catch (error) {
    // A player sees the position in which a move is illegal.
    const reason = messageOf(error).replace(/(illegal move .*?) in .*?: /, "$1: ");
    notice.show(`The game in the address is refused: ${reason}`);
    return false;
  }
}

/**
 * @param {Play} play
 * @param {Setting} setting
 * @param {Notice} notice
 * @param {string} text of the record
 * @param {number} at the ply to show, -1 for the end
 */
async function openRecord(play, setting, notice, text, at) {
  const { games, errors } = await importText(play.engine, text, setting.variant, setting.rules);
  const [record] = games;
  if (!record) return;
  const game = await createStudy(play.engine, setting, record);
  game.shown = line(game.end)[at] ?? game.end;
  game.live = game.shown;
  await play.open(game);
  const fault = recordFault(record) || errors[0];
  if (fault) notice.show(fault);
}
