//! The implementation of [`GameSession`] for a game whose position type is known.

// Indexing by side cannot fail; the lint on indexing does not see it.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::Arc;

use super::EngineError;
use super::evaluator::game_of;
use super::event::Event;
use super::reporting::{report_outcome, run_search};
use super::session::{
    Evaluation, GameSession, Piece, PositionView, RuleValues, SearchJob, SearchSettings, Squares,
    rules_from,
};
use crate::game::{
    Calibration, MoveFormat, Outcome, Position, Side, Tablebase, TablebaseValue, Term, Variant,
    legal_moves, outcome, perft,
};
use crate::games::board::{self, Letters, Square};
use crate::games::{self, GameVisitor, Tablebases, WithTablebase};
use crate::nnue::{self, Network};
use crate::search::{SearchRequest, Signals};

/// Opens a session of the variant named `variant`.
pub fn open(
    variant: &str,
    values: RuleValues,
    shelf: &Tablebases,
) -> Result<Box<dyn GameSession>, EngineError> {
    let unknown = || EngineError::Variant(variant.to_string());
    games::open(variant, OpenSession { values, shelf }).ok_or_else(unknown)?
}

struct OpenSession<'a> {
    values: RuleValues<'a>,
    shelf: &'a Tablebases,
}

impl GameVisitor for OpenSession<'_> {
    type Output = Result<Box<dyn GameSession>, EngineError>;

    fn visit<P: WithTablebase>(self, variant: &'static Variant) -> Self::Output {
        Ok(Box::new(TypedSession::<P>::new(variant, self.values, P::tablebase(self.shelf))?))
    }
}

/// A game being played with positions of type `P`.
#[derive(Clone)]
pub(super) struct TypedSession<P: Position> {
    variant: &'static Variant,
    rules: P::Rules,
    start: P,
    /// The moves played since `start`, and the key of the position before each of them.
    moves: Vec<P::Move>,
    keys: Vec<u64>,
    position: P,
    format: MoveFormat,
    /// The endgame tables of this game.
    oracle: Option<Arc<dyn Tablebase<P>>>,
    /// The network; without it the handcrafted evaluation is used.
    network: Option<Arc<Network>>,
}

impl<P: Position> TypedSession<P> {
    pub(super) fn new(
        variant: &'static Variant,
        values: RuleValues,
        oracle: Option<Arc<dyn Tablebase<P>>>,
    ) -> Result<Self, EngineError> {
        let rules = rules_from(values);
        let start = read::<P>(variant.start, rules)?;
        let format = MoveFormat::default();
        Ok(Self {
            variant,
            rules,
            start,
            moves: Vec::new(),
            keys: Vec::new(),
            position: start,
            format,
            oracle,
            network: nnue::built_in(game_of::<P>()),
        })
    }

    /// Parses moves and plays them.
    fn play_all(mut self, moves: &[&str]) -> Result<Self, EngineError> {
        for &text in moves {
            let mv = self.position.read_move(text).map_err(|error| EngineError::Move {
                text: text.to_string(),
                setup: self.position.write_setup(),
                why: Box::new(error),
            })?;
            self.play(mv);
        }
        Ok(self)
    }

    /// This game reset to `start`, without moves.
    fn begun_at(&self, start: P) -> Self {
        Self {
            start,
            moves: Vec::new(),
            keys: Vec::new(),
            position: start,
            oracle: self.oracle.clone(),
            network: self.network.clone(),
            ..*self
        }
    }

    /// The letters of the board diagram.
    fn letters(&self) -> Letters {
        // Every diagram written by a position can be read back; the fallback is unreachable.
        board::read_drawing(&self.position.diagram()).map_or([['-'; 8]; 8], |drawing| drawing.board)
    }

    fn play(&mut self, mv: P::Move) {
        self.moves.push(mv);
        self.keys.push(self.position.key());
        self.position = self.position.play(mv);
    }

