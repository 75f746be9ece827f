/**
 * The parameters of the address: choices for a new game in the query, a shared position in the
 * fragment. Both are read once and then removed, so that a reload continues the game.
 */

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

/** The fragment of an address, which holds a position. @param {Position} position */
export function fragmentOf({ variant, setup, moves }) {
  const fragment = new URLSearchParams({ variant });
  if (setup !== null) fragment.set("setup", setup);
  if (moves.length > 0) fragment.set("moves", moves.join(" "));
  return `#${fragment}`;
}

function clear() {
  history.replaceState(null, "", location.pathname);
}
