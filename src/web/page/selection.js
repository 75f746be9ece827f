/** How a move is composed square by square from the list of legal moves. */

/**
 * The legal moves whose paths begin with the chosen squares.
 * @param {readonly Move[]} legal
 * @param {readonly string[]} chosen
 */
export function continuations(legal, chosen) {
  return legal.filter(({ path }) => chosen.every((square, index) => path[index] === square));
}

/**
 * The squares where the piece can go next.
 * @param {readonly Move[]} legal
 * @param {readonly string[]} chosen
 */
export function nextSquares(legal, chosen) {
  return new Set(continuations(legal, chosen).flatMap(({ path }) => path[chosen.length] ?? []));
}

/**
 * Adds a square: the next one, or the last one of a longer move if only one move ends there.
 * Returns the chosen squares, with the move if it is unambiguous; null if no move matches.
 * @param {readonly Move[]} legal
 * @param {readonly string[]} chosen
 * @param {string} square
 * @returns {{ chosen: string[], move: Move | null } | null}
 */
export function choose(legal, chosen, square) {
  const next = [...chosen, square];
  const fitting = continuations(legal, next);
  const whole = fitting.find(({ path }) => path.length === next.length);
  if (whole) return { chosen: next, move: whole };
  if (fitting.length > 0) {
    // The first square alone plays no move, even if the piece has only one.
    const only = chosen.length > 0 && fitting.length === 1 ? fitting[0] : undefined;
    return { chosen: next, move: only ?? null };
  }
  const ending = continuations(legal, chosen).filter(({ path }) => path.at(-1) === square);
  const [move] = ending;
  return chosen.length > 0 && move && ending.length === 1 ? { chosen: move.path, move } : null;
}

/**
 * The pieces that must move because every legal move captures; empty if captures are not compulsory.
 * @param {readonly Move[]} legal
 */
export function compelled(legal) {
  const all = legal.length > 0 && legal.every(({ captures }) => captures.length > 0);
  return new Set(all ? legal.flatMap(({ path }) => path[0] ?? []) : []);
}
