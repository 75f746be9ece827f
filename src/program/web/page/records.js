/** Games in records, which the engine reads and writes, and in the address of the page. */
import { Game, levelOf, line } from "./game.js";
import { opponent, positionCommand } from "./protocol.js";
import { levelText, messageOf, RECORDED, recordFault, sideName } from "./text.js";

/** The longest record of a game and the longest text of a link. The engine reads lines of at most 1 MiB. */
const MOST_BYTES = 900 << 10;

/** The length of the parts of a text. A UTF-16 unit can take six bytes in a command. */
const PART = 150_000;

/**
 * Sends a text in parts, and yields the answers with the share that is sent, from 0 to 1.
 * @param {Engine} engine
 * @param {string} command
 * @param {string} text
 * @param {string} variant if the text does not determine it
 * @param {Options} [rules] if the text names none
 */
export async function* inParts(engine, command, text, variant, rules) {
  let at = 0;
  for (let part = 1, more = true; more; part += 1) {
    let end = Math.min(at + PART, text.length);
    // Not between the halves of a character.
    if ((text.codePointAt(end - 1) ?? 0) > 0xffff) end += 1;
    more = end < text.length;
    const content = { text: text.slice(at, end), variant, part, more };
    const answer = await engine.query(null, `${command} ${JSON.stringify(content)}`, rules);
    at = end;
    yield { answer, done: more ? at / text.length : 1 };
  }
}

/**
 * The games of a text. Rejects with the engine's reason if there is none.
 * @param {Engine} engine
 * @param {string} text
 * @param {string} variant if the text does not determine it
 * @param {Options} [rules] if the text names none
 * @param {(done: number, games: number) => void} [onPart] gets the share that is read, from 0 to 1, and the number
 * of games so far, after each part; an error that it throws ends the work
 * @returns {Promise<{ games: ImportedGame[], errors: string[] }>}
 */
export async function importText(engine, text, variant, rules, onPart = () => {}) {
  /** @type {{ games: ImportedGame[], errors: string[] }} */
  const found = { games: [], errors: [] };
  for await (const { answer, done } of inParts(engine, "import", text, variant, rules)) {
    for (const game of answer.games) found.games.push(game);
    for (const error of answer.errors) found.errors.push(error);
    onPart(done, found.games.length);
  }
  return found;
}

/** Moves as the page announces them. */
const ANNOUNCED = /^(\s*(black|white):\s*[\w-]+\.?)+\s*$/i;

/** A text to be read, without what other places put before a setup or a move. @param {string} text */
export function copiedText(text) {
  if (ANNOUNCED.test(text)) return text.replace(/(black|white):|\.(?=\s|$)/gi, " ").trim();
  return text.replace(/^\s*fen:\s*/i, "");
}

/** Reads moves in any notation. @param {Engine} engine @param {Position} position @param {string[]} moves */
export async function readMoves(engine, position, moves) {
  const whole = { ...position, moves: [...position.moves, ...moves] };
  const text = positionCommand(whole).replace("position ", "");
  const { games } = await importText(engine, text, position.variant, position.rules);
  return games[0]?.moves.slice(position.moves.length) ?? [];
}

/** The name in records of a player who has given none. @param {Setting} setting @param {Side} side */
export function usualName(setting, side) {
  const { black, white } = setting.players;
  if (setting.players[side] === "engine") return `Soucie (${levelText(levelOf(setting, side))})`;
  return black === white ? undefined : "You";
}

/** @param {Game} game @returns {ImportedGame["result"]} */
export function outcomeOf(game) {
  const result = game.result(game.end);
  return result && (result.winner ?? "draw");
}

/** For `export` and `analyse`. @param {Game} game @param {Date} [when] the date of a game that has none */
export function headers(game, when) {
  const { heads, isStudy } = game.setting;
  return {
    black: heads?.black ?? usualName(game.setting, "black"),
    white: heads?.white ?? usualName(game.setting, "white"),
    event: heads?.event ?? undefined,
    date: heads?.date ?? (isStudy ? undefined : today(when)),
    result: outcomeOf(game),
  };
}

/**
 * The record of a game, with all its headers. Rejects with the engine's reason.
 * @param {Engine} engine
 * @param {Game} game
 * @param {Date} [when] the date of a game that has none
 * @returns {Promise<{ format: string, text: string }>}
 */
export async function recordOf(engine, game, when) {
  const { headers: others = [] } = game.setting.heads ?? {};
  const { variations, annotations } = game.lines;
  // A mark of the analysis is a numeric annotation glyph. That of an annotator stays.
  for (const { ply, review } of line(game.end)) {
    if (review?.mark)
      annotations.push({ line: 0, ply, comment: "", nags: [review.mark === "?" ? 2 : 4] });
  }
  const { ply, ending } = game.end;
  // The engine writes the reasons of the rules.
  if (ending && ending.reason !== RECORDED) {
    const loser = ending.winner ? sideName(opponent(ending.winner)) : "";
    const comment = ending.reason.replace("the opponent", loser);
    annotations.push({ line: 0, ply, comment, nags: [] });
  }
  const { annotator = "" } = game.report ?? {};
  const content = {
    ...headers(game, when),
    reason: ending?.by,
    annotator: annotator || undefined,
    headers: others,
    variations,
    annotations,
  };
  const command = `export ${JSON.stringify(content)}`;
  if (new Blob([command]).size > MOST_BYTES) throw new Error("it is longer than 900 KB");
  return engine.query(game.position(game.end), command);
}

