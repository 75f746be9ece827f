// A game of English draughts on Jocly's board: somebody clicks for one side, the engine answers for
// the other. Before each move both programs are asked what is legal and whether the game is over.
"use strict";

/** What the clicking script reads: `turn` counts the positions in which a click is awaited. */
const game = { moves: [], legal: [], turn: 0, result: null, error: null };

/**
 * Jocly counts the dark squares row by row from the left corner, h8, of the side that begins: its
 * player A, here Black, though Jocly draws the pieces of that side light.
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

/** What the engine says of the position: its legal moves, and its words on a finished game. */
async function soucie() {
  const played = game.moves.length ? ` moves ${game.moves.join(" ")}` : "";
  const text = await engine("readyok", `position startpos${played}`, "d", "moves", "isready");
  const over = /^Game over: (.*)$/m.exec(text);
  return { legal: /^moves ?(.*)$/m.exec(text)[1].split(" ").sort(), over: over && over[1] };
}

/** Jocly's judgement, in the engine's words as far as they go; null while the game goes on. */
async function jocly(match) {
  const { finished, winner } = await match.getFinished();
  if (!finished) return null;
  if (winner === Jocly.DRAW) return "drawn";
  return winner === Jocly.PLAYER_A ? "Black has won" : "White has won";
}

/** The one ending that Jocly does not know. */
const TOO_LONG = "drawn: no capture and no advance of a man for too many moves";

/** Whether the game goes on; throws where the two programs do not agree. */
async function goesOn(match) {
  const [ours, theirs] = [await soucie(), await jocly(match)];
  const same = theirs === ours.over || (theirs && ours.over && ours.over.startsWith(`${theirs}: `));
  if (!same && !(ours.over === TOO_LONG && theirs === null)) {
    throw new Error(`is it over? Soucie: ${ours.over}; Jocly: ${theirs}`);
  }
  game.result = ours.over;
  if (ours.over) return false;
  const list = [...new Set((await match.getPossibleMoves()).map(path))].sort();
  if (String(list) !== String(ours.legal)) {
    throw new Error(`what is legal? Soucie: ${ours.legal}; Jocly: ${list}`);
  }
  game.legal = list;
  return true;
}

/** The engine's move, shown on the board. */
async function enginesMove(match, go) {
  const move = /^bestmove (\S+)/m.exec(await engine("bestmove", go))[1];
  const known = (await match.getPossibleMoves()).find((one) => path(one) === move);
  if (!known) throw new Error(`Soucie plays ${move}, which is not legal`);
  await match.playMove(known);
  return move;
}

/** The move that is clicked. */
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
  while (await goesOn(match)) {
    const clicker = (await match.getTurn()) === side;
    game.moves.push(clicker ? await clickedMove(match) : await enginesMove(match, go));
  }
}

/** Begins a game: `clicks` is the side that is clicked, `go` what the engine is told to search. */
function begin(clicks, go) {
  const side = clicks === "black" ? Jocly.PLAYER_A : Jocly.PLAYER_B;
  play(side, go).catch((error) => (game.error = error.message));
}