    /// The result of the game, including a draw by repetition.
    fn outcome(&self) -> Option<Outcome> {
        outcome(&self.position).or_else(|| {
            let needed = self.position.repetitions().checked_sub(1)?;
            let past = self.keys.iter().rev().take(self.position.reversible_plies());
            let earlier = past.filter(|&&key| key == self.position.key()).count();
            (earlier >= needed).then(|| Outcome::drawn("repetition"))
        })
    }
}

/// The piece for a letter of the diagram.
fn piece<P: Position>(letter: char) -> Option<Piece> {
    let kinds = P::PIECES.iter().enumerate();
    let mut pieces =
        kinds.flat_map(|(kind, letters)| Side::BOTH.map(|side| (letters[side], side, kind)));
    let (_, side, kind) = pieces.find(|&(name, ..)| name == letter)?;
    Some(Piece { side, kind })
}

fn read<P: Position>(setup: &str, rules: P::Rules) -> Result<P, EngineError> {
    P::read_setup(setup, rules).map_err(|error| EngineError::Setup(Box::new(error)))
}

impl<P: WithTablebase> GameSession for TypedSession<P> {
    fn set_position(&mut self, setup: Option<&str>, moves: &[&str]) -> Result<(), EngineError> {
        let start = read::<P>(setup.unwrap_or(self.variant.start), self.rules)?;
        *self = self.begun_at(start).play_all(moves)?;
        Ok(())
    }

    fn with_moves(&self, moves: &[&str]) -> Result<Box<dyn GameSession>, EngineError> {
        Ok(Box::new(self.clone().play_all(moves)?))
    }

    fn take_back(&mut self, moves: usize) -> Result<(), EngineError> {
        let kept = self.moves.len().checked_sub(moves).ok_or(EngineError::TooFewMoves(moves))?;
        let mut earlier = self.begun_at(self.start);
        for &mv in self.moves.iter().take(kept) {
            earlier.play(mv);
        }
        *self = earlier;
        Ok(())
    }

    fn place(
        &self,
        board: &mut Squares,
        square: &str,
        piece: Option<Piece>,
    ) -> Result<(), EngineError> {
        let unknown = || EngineError::Square(square.to_string());
        let place = Square::read(square.as_bytes()).ok_or_else(unknown)?;
        if piece.is_some_and(|piece| piece.kind >= P::PIECES.len()) {
            return Err(EngineError::Piece);
        }
        let (row, column) = (7 - place.rank() as usize, place.file() as usize);
        if let Some(cell) = board.get_mut(row).and_then(|rank| rank.get_mut(column)) {
            *cell = piece;
        }
        Ok(())
    }

    fn set_board(&mut self, board: &Squares, next: Side) -> Result<(), EngineError> {
        let placement = board::write_placement(|square| {
            let rank = board.get(7 - square.rank() as usize)?;
            let piece = (*rank.get(square.file() as usize)?)?;
            P::PIECES.get(piece.kind).map(|letters| letters[piece.side])
        });
        self.set_position(Some(&format!("{placement} {next}")), &[])
    }

    fn set_rules(&mut self, values: RuleValues) {
        self.rules = rules_from(values);
        // The setup was legal under the old rules, and legality does not depend on the rules.
        if let Ok(start) = P::read_setup(&self.start.write_setup(), self.rules) {
            let moves = std::mem::take(&mut self.moves);
            (self.start, self.position) = (start, start);
            self.keys.clear();
            for mv in moves {
                self.play(mv);
            }
        }
    }

    fn set_tablebases(&mut self, shelf: &Tablebases) {
        self.oracle = P::tablebase(shelf);
    }

    fn set_network(&mut self, network: Option<Arc<Network>>) {
        self.network = network;
    }

    fn set_format(&mut self, format: MoveFormat) {
        self.format = format;
    }

