/** The numbers on the board: of the pieces on lines, and of groups. */
import { svg } from "./page.js";
import { SIDES } from "./protocol.js";

/** The distance of a number from the chosen piece, in squares. */
const COUNT_AT = 0.66;
/** Degrees between the hues of a group and the next one: it takes twelve groups until a hue comes again. */
const HUE_STEP = 150;
/** The hue before the first group of a side: no hue of Black is one of White. */
const HUES = { black: 0, white: 195 };

/**
 * The numbers of pieces on lines through a square, on both sides of it.
 * @param {CountedLine[]} lines
 * @param {string} square
 * @param {(square: string) => [number, number]} centre
 */
export function countMarks(lines, square, centre) {
  const [x, y] = centre(square);
  return lines.flatMap(({ squares, stones }) => {
    const at = squares.indexOf(square);
    return [squares[at - 1], squares[at + 1]].filter(Boolean).map((next) => {
      const [nextX, nextY] = centre(next ?? "");
      const [cx, cy] = [x + (nextX - x) * COUNT_AT, y + (nextY - y) * COUNT_AT];
      const text = svg("text", { x: cx, y: cy }, String(stones));
      return svg("g", { class: "count" }, svg("circle", { cx, cy, r: 0.19 }), text);
    });
  });
}

/**
 * The number of the group of a square, from 1 for the largest of its side; 0 without one.
 * @param {Groups | null | undefined} groups
 * @param {string} square
 */
export function groupNumber(groups, square) {
  const numbers = SIDES.map(
    (side) => groups?.[side].findIndex((all) => all.includes(square)) ?? -1,
  );
  return 1 + Math.max(...numbers);
}

/** The colour of a group. Hues that are next to each other differ in lightness. @param {Side} side @param {number} number */
function groupColour(side, number) {
  const lightness = number % 2 ? 0.72 : 0.5;
  return `oklch(${lightness} 0.15 ${(HUES[side] + number * HUE_STEP) % 360})`;
}

/**
 * The squares of groups in their colours, and the numbers of the groups on the pieces.
 * @param {Groups | null | undefined} groups
 * @param {(square: string) => [number, number]} corner
 */
export function groupMarks(groups, corner) {
  return SIDES.flatMap((side) =>
    (groups?.[side].flat() ?? []).map((square) => {
      const [x, y] = corner(square);
      const number = groupNumber(groups, square);
      const colour = groupColour(side, number);
      const size = { width: 1, height: 1 };
      const field = svg("rect", { x, y, ...size, fill: colour, stroke: colour });
      const text = svg("text", { x: x + 0.5, y: y + 0.5, class: side }, String(number));
      return { field, text };
    }),
  );
}
