//! The driver of an analysis: splits games into positions, and makes reports of their analyses.
//!
//! The caller analyses the position of each [`Step`] and passes both, in their order, to a
//! [`Reviewer`], which calls back with an [`AnalysisEvent`] for each result.

use std::{iter, vec};

use super::analyser::Analysis;
use super::report::{GameHead, GameReport, InputError, InputOrigin, PositionReport};
use super::review::MoveReview;
use crate::engine::session::GameSession;
use crate::engine::{EngineError, MoveView};
use crate::game::MoveFormat;
use crate::records::Record;

/// A position to analyse.
pub struct ReplayedPosition {
    pub session: Box<dyn GameSession>,
    /// The move played in it; `None` at the end of a game and for a single position.
    pub played: Option<MoveView>,
    /// Why the next move of the record could not be read or played.
    pub error: Option<String>,
}

impl ReplayedPosition {
    /// The position that `game` has reached, without a move played in it.
    pub fn new(game: &dyn GameSession) -> Self {
        Self { session: game.fork(), played: None, error: None }
    }

    /// The move played in it, in coordinate notation.
    pub fn move_played(&self) -> Option<&str> {
        self.played.as_ref().map(|mv| mv.coordinate.as_str())
    }
}

/// What an analysis takes from its input, in the order of the input.
pub enum Step {
    Game(Box<GameHead>, Option<Box<Record>>),
    /// A position of the game. It is analysed if a move was played in it: otherwise the game ends.
    Move(ReplayedPosition),
    /// A position that is not part of a game, with its number and location in the input.
    Position(usize, InputOrigin, ReplayedPosition),
    Failure(InputError),
}

/// The steps of a part of the input, made one by one.
pub type Steps = Box<dyn Iterator<Item = Step> + Send>;

impl Step {
    /// The position to analyse, if any. The final position of a game is not analysed.
    pub fn position(&self) -> Option<&ReplayedPosition> {
        match self {
            Self::Move(position) => Some(position).filter(|position| position.played.is_some()),
            Self::Position(_, _, position) => Some(position),
            Self::Game(..) | Self::Failure(_) => None,
        }
    }
}

/// The steps of a game. Each move comes with the prefix of its error message, the location in the
/// record.
pub fn game_steps(
    head: GameHead,
    record: Option<Box<Record>>,
    mut start: Box<dyn GameSession>,
    moves: Vec<(String, String)>,
) -> Steps {
    start.set_format(MoveFormat::Coordinate);
    let fault = record.as_ref().and_then(|record| record.fault()).map(str::to_string);
    let positions = Replay { game: Some(start), moves: moves.into_iter(), fault };
    Box::new(iter::once(Step::Game(Box::new(head), record)).chain(positions.map(Step::Move)))
}

/// A game that is replayed lazily. No move is played in its last position.
struct Replay {
    /// The game up to the next position; `None` after the last one.
    game: Option<Box<dyn GameSession>>,
    moves: vec::IntoIter<(String, String)>,
    /// The syntax error after the moves.
    fault: Option<String>,
}

impl Iterator for Replay {
    type Item = ReplayedPosition;

    fn next(&mut self) -> Option<ReplayedPosition> {
        let game = self.game.as_mut()?;
        let mut position = ReplayedPosition::new(&**game);
        match self.moves.next() {
            Some((mv, location)) => match game.play(&mv) {
                Ok(()) => position.played = game.last_move().map(|played| played.mv),
                Err(illegal) => position.error = Some(format!("{location}{illegal}")),
            },
            None => position.error = self.fault.take(),
        }
        if position.played.is_none() {
            self.game = None;
        }
        Some(position)
    }
}

/// A result of an analysis.
pub enum AnalysisEvent<'a> {
    Begin(&'a GameHead),
    /// A move of the game has been reviewed.
    Move(&'a MoveReview),
    Game(&'a GameReport),
    /// A single position has been analysed.
    Position(&'a PositionReport),
    Failure(&'a InputError),
}

/// Makes the reports of the steps of an analysis.
#[derive(Default)]
pub struct Reviewer {
    game: Option<GameReport>,
}

impl Reviewer {
    /// Adds the next step, with the analysis of its position if it has one.
    pub fn add<E: From<EngineError>>(
        &mut self,
        step: Step,
        analysis: Analysis,
        on_event: &mut dyn FnMut(AnalysisEvent) -> Result<(), E>,
    ) -> Result<(), E> {
        match step {
            Step::Game(head, record) => {
                let report = GameReport::new(*head, record);
                on_event(AnalysisEvent::Begin(&report.head))?;
                self.game = Some(report);
                Ok(())
            }
            Step::Move(position) => {
                let Some(report) = &mut self.game else { return Ok(()) };
                let ReplayedPosition { session, played, error } = position;
                report.error = error;
                if let Some(review) = report.add(&*session, played.as_ref(), &analysis)? {
                    on_event(AnalysisEvent::Move(review))?;
                }
                if played.is_none() { on_event(AnalysisEvent::Game(report)) } else { Ok(()) }
            }
            Step::Position(number, origin, position) => {
                let report = PositionReport::new(number, origin, &*position.session, analysis)?;
                on_event(AnalysisEvent::Position(&report))
            }
            Step::Failure(failure) => on_event(AnalysisEvent::Failure(&failure)),
        }
    }
}
