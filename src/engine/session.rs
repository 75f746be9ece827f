//! The object-safe interface of a game session: a position with its move history, for any game.

use std::sync::Arc;

use super::error::EngineError;
use super::event::Sink;
use crate::book::Book;
pub use crate::game::Outcome;
pub use crate::game::bitboard::Square;
pub use crate::game::{Board, Piece, PieceKind, RuleValues, Variation, rules_from};
use crate::game::{Calibration, MoveFormat, Side, TablebaseValue, Term, Variant};
use crate::games::Tablebases;
use crate::host::Instant;
use crate::nnue::Network;
use crate::search::{EvalNoise, Limits, SearchOptions, Signals, TranspositionTable};

/// A job for the search thread. Its arguments are the time since when the thread has been idle, and
/// the sink for its events.
pub type SearchJob = Box<dyn FnOnce(Instant, Sink) + Send>;

/// The parameters of a search other than the position.
pub struct SearchSettings {
    /// The search limits.
    pub limits: Limits,
    /// The time of the request.
    pub requested_at: Instant,
    /// The options that the search reads.
    pub options: SearchOptions,
    /// Whether to report win/draw/loss expectations with each score.
    pub show_wdl: bool,
    /// Whether the playing strength is limited. Such a search uses no network and no endgame
    /// tables, because the strength levels were measured without them.
    pub is_limited: bool,
    /// The evaluation noise, which weakens the play or varies it.
    pub eval_noise: EvalNoise,
    /// The transposition table.
    pub table: Arc<TranspositionTable>,
    /// The signals that stop the search or end its pondering.
    pub signals: Arc<Signals>,
}

impl SearchSettings {
    /// The settings of a search from now on at full strength, with default options.
    pub fn new(limits: Limits, table: Arc<TranspositionTable>, signals: Arc<Signals>) -> Self {
        Self {
            limits,
            requested_at: Instant::now(),
            options: SearchOptions::default(),
            show_wdl: false,
            is_limited: false,
            eval_noise: EvalNoise::default(),
            table,
            signals,
        }
    }
}

/// A snapshot of a position for display.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionView {
    /// The board diagram, one rank per line.
    pub diagram: String,
    /// The contents of the squares.
    pub board: Board,
    /// The side to move, also after the end of the game.
    pub side: Side,
    /// The number of plies since the setup.
    pub plies: usize,
    /// The setup in the standard notation of the game.
    pub setup: String,
    /// The Zobrist key.
    pub key: u64,
    /// The legal moves; empty if the game is over.
    pub moves: Vec<String>,
    /// The result of the game, if it is over.
    pub outcome: Option<Outcome>,
}

/// A move for display. It does not depend on the notation that is set for the session.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveView {
    /// The side that moves.
    pub side: Side,
    /// The move in coordinate notation.
    pub coordinate: String,
    /// The move in the standard notation of the game.
    pub standard: String,
    /// The squares on which the piece stands one after the other; none for a pass.
    pub path: Vec<Square>,
    /// The squares of the captured pieces, in the order of the path.
    pub captures: Vec<Square>,
}

/// A game for display: its start and its current position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameView {
    /// The variant being played.
    pub variant: &'static Variant,
    /// The kinds of pieces, to which [`Piece::kind`] refers.
    pub kinds: &'static [PieceKind],
    /// The setup before the first move.
    pub start: String,
    /// The current position.
    pub position: PositionView,
    /// The last move; `None` at the start.
    pub last: Option<MoveView>,
    /// The legal moves; empty if the game is over.
    pub legal: Vec<MoveView>,
}

/// A static evaluation and its terms.
#[derive(Clone, PartialEq, Debug)]
pub struct Evaluation {
    /// The terms of the handcrafted evaluation, in centipawns.
    pub terms: Vec<Term>,
    /// The side to move.
    pub side: Side,
    /// The handcrafted evaluation for the side to move, in centipawns: the sum of the terms.
    pub score: i32,
    /// The network evaluation for the side to move, in centipawns; `None` without a network.
    pub network: Option<i32>,
}

