//! The analysis of one game, move by move.

use std::sync::Arc;

use super::analyser::{Analyser, Analysis};
use super::html;
use super::replay::Replay;
use super::report::{GameHead, GameReport, InputOrigin};
use super::review::MoveReview;
use crate::engine::EngineError;
use crate::engine::event::Disconnected;
use crate::engine::session::GameSession;
use crate::game::MoveFormat;
use crate::search::Signals;

/// The analysis of a game that has not begun.
pub struct GameAnalysis {
    head: GameHead,
    start: Box<dyn GameSession>,
    moves: Vec<String>,
}

impl GameAnalysis {
    /// The analysis of the game of a session. `head` has the names of the players, the event, the
    /// date and the result.
    pub fn new(session: &dyn GameSession, head: GameHead) -> Result<Self, EngineError> {
        let mut start = session.copy();
        start.set_format(MoveFormat::Coordinate);
        let moves = start.moves();
        start.take_back(moves.len())?;
        let (variant, setup) = (session.variant(), session.start());
        let head = GameHead {
            number: 1,
            origin: InputOrigin { line: 1, ..InputOrigin::default() },
            variant: variant.name,
            setup: (setup != variant.start).then_some(setup),
            ..head
        };
        Ok(Self { head, start, moves })
    }

    /// The number of moves of the game.
    pub fn plies(&self) -> usize {
        self.moves.len()
    }

    /// Searches the positions of the game and passes on the review of each move. Moves are in
    /// coordinate notation.
    ///
    /// Returns `None` if `signals` stop the analysis or the receiver of the reviews is gone.
    pub fn run(
        &self,
        analyser: &Analyser,
        signals: &Arc<Signals>,
        on_review: &mut dyn FnMut(&MoveReview) -> Result<(), Disconnected>,
    ) -> Result<Option<GameReport>, EngineError> {
        let mut report = GameReport::new(self.head.clone(), None);
        let moves = self.moves.iter().map(|mv| (mv.clone(), String::new())).collect();
        for position in Replay::new(self.start.fork(), moves, None) {
            let analysis = match &position.played {
                Some(mv) => analyser.analyse(&*position.session, Some(mv), signals)?,
                None => Analysis::default(),
            };
            if signals.is_stopped() {
                return Ok(None);
            }
            let review = report.add(position, &analysis);
            if review.is_some_and(|review| on_review(review).is_err()) {
                return Ok(None);
            }
        }
        Ok(Some(report))
    }

    /// The page of a report of this game, with moves in standard notation.
    pub fn page(&self, mut report: GameReport) -> Result<String, EngineError> {
        let mut game = self.start.fork();
        game.set_format(MoveFormat::Standard);
        report.rewrite(game)?;
        Ok(html::page(&report))
    }
}