    fn variant(&self) -> &'static Variant {
        self.variant
    }

    fn game(&self) -> &'static str {
        game_of::<P>()
    }

    fn start(&self) -> String {
        self.start.write_setup()
    }

    fn moves(&self) -> Vec<String> {
        let mut position = self.start;
        let write = |&mv: &P::Move| {
            let text = position.write_move(mv, self.format);
            position = position.play(mv);
            text
        };
        self.moves.iter().map(write).collect()
    }

    fn view(&self) -> PositionView {
        let outcome = self.outcome();
        let moves =
            if outcome.is_some() { Default::default() } else { legal_moves(&self.position) };
        let write = |&mv: &P::Move| self.position.write_move(mv, self.format);
        PositionView {
            board: self.position.diagram(),
            squares: self.letters().map(|rank| rank.map(piece::<P>)),
            side: self.position.side(),
            plies: self.moves.len(),
            setup: self.position.write_setup(),
            key: self.position.key(),
            moves: moves.iter().map(write).collect(),
            outcome,
        }
    }

    fn tablebase_value(&self) -> Option<TablebaseValue> {
        let oracle = self.oracle.as_ref().filter(|_| self.outcome().is_none())?;
        oracle.value(&self.position)
    }

    fn evaluation(&self) -> Evaluation {
        let position = &self.position;
        let Calibration { network, handcrafted, .. } = &P::CALIBRATION;
        let by_hand = |evaluation| handcrafted.centipawns(evaluation);
        let by_network = |judge: &Arc<Network>| network.centipawns(judge.evaluate(position));
        let scaled = |term: Term| Term { worth: term.worth.map(by_hand), ..term };
        Evaluation {
            terms: position.terms().into_iter().map(scaled).collect(),
            side: position.side(),
            score: by_hand(position.evaluate()),
            network: self.network.as_ref().map(by_network),
        }
    }

    fn calibration(&self) -> &'static Calibration {
        &P::CALIBRATION
    }

    fn search(&self, means: SearchSettings, moves: &[&str]) -> Result<SearchJob, EngineError> {
        let outcome = self.outcome();
        let position = self.position;
        let mut root_moves = Vec::new();
        for &text in if outcome.is_some() { &[] } else { moves } {
            root_moves.push(position.read_move(text).map_err(|error| EngineError::Move {
                text: text.to_string(),
                setup: position.write_setup(),
                why: Box::new(error),
            })?);
        }
        let keys = self.keys.clone();
        let oracle = self.oracle.clone();
        let network = self.network.clone();
        let format = self.format;
        Ok(Box::new(move |free_since, sink| {
            if let Some(outcome) = outcome {
                report_outcome(&position, outcome, &means, sink);
                return;
            }
            let task = SearchRequest {
                root: position,
                history: &keys,
                root_moves: &root_moves,
                limits: &means.limits,
                eval_noise: means.eval_noise,
                // The clock of a queued search starts when the search thread becomes idle.
                started: means.requested_at.max(free_since),
                threads: means.threads,
                multipv: means.multipv,
                table: &means.table,
                tablebase: oracle.as_deref().filter(|_| !means.is_limited),
                network: network.as_deref().filter(|_| !means.is_limited),
                signals: &means.signals,
            };
            run_search(&task, format, means.show_wdl, sink);
        }))
    }

    fn perft(&self, depth: u32, signals: Arc<Signals>) -> SearchJob {
        let (position, format) = (self.position, self.format);
        Box::new(move |_, sink| {
            let mut total = 0;
            for mv in legal_moves(&position) {
                let Some(nodes) =
                    perft(&position.play(mv), depth.saturating_sub(1), &|| signals.is_stopped())
                else {
                    break;
                };
                total += nodes;
                let mv = position.write_move(mv, format);
                if sink(Event::Divide { mv, nodes }).is_err() {
                    return;
                }
            }
            let _ = sink(Event::Perft { nodes: total });
        })
    }
}