/// A game being played: a position and the moves that led to it.
pub trait GameSession: Send {
    /// Sets up `setup`, or the start of the variant if it is `None`, and plays `moves` on it. On an
    /// error the state is unchanged.
    fn set_position(&mut self, setup: Option<&str>, moves: &[&str]) -> Result<(), EngineError>;

    /// Returns a copy of the game.
    fn copy(&self) -> Box<dyn GameSession>;

    /// Returns a copy of the game after `moves`. This session is unchanged.
    fn with_moves(&self, moves: &[&str]) -> Result<Box<dyn GameSession>, EngineError>;

    /// The legal move that a text names, as [`GameView::legal`] lists it. In a finished game there is none.
    fn check_move(&self, mv: &str) -> Result<MoveView, EngineError>;

    /// Plays a move. On an error the state is unchanged.
    fn play(&mut self, mv: &str) -> Result<(), EngineError>;

    /// Returns the same game without its moves: it starts at the current position, and repetitions
    /// of earlier positions still count.
    fn fork(&self) -> Box<dyn GameSession>;

    /// Takes back the last `moves` plies. On an error the state is unchanged.
    fn take_back(&mut self, moves: usize) -> Result<(), EngineError>;

    /// Puts a piece on a square of `board`, or clears the square if `piece` is `None`. The
    /// resulting board need not be a legal position.
    fn place(
        &self,
        board: &mut Board,
        square: &str,
        piece: Option<Piece>,
    ) -> Result<(), EngineError>;

    /// Sets the position to this board with `next` to move. This is a new setup without move
    /// history. On an error the state is unchanged.
    fn set_board(&mut self, board: &Board, next: Side) -> Result<(), EngineError>;

    /// Changes the rules. The moves so far are replayed under the new rules, also those that these
    /// forbid.
    fn set_rules(&mut self, values: RuleValues);

    /// Sets the endgame tables for the following searches.
    fn set_tablebases(&mut self, tablebases: &Tablebases);

    /// Sets the network for the following searches; `None` selects the handcrafted evaluation.
    fn set_network(&mut self, network: Option<Arc<Network>>);

    /// Sets the notation in which moves are written.
    fn set_format(&mut self, format: MoveFormat);

    /// The variant being played.
    fn variant(&self) -> &'static Variant;

    /// The name of the game, which is that of its first variant.
    fn game(&self) -> &'static str;

    /// The setup before the first move.
    fn start(&self) -> String;

    /// The moves played since the setup.
    fn moves(&self) -> Vec<String>;

    /// The last move; `None` at the start.
    fn last_move(&self) -> Option<String>;

    /// A snapshot of the position for display.
    fn view(&self) -> PositionView;

    /// A snapshot of the game for display.
    fn game_view(&self) -> GameView;

    /// The moves that [`GameSession::play`] reads: the legal ones, and those after a draw that players
    /// need not notice.
    fn readable_moves(&self) -> Vec<MoveView>;

    /// The moves played since the setup, for display.
    fn move_views(&self) -> Vec<MoveView>;

    /// The moves of variations of the game, up to the first that is illegal, with the error.
    fn variation_views(
        &self,
        variations: &[Variation<&str>],
    ) -> Vec<(Vec<MoveView>, Option<EngineError>)>;

    /// The tablebase value of the position; `None` if it is unknown, if draws by repetition that the
    /// game so far makes possible could change it, or if the game is over.
    fn tablebase_value(&self) -> Option<TablebaseValue>;

    /// Returns a move of the book, chosen by the seed among those for the position. `None` if the
    /// book has none, or if the position has occurred in the game before.
    fn book_move(&self, book: &Book, seed: u64) -> Option<String>;

    /// The static evaluation.
    fn evaluation(&self) -> Evaluation;

    /// The evaluation scale and strength levels of the game.
    fn calibration(&self) -> &'static Calibration;

    /// Returns a job that searches the current position. If `moves` is not empty, only these root
    /// moves are searched.
    fn search(&self, settings: SearchSettings, moves: &[&str]) -> Result<SearchJob, EngineError>;

    /// Returns a job that counts the leaf nodes of the legal move tree, `depth` plies from here.
    fn perft(&self, depth: u32, signals: Arc<Signals>) -> SearchJob;
}
