/** Opens the game or the position in the address. */
import { takePosition, takeRecord } from "./address.js";
import { createGame, createStudy } from "./create.js";
import { line } from "./game.js";
import { importText } from "./records.js";
import { recordFault } from "./text.js";

/** @import { Notice } from "./messages.js" */

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
    const { message } = /** @type {Error} */ (error);
    // A player sees the position in which a move is illegal.
    const reason = message.replace(/(illegal move .*?) in .*?: /, "$1: ");
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
