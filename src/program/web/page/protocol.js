/** The text of the protocol, which `protocol.md` describes. */

/** @param {Position} position */
export function positionCommand({ setup, moves }) {
  const start = setup === null ? "startpos" : `fen ${setup}`;
  return `position ${start}${moves.length > 0 ? ` moves ${moves.join(" ")}` : ""}`;
}

/** @param {Limits} limits */
export function goCommand(limits) {
  const words = Object.entries(limits).map(([name, value]) =>
    value === true ? name : `${name} ${Math.round(value)}`,
  );
  return ["go", ...words].join(" ");
}

/** Reads a report of a search; null if the line has no score. @param {string} line @returns {Info | null} */
export function parseInfo(line) {
  const words = line.split(" ");
  if (words[0] !== "info" || words[1] === "string") return null;
  const at = words.indexOf("score");
  const kind = words[at + 1];
  if (at < 0 || (kind !== "cp" && kind !== "mate")) return null;
  const pv = words.indexOf("pv");
  const head = pv < 0 ? words : words.slice(0, pv);
  /** @param {string} name @param {number} [offset] */
  const number = (name, offset = 1) => {
    const index = head.indexOf(name);
    return index < 0 ? 0 : Number(head[index + offset]) || 0;
  };
  /** @type {Wdl | null} */
  const wdl = head.includes("wdl") ? [number("wdl"), number("wdl", 2), number("wdl", 3)] : null;
  const chances = head.includes("chances") ? number("chances") : undefined;
  return {
    depth: number("depth"),
    multipv: number("multipv") || 1,
    score: { [kind]: number("score", 2) },
    isBound: head.includes("lowerbound") || head.includes("upperbound"),
    wdl,
    expected: wdl && expectedPoints({ wdl, chances }),
    nps: number("nps"),
    pv: pv < 0 ? [] : words.slice(pv + 1),
  };
}

/**
 * The expected points of a side, from 0 to 1: those of players of a level, or else of the engine.
 * @param {{ wdl: Wdl, chances?: number | undefined }} value
 */
export function expectedPoints({ wdl: [wins, draws], chances = wins + draws / 2 }) {
  return chances / 1000;
}

export const SIDES = /** @type {const} */ (["black", "white"]);

/** @param {Side} side @returns {Side} */
export function opponent(side) {
  return side === "black" ? "white" : "black";
}

/** The level that is not one of a variant. */
export const FULL_STRENGTH = "full";

/** The options of a search at full strength. */
export const FULL = {
  UCI_LimitStrength: "false",
  UCI_ShowWDL: "true",
  MultiPV: "1",
  "Move Format": "coordinate",
};

/**
 * The options of a search at full strength that shows the chances of players of a level.
 * @param {string | number} level
 * @returns {Options}
 */
export function chancesOptions(level) {
  if (typeof level === "number") return { ...FULL, Chances: "elo", UCI_Elo: String(level) };
  return { ...FULL, Chances: level === FULL_STRENGTH ? "engine" : level };
}

/**
 * The options that make the engine play at a level: the name of a level, an Elo number, or `FULL_STRENGTH`.
 * @param {string | number} level
 * @param {Variant} variant
 * @returns {Options}
 */
export function levelOptions(level, variant) {
  const elo = typeof level === "number" ? level : variant.levels[level];
  return elo === undefined ? FULL : { ...FULL, UCI_LimitStrength: "true", UCI_Elo: String(elo) };
}
