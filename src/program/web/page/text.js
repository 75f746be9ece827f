/** The texts for moves, sides, scores, levels, times and results. */
import { levelOf, levelOfPlayers, moveNumber, promotion } from "./game.js";
import { element } from "./page.js";
import { FULL_STRENGTH, opponent, SIDES } from "./protocol.js";

export const FILES = "abcdefgh";

/** Names of squares stay as they are. @param {string} text */
export function capitalised(text) {
  return /^[a-h][1-8]\b/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
}

/** Without the name of the engine's command or field. @param {unknown} error */
export function messageOf(error) {
  return /** @type {Error} */ (error).message.replace(/^(setup|import): /, "");
}

/** @param {Side} side */
export function sideName(side) {
  return capitalised(side);
}

/** @param {Move} move @param {Notation} notation */
export function moveText(move, notation) {
  return move.path.length > 0 ? move[notation] : "pass";
}

/** A move with its way, where it jumps over what it captures. @param {Move} move @param {Play} play */
function spokenMove(move, { notation, advice }) {
  const text = moveText(move, notation);
  const [path, captures] = [advice.named(move.path), advice.named(move.captures)];
  if (captures.length > 0 && captures.at(-1) === path.at(-1)) return `${text}, a capture`;
  if (captures.length !== path.length - 1) return text;
  const way = captures.map((square, index) => `over ${square} to ${path[index + 1]}`);
  return `${text}, ${way.join(", ")}`;
}

/** A move that is played, read out. @param {TreeNode} node @param {Play} play */
export function playedText(node, play) {
  const { move, mover } = node;
  if (!move || !mover) return "";
  const text = `${nameOf(play.game.setting, mover)}: ${spokenMove(move, play)}.`;
  return [text, promotionText(node), newGroupsText(node)].filter(Boolean).join(" ");
}

/** The number of groups. @param {string[][]} groups */
export function groupsText({ length }) {
  return `${length} ${length === 1 ? "group" : "groups"}`;
}

/** The numbers of groups that a move has changed, read out. @param {TreeNode} node */
function newGroupsText({ parent, state }) {
  const [before, after] = [parent?.state?.groups, state?.groups];
  if (!before || !after) return "";
  const changed = SIDES.filter((side) => before[side].length !== after[side].length);
  const texts = changed.map((side) => `${sideName(side)} has ${groupsText(after[side])}`);
  return texts.length > 0 ? `${texts.join(", ")}.` : "";
}

/** What the engine threatens at a level for learners; null otherwise. @param {Play} play */
export function threatOf({ game, variant, storage, result }) {
  const { setting, shown, live } = game;
  const { threat } = shown.state ?? {};
  if (!threat || result || shown !== live || !storage.settings.hasThreats) return null;
  const level = levelOf(setting, threat.side);
  const elo = typeof level === "number" ? level : (variant.levels[level] ?? Infinity);
  const isForLearners = !game.isHuman(threat.side) && elo <= (variant.levels.easy ?? 0);
  return isForLearners ? threat : null;
}

/** @param {Play} play */
export function threatText(play) {
  const threat = threatOf(play);
  if (!threat) return "";
  const moves = threat.moves.map((move) => moveText(move, play.notation));
  return `${sideName(threat.side)} ${threat.text} (${moves.join(" or ")})`;
}

/** The groups of both sides with their squares, and the threat, read out. @param {Play} play */
export function groupsAndThreatText(play) {
  const { groups } = play.game.shown.state ?? {};
  const sides = SIDES.flatMap((side) => {
    if (!groups) return [];
    const own = groups[side].map((group, index) => `group ${index + 1} on ${group.join(", ")}`);
    return `${sideName(side)} has ${groupsText(groups[side])}: ${own.join("; ")}.`;
  });
  return [...sides, `${threatText(play) || "No threat is shown"}.`].join(" ");
}

/** The position on the board, read out, or with the text of its move alone. @param {TreeNode} node @param {Play} play @param {string} [text] */
export function reachedText(node, play, text) {
  const { ply, mover, move, comment, parent, review } = node;
  const kind = review && kindOf(review);
  const judged = kind ? `, ${kind === "missed" ? "missed win" : kind}` : "";
  const line = parent && parent.children[0]?.move !== move ? "Variation, " : "";
  const reached =
    move && mover
      ? `${line}${placeText({ ply, mover })}: ${text ?? spokenMove(move, play)}${judged}.`
      : startText(play.game.setting);
  return [reached, comment.replace(/[^.!?]$/, "$&.")].join(" ").trim();
}

/** The word of the game for a piece, or for several. @param {string} kind @param {Variant | null} variant */
export function wordOf(kind, variant, count = 1) {
  const { singular = "", plural = "" } = variant?.kinds.find(({ name }) => name === kind) ?? {};
  return count === 1 ? singular : plural;
}

/** The number of a dark square, null for a light one. @param {string} square */
export function squareNumber(square) {
  const [file, row] = [FILES.indexOf(square[0] ?? ""), 8 - Number(square[1])];
  return (file + row) % 2 === 1 ? row * 4 + Math.floor(file / 2) + 1 : null;
}

