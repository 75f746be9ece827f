/** Scores and expected points as text, from Black's view, as on the page of an analysis. */

import { element } from "./page.js";

/** A cp score of at least this value is a proved win of unknown length. */
export const WON = 19_800;

/**
 * @param {Score} score of a side
 * @param {Side} side
 * @param {Wdl} wdl of the same side
 */
export function scoreText({ cp = 0, mate }, side, wdl) {
  if (mate === 0) return forBlack(wdl, side) > 0.5 ? "Black won" : "White won";
  const value = (mate ?? cp) * (side === "black" ? 1 : -1);
  const size = Math.abs(value);
  if (mate) return `${value < 0 ? "−" : ""}#${size}`;
  if (isWon({ cp: size }, 1)) return value > 0 ? "won" : "lost";
  return `${value < 0 ? "−" : "+"}${(size / 100).toFixed(2)}`;
}

/** Whether the result is proved: a win with 1, a loss with -1. @param {Score} score @param {1 | -1} sign */
export function isWon({ cp = 0, mate = 0 }, sign) {
  return mate * sign > 0 || cp * sign >= WON;
}

/** Black's expected points, from 0 to 1. @param {Wdl} wdl of a side @param {Side} side */
export function forBlack([wins, draws], side) {
  const expected = (wins + draws / 2) / 1000;
  return side === "black" ? expected : 1 - expected;
}

/** @param {number} expected points, from 0 to 1 */
export function percent(expected) {
  return `${Math.round(100 * expected)}\u00a0%`;
}

/** The kind of a bad move; null for a good one. @param {MoveReview} review */
export function kindOf({ mark, missed_win }) {
  if (missed_win) return "missed";
  return mark ? (mark === "??" ? "blunder" : "mistake") : null;
}

/** The annotation symbol of a move; empty for a good one. @param {MoveReview | null} review */
export function sign(review) {
  const kind = review && kindOf(review);
  if (!kind) return "";
  const made = element("span", `sign ${kind}`, review.mark ?? "△");
  made.title = kind === "missed" ? "missed win" : kind;
  made.role = "img";
  made.ariaLabel = made.title;
  return made;
}
