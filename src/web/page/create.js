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
  const { variant, setup, rules } = setting;
  const start = await engine.state({ variant, setup, moves: [], rules });
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
  const usual = { levels: undefined, rules: undefined, time: { seconds: 1 } };
  const study = { ...setting, ...usual, ...own, players, isStudy: true };
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
