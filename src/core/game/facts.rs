//! What a position or a move shows to a player where it can be counted or proved.

use serde::Serialize;

use super::bitboard::Square;
use super::{Game, GameHistory, Outcome, Position, Side, legal_moves, root_moves};

/// A line of the board, and what stands on it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct BoardLine {
    pub squares: Vec<Square>,
    /// The number of pieces on them, of both sides.
    pub stones: usize,
}

/// The groups of the pieces of both sides, the largest group of each first.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Groups {
    pub black: Vec<Vec<Square>>,
    pub white: Vec<Vec<Square>>,
}

/// A fact about a move. It is certain: counted or proved, not estimated.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Fact {
    /// The stable name for programs: `captures`.
    pub code: &'static str,
    /// The fact in words, a predicate of the move: "captures two men".
    pub text: String,
}

impl Fact {
    /// A fact with this code, in these words.
    pub fn new(code: &'static str, text: impl Into<String>) -> Self {
        Self { code, text: text.into() }
    }
}

/// What the opponent of the side to move could do if it were its turn.
pub struct Threat<P: Position> {
    /// A predicate of the opponent: "threatens to connect".
    pub fact: Fact,
    /// The position in which it would be the opponent's turn.
    pub waiting: P,
    /// The moves that do it there, at least one.
    pub moves: Vec<P::Move>,
}

/// The facts about a legal move, the weightiest first: whether it is the only one, how it ends the game,
/// the wins in one that it stops, allows or threatens, and what the game itself counts.
pub fn facts<P: Game>(game: &GameHistory<P>, mv: P::Move) -> Vec<Fact> {
    let position = game.position();
    let side = position.side();
    let mut next = game.clone();
    next.play(mv);
    let mut facts = Vec::new();
    if root_moves(position, &[]).len() == 1 {
        facts.push(Fact::new("only-move", "is the only legal move"));
    }
    facts.extend(match next.outcome() {
        Some(outcome) => vec![end(outcome, side)],
        None => threats(game, &next, mv),
    });
    facts.extend(position.facts(mv));
    facts
}

/// How a move of `side` ends the game.
fn end(outcome: Outcome, side: Side) -> Fact {
    match outcome.winner {
        Some(winner) if winner == side => Fact::new("wins", "wins at once"),
        Some(_) => Fact::new("loses", "loses at once"),
        None => Fact::new("draws", format!("ends the game in a draw: {}", outcome.reason.text)),
    }
}

/// What a move that leads to `next` and does not end the game does about wins in one.
///
/// It stops a win if the opponent has none after it, but would have one if the side passed, or has one
/// after at least half of the legal moves. With fewer the opponent threatens nothing: those moves
/// blunder. It threatens a win if the side would have one if the opponent passed. A pass counts only in
/// games in which a null move is not misleading.
fn threats<P: Game>(game: &GameHistory<P>, next: &GameHistory<P>, mv: P::Move) -> Vec<Fact> {
    if can_win(next.position()) {
        return vec![Fact::new("allows-win", "lets the opponent win at once")];
    }
    let wins_after_pass =
        |position: &P| position.null_move().is_some_and(|passed| can_win(&passed));
    let mut facts = Vec::new();
    let moves = root_moves(game.position(), &[]);
    let losing = moves.iter().filter(|&&other| other != mv && allows_win(game, other)).count();
    if losing > 0 && losing + 1 == moves.len() {
        facts.push(Fact::new("only-defence", "is the only move that stops a win in one"));
    } else if losing > 0 && (2 * losing >= moves.len() || wins_after_pass(game.position())) {
        facts.push(Fact::new("stops-win", "stops a win in one"));
    }
    if wins_after_pass(next.position()) {
        facts.push(Fact::new("threatens-win", "threatens to win with the next move"));
    }
    facts
}

/// Whether the game goes on after a move, and the opponent can win at once or has won.
fn allows_win<P: Game>(game: &GameHistory<P>, mv: P::Move) -> bool {
    let mut next = game.clone();
    next.play(mv);
    match next.outcome() {
        Some(outcome) => outcome.winner.is_some_and(|winner| winner != game.position().side()),
        None => can_win(next.position()),
    }
}

/// Whether a move of the side to move wins at once.
fn can_win<P: Position>(position: &P) -> bool {
    let wins = |&mv: &P::Move| {
        super::outcome(&position.play(mv)).and_then(|end| end.winner) == Some(position.side())
    };
    legal_moves(position).iter().any(wins)
}
