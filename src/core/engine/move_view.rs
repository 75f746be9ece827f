//! Descriptions of moves: their notations, paths and captures.

use serde::Serialize;

use super::error::EngineError;
use super::legality::read_move;
use crate::game::bitboard::{Square, squares};
use crate::game::{Game, GameHistory, GameLines, MoveFormat, Side, Variation};

/// A move in both notations, with what a board shows of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct MoveView {
    /// The move in coordinate notation.
    pub coordinate: String,
    /// The move in the standard notation of the game.
    pub standard: String,
    /// The squares on which the piece stands one after the other; none for a pass.
    pub path: Vec<Square>,
    /// The squares of the captured pieces, in the order of the path.
    pub captures: Vec<Square>,
}

/// A move of a game or of a variation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PlayedMove {
    pub side: Side,
    #[serde(flatten)]
    pub mv: MoveView,
}

/// Describes a legal move.
pub(super) fn move_view<P: Game>(position: &P, mv: P::Move) -> MoveView {
    let path: Vec<Square> =
        position.path(mv).into_iter().map(|square| Square::new(square as u8)).collect();
    let next = position.play(mv);
    let opponent = !position.side();
    let is_theirs = |position: &P, square: &Square| {
        position.piece_on(square.index()).is_some_and(|piece| piece.side == opponent)
    };
    let squares = squares(!0);
    let mut captured: Vec<Square> =
        squares.filter(|sq| is_theirs(position, sq) && !is_theirs(&next, sq)).collect();
    let mut captures = Vec::new();
    for step in path.windows(2) {
        let is_here = |sq: &mut Square| matches!(step, [from, to] if is_passed(*from, *to, *sq));
        captures.extend(captured.extract_if(.., is_here));
    }
    // A capture that is on no step of the path comes last.
    captures.append(&mut captured);
    MoveView {
        coordinate: position.write_move(mv, MoveFormat::Coordinate),
        standard: position.write_move(mv, MoveFormat::Standard),
        path,
        captures,
    }
}

/// Describes a legal move and who makes it.
pub(super) fn played_move<P: Game>(position: &P, mv: P::Move) -> PlayedMove {
    PlayedMove { side: position.side(), mv: move_view(position, mv) }
}

/// The moves of variations of a game, up to the first that is illegal, with the error.
pub(super) fn played_variations<P: Game>(
    game: &GameHistory<P>,
    variations: &[Variation<&str>],
) -> Vec<(Vec<PlayedMove>, Option<EngineError>)> {
    let earlier = game.turns().map(|(position, _)| *position);
    let mut lines = GameLines::new(earlier.chain([*game.position()]));
    let played = variations.iter().map(|&Variation { line, ply, ref moves }| {
        let mut played = Vec::new();
        let Some(mut position) = lines.begin(line, ply).copied() else { return (played, None) };
        for text in moves {
            let mv = match read_move(&position, text) {
                Ok(mv) => mv,
                Err(error) => return (played, Some(error)),
            };
            played.push(played_move(&position, mv));
            position = position.play(mv);
            lines.push(position);
        }
        (played, None)
    });
    played.collect()
}

/// Whether a straight step passes or reaches a square.
fn is_passed(from: Square, to: Square, square: Square) -> bool {
    let vector =
        |to: Square| (i32::from(to.file() - from.file()), i32::from(to.rank() - from.rank()));
    let ((x, y), (step_x, step_y)) = (vector(square), vector(to));
    let along = x * step_x + y * step_y;
    x * step_y == y * step_x && 0 < along && along <= step_x * step_x + step_y * step_y
}