/** @param {CountedLine[] | undefined} lines @param {string} square */
export function linesThrough(lines, square) {
  return (lines ?? []).filter(({ squares }) => squares.includes(square));
}

/** For screen readers. @param {CountedLine} line */
export function lineText({ squares, stones }) {
  return `${stones} on ${squares[0]} to ${squares.at(-1)}`;
}

/** The pieces on the board and the side to move, read out. @param {Play} play */
export function piecesText({ game, variant, advice, result }) {
  const { state } = game.shown;
  if (!state) return "";
  const sides = SIDES.map((side) => {
    const groups = variant.kinds.flatMap(({ name }) => {
      const own = state.pieces.filter((piece) => piece.side === side && piece.kind === name);
      const count = own.length;
      const squares = advice.named(own.map(({ square }) => square)).join(", ");
      return count > 0 ? `${count} ${wordOf(name, variant, count)} on ${squares}` : [];
    });
    const own = state.groups ? `, in ${groupsText(state.groups[side])}` : "";
    return `${sideName(side)}: ${groups.join("; ") || "nothing"}${own}.`;
  });
  const next = result ? resultText(result, game) : `${nameOf(game.setting, state.side)} to move`;
  return [...sides, `${next}.`].join(" ");
}

/** The last move and what it has captured, read out. @param {Play} play */
export function lastMoveText(play) {
  const { shown } = play.game;
  return (shown.move ? "Last move: " : "") + reachedText({ ...shown, comment: "" }, play);
}

/** The time that both sides have left, read out; empty without clocks. @param {Play} play */
export function clocksText({ game, clock }) {
  if (!game.live.clocks) return "";
  const { left } = clock;
  return `Clocks: ${SIDES.map((side) => `${sideName(side)} ${clockText(left[side])}`).join(", ")}.`;
}

/** @param {Setting} setting */
export function startText({ setup }) {
  return setup === null ? "Start position." : "Position.";
}

/** @param {TreeNode} node */
export function promotionText(node) {
  const kind = promotion(node);
  return kind && node.mover ? `${sideName(node.mover)} has a new ${kind}.` : "";
}

/** The number before a move, as in books: "21." or "21…" for White. @param {TreeNode} node */
export function numberText(node) {
  return `${moveNumber(node)}${node.mover === "white" ? "…" : "."}`;
}

/** The number and the side of a move: "White's move 21". @param {{ ply: number, mover: Side }} move */
export function placeText({ ply, mover }) {
  return `${sideName(mover)}'s move ${moveNumber({ ply, mover })}`;
}

/** The rules that are not the usual ones, as a sentence; empty if all are. @param {Variant} variant @param {Options} [rules] */
export function otherRulesText({ options = [] }, rules = {}) {
  const others = options.flatMap(({ name, default: usual }) => {
    const value = rules[name]?.toLowerCase() ?? String(usual);
    return value === String(usual) ? [] : `${name.toLowerCase()} ${value}`;
  });
  return others.length > 0 ? `Other rules in this game: ${others.join("; ")}.` : "";
}

/** What of a record could not be read; empty if there is nothing. @param {ImportedGame} record */
export function recordFault({ moves, error, rules_error: rules }) {
  const { side } = moves.at(-1) ?? {};
  const last = side ? `after ${placeText({ ply: moves.length, mover: side })}` : "at its start";
  const faults = [error && `The game ends ${last}: ${error}`, rules];
  return faults.flatMap((fault) => (fault ? `${fault}.` : [])).join(" ");
}

/**
 * Moves with numbers, as books print them, after the setup if there is one.
 * @param {TreeNode[]} nodes
 * @param {Notation} notation
 * @param {string | null} setup
 */
export function sheetText(nodes, notation, setup) {
  const words = nodes.flatMap((node, index) => {
    const isNumbered = index === 0 || node.mover === "black";
    const number = isNumbered ? [numberText(node).replace("…", "...")] : [];
    return [...number, node.move ? moveText(node.move, notation) : ""];
  });
  return [...(setup === null ? [] : [`fen ${setup} moves`]), ...words].join(" ");
}

/** What a game is, in a few words. @param {Game} game @param {Variant} variant */
export function gameText({ setting, end }, { title }) {
  const isMoved = end.ply > 0 || setting.setup === null;
  const parts = [title, setting.setup !== null && "position", isMoved && movesText(end.ply)];
  return parts.filter(Boolean).join(", ");
}

/** @param {number} plies */
export function movesText(plies) {
  return countText(Math.ceil(plies / 2));
}

/** @param {number} moves */
export function countText(moves) {
  return `${moves} ${moves === 1 ? "move" : "moves"}`;
}

/** In place of a reason: the result is that of a record. */
export const RECORDED = "by the record";

/**
 * The result for the only human of the game, or for two players or spectators.
 * @param {Result} result
 * @param {Game} game
 */
