/** Which side of the board is at the top. */

/**
 * Whether Black's view is the one to show, from above.
 * @param {Game} game
 * @param {Turning} turning
 */
export function isTurned(game, turning) {
  const { humanSide, hasTwoPlayers, live } = game;
  if (turning === "rule") return false;
  if (humanSide) return ranks(game, humanSide) > 0;
  if (turning === "own" || !hasTwoPlayers || !live.state) return false;
  const { side } = live.state;
  // Where both sides begin at all edges, White plays from the other side of the board.
  return (ranks(game, side) || (side === "white" ? 1 : 0)) > 0;
}

/** How far the pieces of a side are above the middle at the start, summed up. @param {Game} game @param {Side} side */
function ranks({ root }, side) {
  const own = root.state?.pieces.filter((piece) => piece.side === side) ?? [];
  return own.reduce((sum, { square }) => sum + Number(square[1]) - 4.5, 0);
}
