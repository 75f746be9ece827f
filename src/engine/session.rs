//! The games behind one object-safe face: a position with its history, whatever the game.

use std::sync::Arc;
use std::time::Instant;

use super::EngineError;
use super::event::Sink;
use crate::game::{Calibration, MoveFormat, Outcome, Side, TablebaseValue, Term, Variant};
pub use crate::game::{RuleValues, rules_from};
use crate::games::Tablebases;
use crate::nnue::Network;
use crate::search::{EvalNoise, Limits, Signals, TranspositionTable};

/// Something for the search thread to do. It is told since when that thread was free.
pub type SearchJob = Box<dyn FnOnce(Instant, Sink) + Send>;

/// What a search needs besides the position.
pub struct SearchSettings {
    /// What the search may use.
    pub limits: Limits,
    /// When it was asked for.
    pub requested_at: Instant,
    /// The number of threads.
    pub threads: usize,
    /// How many root moves get a line of their own.
    pub multipv: usize,
    /// Whether to tell the odds beside each score.
    pub show_wdl: bool,
    /// Whether a weak player is at work: its levels were measured without network and tables.
    pub is_limited: bool,
    /// How the search is to err.
    pub eval_noise: EvalNoise,
    /// The transposition table.
    pub table: Arc<TranspositionTable>,
    /// How to reach the search.
    pub signals: Arc<Signals>,
}

/// A piece on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    /// Whose it is.
    pub side: Side,
    /// Its place among the kinds of pieces of the game: 0 for those with which the game begins.
    pub kind: usize,
}

/// What stands where, by ranks from the eighth and files from the first.
pub type Squares = [[Option<Piece>; 8]; 8];

/// A position as people look at it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionView {
    /// The board, line by line.
    pub board: String,
    /// What stands where.
    pub squares: Squares,
    /// Whose turn it is, or would be if the game went on.
    pub side: Side,
    /// The moves that both sides have made since the setup.
    pub plies: usize,
    /// The setup in the standard notation of the game.
    pub setup: String,
    /// The hash key.
    pub key: u64,
    /// The legal moves; none in a finished game.
    pub moves: Vec<String>,
    /// How the game ended, if it has.
    pub outcome: Option<Outcome>,
}

/// A static evaluation and its parts.
#[derive(Clone, PartialEq, Debug)]
pub struct Evaluation {
    /// The parts of the handcrafted evaluation, in centipawns.
    pub terms: Vec<Term>,
    /// Whose turn it is.
    pub side: Side,
    /// The sum of the parts for the side to move, in centipawns.
    pub score: i32,
    /// What the network says for the side to move, in centipawns, if one judges positions.
    pub network: Option<i32>,
}

/// A game being played: the position, and how it came about.
pub trait GameSession: Send {
    /// Puts up a setup, the start of the variant where there is none, and plays moves. On an
    /// error everything stays as it was.
    fn set_position(&mut self, setup: Option<&str>, moves: &[&str]) -> Result<(), EngineError>;

    /// The same game some moves later. This one stays where it is.
    fn with_moves(&self, moves: &[&str]) -> Result<Box<dyn GameSession>, EngineError>;

    /// Takes back the last moves, so many of them.
    fn take_back(&mut self, moves: usize) -> Result<(), EngineError>;

    /// Puts a piece on a square of `board`, or nothing. The result need not be a position.
    fn place(
        &self,
        board: &mut Squares,
        square: &str,
        piece: Option<Piece>,
    ) -> Result<(), EngineError>;

    /// Makes this board the position, with this side to move. That is a new setup: no move has
    /// been made yet. On an error everything stays as it was.
    fn set_board(&mut self, board: &Squares, next: Side) -> Result<(), EngineError>;

    /// Changes the rules, also those under which the position came about.
    fn set_rules(&mut self, values: RuleValues);

    /// Looks up positions in these endgame tables from now on.
    fn set_tablebases(&mut self, shelf: &Tablebases);

    /// Judges positions by this network from now on; by hand without one.
    fn set_network(&mut self, network: Option<Arc<Network>>);

    /// Changes how moves are written.
    fn set_format(&mut self, format: MoveFormat);

    /// What is played.
    fn variant(&self) -> &'static Variant;

    /// The game: the name of its first variant.
    fn game(&self) -> &'static str;

    /// The setup before the first move.
    fn start(&self) -> String;

    /// The moves played since the setup.
    fn moves(&self) -> Vec<String>;

    /// The position as people look at it.
    fn view(&self) -> PositionView;

    /// What the endgame tables know of the position; nothing in a finished game.
    fn tablebase_value(&self) -> Option<TablebaseValue>;

    /// The static evaluation.
    fn evaluation(&self) -> Evaluation;

    /// What the evaluation is worth, and how strong the engine is.
    fn calibration(&self) -> &'static Calibration;

    /// A search of the position as it is now, only of the given moves if there are any.
    fn search(&self, means: SearchSettings, moves: &[&str]) -> Result<SearchJob, EngineError>;

    /// A count of the sequences of `depth` moves from here.
    fn perft(&self, depth: u32, signals: Arc<Signals>) -> SearchJob;
}
