/** Records of games, which the engine reads and writes. */
import { positionCommand } from "./protocol.js";
import { levelText } from "./text.js";

/**
 * The games of a text. Rejects with the engine's reason if there is none.
 * @param {Engine} engine
 * @param {string} text
 * @param {string} variant the variant if the text does not determine it
 * @returns {Promise<{ games: ImportedGame[], errors: string[] }>}
 */
export function importText(engine, text, variant) {
  const command = `import ${JSON.stringify({ text, variant })}`;
  return /** @type {Promise<any>} */ (engine.query(null, command));
}

/**
 * Moves in any notation after a position, with both notations and their sides.
 * @param {Engine} engine
 * @param {Position} position
 * @param {string[]} moves
 */
export async function readMoves(engine, position, moves) {
  const whole = { ...position, moves: [...position.moves, ...moves] };
  const text = positionCommand(whole).replace("position ", "");
  const { games } = await importText(engine, text, position.variant);
  return games[0]?.moves.slice(position.moves.length) ?? [];
}

/** The names, the event and the result of a game, for `export` and `analyse`. @param {Play} play */
export function headers({ game, variant }) {
  const { players, level, heads } = game.setting;
  /** @param {Side} side */
  const name = (side) => {
    if (players[side] === "engine") return `Soucie (${levelText(level)})`;
    return players.black === players.white ? undefined : "You";
  };
  const { ending } = game.end;
  return {
    black: heads?.black ?? name("black"),
    white: heads?.white ?? name("white"),
    event: heads?.event ?? undefined,
    date: heads ? (heads.date ?? undefined) : today(variant.record === "pdn" ? "." : "-"),
    result: ending ? (ending.winner ?? "draw") : undefined,
  };
}

/** The date, with a separator between its numbers. @param {string} separator */
export function today(separator) {
  const now = new Date();
  const numbers = [now.getFullYear(), now.getMonth() + 1, now.getDate()];
  return numbers.map((number) => String(number).padStart(2, "0")).join(separator);
}
