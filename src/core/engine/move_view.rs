//! Reads moves and squares of a game, or gives the reason why they cannot be played; and describes moves: their
//! notations, paths and captures.

use std::error::Error;

use serde::Serialize;

use super::error::EngineError;
use crate::game::bitboard::{Square, squares};
use crate::game::{
    Fact, Game, GameHistory, GameLines, MoveFormat, NotationError, Side, Threat, Variation,
    legal_moves,
};

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

/// What a side that is not to move threatens.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ThreatView {
    pub side: Side,
    /// A predicate of the side.
    #[serde(flatten)]
    pub fact: Fact,
    /// The moves that it would make if it were its turn.
    pub moves: Vec<MoveView>,
}

/// Describes a threat.
pub(super) fn threat_view<P: Game>(Threat { fact, waiting, moves }: Threat<P>) -> ThreatView {
    let moves = moves.into_iter().map(|mv| move_view(&waiting, mv)).collect();
    ThreatView { side: waiting.side(), fact, moves }
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

pub(super) fn read_move<P: Game>(position: &P, text: &str) -> Result<P::Move, EngineError> {
    position.read_move(text).map_err(|error| refused(position, text, error))
}

/// Reads a legal move. In a finished game there is none.
pub(super) fn read_legal_move<P: Game>(
    game: &GameHistory<P>,
    text: &str,
) -> Result<P::Move, EngineError> {
    check_open(game, text)?;
    read_move(game.position(), text)
}

/// Whether a legal move begins on the square that a text names; `None` if the text names no square.
pub(super) fn check_square<P: Game>(
    game: &GameHistory<P>,
    text: &str,
) -> Option<Result<(), EngineError>> {
    let position = game.position();
    let square = P::read_square(text)?;
    let begins_here = |&mv: &P::Move| position.path(mv).first() == Some(&square.index());
    Some(check_open(game, text).and_then(|()| {
        if legal_moves(position).iter().any(begins_here) {
            return Ok(());
        }
        position.check_origin(square, text).map_err(|error| refused(position, text, error))
    }))
}

fn check_open<P: Game>(game: &GameHistory<P>, text: &str) -> Result<(), EngineError> {
    let over = |end| {
        let why = format!("the game is over: {end}").into();
        error(game.position(), text, "game-over", why)
    };
    game.outcome().map_or(Ok(()), |end| Err(over(end)))
}

fn refused<P: Game>(position: &P, text: &str, why: P::Error) -> EngineError {
    error(position, text, why.code(), Box::new(why))
}

fn error<P: Game>(
    position: &P,
    text: &str,
    code: &'static str,
    why: Box<dyn Error + Send + Sync>,
) -> EngineError {
    EngineError::Move { text: text.to_string(), setup: position.write_setup(), code, why }
}