/** A date such as 2026-11-27. */
export function today(now = new Date()) {
  const numbers = [now.getFullYear(), now.getMonth() + 1, now.getDate()];
  return numbers.map((number) => String(number).padStart(2, "0")).join("-");
}

/**
 * Rejects with the engine's reason if the game is not legal.
 * @param {Engine} engine
 * @param {Setting} setting whose variant can be an alias
 * @param {readonly string[]} moves in any notation
 */
export async function createGame(engine, setting, moves) {
  const { variant, setup, rules } = setting;
  const start = await engine.state({ variant, setup, moves: [], rules });
  const game = new Game({ ...setting, variant: start.variant, opening: moves.length });
  game.root.state = start;
  if (setting.lot) game.root.comment = `Opening by lot: ${setting.lot}`;
  for (const move of moves) {
    const { state } = game.live;
    if (!state) break;
    const position = game.position(game.live);
    const next = await engine.state({ ...position, moves: [...position.moves, move] });
    const node = game.play(game.live, /** @type {Move} */ (next.last), state.side);
    node.state = next;
    node.clocks = game.root.clocks;
    game.continueFrom(node);
  }
  game.shown = game.live;
  return game;
}

/** A game for viewing. */
export const STUDY = {
  players: /** @type {const} */ ({ black: "human", white: "human" }),
  levels: undefined,
  lot: undefined,
  isStudy: true,
};

/**
 * A study of a record, or of the position of a setting.
 * @param {Engine} engine
 * @param {Setting} setting
 * @param {ImportedGame | null} record the game to view, which replaces that of the setting
 */
export async function createStudy(engine, setting, record) {
  const { variant, setup, black, white, event, date, headers, unplayed = [] } = record ?? {};
  const fault = (record && recordFault(record)) || undefined;
  const rules = record?.rules ?? setting.rules;
  const own = record && { variant, setup, heads: { black, white, event, date, headers } };
  const study = { ...setting, ...own, ...STUDY, fault, rules, time: { seconds: 1 } };
  const game = new Game(/** @type {Setting} */ (study));
  const nodeAt = record ? game.addRecord(record) : () => game.root;
  for (const { line, ply, text } of unplayed) {
    // A record that is saved has no other place for moves that cannot be played.
    const node = nodeAt(line, ply);
    node.comment = [node.comment, `Not played: ${text}`].filter(Boolean).join(" ");
  }
  const { end } = game;
  end.state = await engine.state(game.position(end));
  if (record && !end.state.result) end.ending = endingOf(record.result);
  return game;
}

/** @param {ImportedGame["result"]} result */
export function endingOf(result) {
  return result && { winner: result === "draw" ? null : result, reason: RECORDED };
}

/**
 * The choices in the query. They are removed, as is the fragment below, so that a reload continues the game.
 * @returns {Choices | null}
 */
export function takeChoices() {
  const query = Object.fromEntries(new URLSearchParams(location.search));
  const { variant = null, level, elo, side } = query;
  if (!variant && !level && !elo && !side) return null;
  clear();
  return {
    variant,
    level: Number(elo) || level || null,
    side: side === "black" || side === "white" ? side : null,
  };
}

/** The fragment of an address: a record and the ply to show. @param {string} text @param {number} at */
export async function gameFragment(text, at) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  const game = btoa(binary).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  return `#at=${at}&game=${game}`;
}

/** @param {string} packed */
async function unpack(packed) {
  const binary = atob(packed.replace(/-/g, "+").replace(/_/g, "/"));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  let text = "";
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += value;
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
    if (game) {
      const text = await unpack(game);
      const { games, errors } = await importText(play.engine, text, setting.variant, rules);
      const [record] = games;
      if (record) await openRecord(play, notice, { ...setting, rules }, record, errors, Number(at));
    } else if (variant) {
      const study = { ...setting, ...STUDY, variant, setup, rules, heads: undefined };
      await play.openNew(await createGame(play.engine, study, moves.split(" ").filter(Boolean)));
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
 * @param {Notice} notice
 * @param {Setting} setting what the record leaves open
 * @param {ImportedGame} record
 * @param {string[]} errors of the other parts of the text
 * @param {number} at the ply to show, -1 for the end
 * @param {() => void} [close] is called before the game is on the board, which is announced then
 */
export async function openRecord(play, notice, setting, record, errors, at, close) {
  const game = await play.storage.known(await createStudy(play.engine, setting, record));
  game.shown = line(game.end)[at] ?? game.end;
  game.live = game.shown;
  close?.();
  await play.openNew(game);
  const faults = [recordFault(record), errors[0]].filter(Boolean);
  if (faults.length > 0) notice.show(faults.join(" "));
}