export function resultText({ winner, reason }, { humanSide, setting }) {
  const why = reason === RECORDED ? ", as recorded" : `: ${reason}`;
  if (!winner) return `Drawn${why}`;
  // Reasons are about the winner, "it", and "the opponent".
  const named = why.replace("the opponent", nameOf(setting, opponent(winner)));
  if (!humanSide) return `${nameOf(setting, winner)} has won${named}`;
  if (winner === humanSide) return `You have won${named.replace(/\bits\b/, "your")}`;
  const yours = why
    .replace("the opponent's", "your")
    .replace("the opponent has", "you have")
    .replace("the opponent", "you")
    .replace(/\bits\b/, `${sideName(winner)}'s`);
  return `You have lost${yours}`;
}

/** @param {ImportedGame["result"]} result */
export function outcomeText(result) {
  return result && (result === "draw" ? "drawn" : `${sideName(result)} won`);
}

/** @param {string | number} level */
export function levelText(level) {
  if (typeof level === "number") return `strength ${level} (Elo)`;
  return level === FULL_STRENGTH ? "full strength" : level;
}

/** In sentences. @param {Setting} setting @param {Side} side */
export function nameOf({ isStudy, heads }, side) {
  return (!isStudy && heads?.[side]) || sideName(side);
}

/** Beside the board. @param {Setting} setting @param {Side} side */
export function playerText(setting, side) {
  const { players, heads } = setting;
  if (heads?.[side]) return heads[side];
  if (players[side] === "engine") return `Soucie, ${levelText(levelOf(setting, side))}`;
  return players.black === players.white ? "" : "you";
}

/** The players of a game; empty if nothing is known of them. @param {Setting} setting */
export function playersText(setting) {
  const [black, white] = [playerText(setting, "black"), playerText(setting, "white")];
  return black || white ? `${black || "Black"} – ${white || "White"}` : "";
}

/** @param {number} time in milliseconds */
export function clockText(time) {
  const tenths = Math.ceil(time / 100);
  const seconds = Math.ceil(time / 1000);
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  if (tenths < 100) return `0:0${Math.floor(tenths / 10)}.${tenths % 10}`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

/** The least cp score of a win by endgame tables. */
const WON = 19_800;

/**
 * @param {Score} score of a side
 * @param {Side} side
 * @param {number} expected points of the same side
 */
export function scoreText({ cp = 0, mate }, side, expected) {
  if (mate === 0) return forBlack(expected, side) > 0.5 ? "Black won" : "White won";
  const value = (mate ?? cp) * (side === "black" ? 1 : -1);
  const size = Math.abs(value);
  const winner = value > 0 ? "Black" : "White";
  if (mate) return `${winner} wins in ${size}`;
  if (isWon({ cp: size }, 1)) return `${winner} wins`;
  return `${value < 0 ? "−" : "+"}${(size / 100).toFixed(2)}`;
}

/**
 * A score read out: the side that it favours, and its expected points, or how it wins.
 * @param {Score} score of a side
 * @param {Side} side
 * @param {number} expected points of the same side
 */
export function spokenScore(score, side, expected) {
  const black = Math.round(100 * forBlack(expected, side));
  const points = black < 50 ? `White ${100 - black} percent` : `Black ${black} percent`;
  const isProved = score.mate !== undefined || isWon(score, 1) || isWon(score, -1);
  return isProved ? scoreText(score, side, expected) : points;
}

/** @param {number} nps positions that are searched in a second */
export function speedText(nps) {
  if (nps >= 1e6) return `${(nps / 1e6).toFixed(1)} M nodes/s`;
  return nps >= 1e3 ? `${Math.round(nps / 1e3)} k nodes/s` : `${nps} nodes/s`;
}

/** Whether a proof or a table decides: a win with 1, a loss with -1. @param {Score} score @param {1 | -1} sign */
export function isWon({ cp = 0, mate = 0 }, sign) {
  return mate * sign > 0 || cp * sign >= WON;
}

/** Black's expected points, from 0 to 1. @param {number} expected points of a side @param {Side} side */
export function forBlack(expected, side) {
  return side === "black" ? expected : 1 - expected;
}

/** Whose chances the percentages are. @param {Setting} setting */
export function chancesText(setting) {
  const level = levelOfPlayers(setting);
  if (level === FULL_STRENGTH) return "between two perfect players";
  return typeof level === "number"
    ? `between players of ${levelText(level)}`
    : `between players of level ${level}`;
}

/** @param {number} expected points, from 0 to 1 */
export function percent(expected) {
  return `${Math.round(100 * expected)}\u00a0%`;
}

/** @param {MoveReview} review */
export function kindOf({ mark, missed_win }) {
  if (missed_win) return "missed";
  return mark ? (mark === "??" ? "blunder" : "mistake") : null;
}

/** @param {MoveReview | null} review */
export function sign(review) {
  const kind = review && kindOf(review);
  if (!kind) return "";
  const made = element("span", `sign ${kind}`, review.mark ?? "△");
  made.title = kind === "missed" ? "missed win" : kind;
  made.role = "img";
  return made;
}
