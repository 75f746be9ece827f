/** Creates games that the engine accepts. */
import { Game } from "./game.js";

/**
 * A game from a position, with the moves that lead to it.
 * Rejects with the engine's reason if it is not a legal one.
 * @param {Engine} engine
 * @param {Setting} setting whose variant can be an alias
 * @param {readonly string[]} moves in any notation
 */
export async function createGame(engine, setting, moves) {
  const { setup } = setting;
  const start = await engine.state({ variant: setting.variant, setup, moves: [] });
  const game = new Game({ ...setting, variant: start.variant });
  game.root.state = start;
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
  game.isFlipped = isSeenFromAbove(game);
  return game;
}

/**
 * A study: a game for viewing, in which both sides are human.
 * @param {Engine} engine
 * @param {Setting} setting
 * @param {ImportedGame | null} record the game to view, which replaces that of the setting
 */
export async function createStudy(engine, setting, record) {
  const players = /** @type {const} */ ({ black: "human", white: "human" });
  const { variant, setup, black, white, event, date, headers } = record ?? {};
  const own = record && { variant, setup, heads: { black, white, event, date, headers } };
  const study = { ...setting, ...own, players, time: { seconds: 1 }, isStudy: true };
  const game = new Game(/** @type {Setting} */ (study));
  if (record) game.addRecord(record);
  const { end } = game;
  end.state = await engine.state(game.position(end));
  const result = record?.result;
  if (result && !end.state.result) {
    end.ending = { winner: result === "draw" ? null : result, reason: "by the record" };
  }
  return game;
}

/**
 * Whether the pieces of the human are in the upper half at the start, on average.
 * @param {Game} game
 */
function isSeenFromAbove({ root, humanSide }) {
  const own = root.state?.pieces.filter(({ side }) => side === humanSide) ?? [];
  const ranks = own.reduce((sum, { square }) => sum + Number(square[1]), 0);
  return ranks > own.length * 4.5;
}
