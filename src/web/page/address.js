/**
 * The parameters of the address: choices for a new game in the query, a shared position or record in
 * the fragment. They are read once and then removed, so that a reload continues the game.
 */

import { line } from "./game.js";
import { createGame, createStudy, importText, MOST_BYTES } from "./records.js";
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

/** The position in the fragment, or null if there is none. @returns {Position | null} */
export function takePosition() {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const variant = fragment.get("variant");
  if (!variant) return null;
  clear();
  const moves = fragment.get("moves")?.split(" ").filter(Boolean) ?? [];
  return { variant, setup: fragment.get("setup"), moves };
}

/**
 * The record in the fragment, or null if there is none, and the ply to show, which is -1 for the
 * end. Rejects if the fragment is damaged.
 * @returns {Promise<{ text: string, at: number } | null>}
 */
export async function takeRecord() {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const packed = fragment.get("game");
  if (!packed) return null;
  clear();
  return { text: await unpack(packed), at: Number(fragment.get("at") ?? -1) };
}

/** The fragment of an address, which holds a record and the ply to show. @param {string} text @param {number} at */
export async function gameFragment(text, at) {
  return `#at=${at}&game=${await pack(text)}`;
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
 * Returns whether there was one that could be opened.
 * @param {Play} play
 * @param {Setting} setting what the address leaves open
 * @param {Notice} notice
 */
export async function openShared(play, setting, notice) {
  try {
    return (await openRecord(play, setting, notice)) || (await openPosition(play, setting));
  } catch (error) {
    // A player sees the position in which a move is illegal.
    const reason = messageOf(error).replace(/(illegal move .*?) in .*?: /, "$1: ");
    notice.show(`The game in the address is refused: ${reason}`);
    return false;
  }
}

/** @param {Play} play @param {Setting} setting @param {Notice} notice */
async function openRecord(play, setting, notice) {
  const shared = await takeRecord();
  if (!shared) return false;
  const { games, errors } = await importText(play.engine, shared.text, setting.variant);
  const [record] = games;
  if (!record) return false;
  const game = await createStudy(play.engine, setting, record);
  const shown = line(game.end)[shared.at] ?? game.end;
  game.shown = shown;
  game.live = shown;
  await play.open(game);
  const fault = recordFault(record) || errors[0];
  if (fault) notice.show(fault);
  return true;
}

/** @param {Play} play @param {Setting} setting */
async function openPosition(play, setting) {
  const position = takePosition();
  if (!position) return false;
  const { variant, setup, moves } = position;
  const players = /** @type {const} */ ({ black: "human", white: "human" });
  const usual = { levels: undefined, rules: undefined, heads: undefined };
  const study = { ...setting, ...usual, variant, setup, players, isStudy: true };
  await play.open(await createGame(play.engine, study, moves));
  return true;
}
