// A game of English draughts on Jocly's board: one side is clicked, the engine plays the other.
// Before each move the legal moves and the result are compared between both programs.
"use strict";

/** The state for the clicking script: `turn` counts the positions in which a click is expected. */
const game = { moves: [], legal: [], turn: 0, result: null, error: null };

/**
 * Jocly counts the dark squares row by row from h8, the left corner of the side that begins. This
 * is its player A, here Black, although Jocly draws its pieces in a light colour.
 */
function square(n) {
  const row = n >> 2;
  return "hgfedcba"[2 * (n & 3) + (row & 1)] + (8 - row);
}
const path = (move) => move.pos.map(square).join("");

async function engine(until, ...commands) {
  const body = commands.join("\n");
  const answer = await fetch(`/engine?until=${until}`, { method: "POST", body });
  const text = await answer.text();
  if (!answer.ok || text.includes("info string error")) throw new Error(`engine: ${text}`);
  return text;
}

/** Returns the legal moves of the position and the result of a finished game, by the engine. */
async function soucie() {
  const played = game.moves.length ? ` moves ${game.moves.join(" ")}` : "";
  const text = await engine("readyok", `position startpos${played}`, "d", "moves", "isready");
  const over = /^Game over: (.*)$/m.exec(text);
  return { legal: /^moves ?(.*)$/m.exec(text)[1].split(" ").sort(), over: over && over[1] };
}

/** Returns Jocly's result in the wording of the engine, without the reason; null if it has none. */
async function jocly(match) {
  const { finished, winner } = await match.getFinished();
  if (!finished) return null;
  if (winner === Jocly.DRAW) return "drawn";
  return winner === Jocly.PLAYER_A ? "Black has won" : "White has won";
}

/** The only result that Jocly does not implement. */
const TOO_LONG = "drawn: no capture and no advance of a man for too many moves";

/** Returns whether the game is not over; throws if the two programs disagree. */
async function isOngoing(match) {
  const [ours, theirs] = [await soucie(), await jocly(match)];
  const same = theirs === ours.over || (theirs && ours.over && ours.over.startsWith(`${theirs}: `));
  if (!same && !(ours.over === TOO_LONG && theirs === null)) {
    throw new Error(`result: Soucie ${ours.over}, Jocly ${theirs}`);
  }
  game.result = ours.over;
  if (ours.over) return false;
  const list = [...new Set((await match.getPossibleMoves()).map(path))].sort();
  if (String(list) !== String(ours.legal)) {
    throw new Error(`legal moves: Soucie ${ours.legal}, Jocly ${list}`);
  }
  game.legal = list;
  return true;
}

/** Plays the engine's move on the board and returns it. */
async function engineMove(match, go) {
  const move = /^bestmove (\S+)/m.exec(await engine("bestmove", go))[1];
  const known = (await match.getPossibleMoves()).find((one) => path(one) === move);
  if (!known) throw new Error(`Soucie plays ${move}, which is not legal`);
  await match.playMove(known);
  return move;
}

/** Waits for the clicked move and returns it. */
async function clickedMove(match) {
  const moved = match.userTurn();
  game.turn += 1;
  return path((await moved).move);
}

async function play(side, go) {
  const match = await Jocly.createMatch("english-draughts");
  const viewOptions = { skin: "classical", sounds: false, viewAs: side };
  await match.attachElement(document.getElementById("board"), { viewOptions });
  const variant = "setoption name UCI_Variant value englishdraughts";
  await engine("readyok", variant, "ucinewgame", "isready");
  while (await isOngoing(match)) {
    const isClicked = (await match.getTurn()) === side;
    game.moves.push(isClicked ? await clickedMove(match) : await engineMove(match, go));
  }
}

/** Begins a game: `clicks` is the side that is clicked, `go` the search command for the engine. */
function begin(clicks, go) {
  const side = clicks === "black" ? Jocly.PLAYER_A : Jocly.PLAYER_B;
  play(side, go).catch((error) => (game.error = error.message));
}
