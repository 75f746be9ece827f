//! The object-safe interface of a game session: a position with its move history, for any game.

use std::sync::Arc;

use serde::Serialize;

use super::book_moves::BookMove;
use super::error::EngineError;
use super::event::Sink;
use super::move_view::{MoveView, PlayedMove, ThreatView};
use crate::book::Book;
use crate::game::{
    Board, BoardLine, Calibration, Fact, Groups, MoveFormat, Outcome, PieceKind, Players,
    RuleValues, Side, TablebaseValue, Term, Variant, Variation,
};
use crate::games::Tablebases;
use crate::nnue::Network;
use crate::platform::Instant;
use crate::search::proof::ProofLimits;
use crate::search::{EvalNoise, Limits, SearchMemory, SearchOptions, Signals};

/// A job for the search thread. Its arguments are the time since when the thread has been idle, and
/// the sink for its events.
pub type SearchJob = Box<dyn FnOnce(Instant, Sink) + Send>;

/// The parameters of a search other than the position.
pub struct SearchSettings {
    pub limits: Limits,
    pub requested_at: Instant,
    pub options: SearchOptions,
    /// Whether to report win/draw/loss expectations with each score.
    pub show_wdl: bool,
    /// The players whose chances to report with each score, besides.
    pub players: Players,
    /// Whether the playing strength is limited. Such a search uses no network and no endgame
    /// tables, because the strength levels were measured without them.
    pub is_limited: bool,
    /// The evaluation noise, which weakens the play or varies it.
    pub eval_noise: EvalNoise,
    /// What the searches of a game share, the transposition table above all.
    pub memory: Arc<SearchMemory>,
    /// The signals that stop the search or end its pondering.
    pub signals: Arc<Signals>,
}

impl SearchSettings {
    /// The settings of a search from now on at full strength, with default options.
    pub fn new(limits: Limits, memory: Arc<SearchMemory>, signals: Arc<Signals>) -> Self {
        Self {
            limits,
            requested_at: Instant::now(),
            options: SearchOptions::default(),
            show_wdl: false,
            players: Players::Engine,
            is_limited: false,
            eval_noise: EvalNoise::default(),
            memory,
            signals,
        }
    }
}

/// The result of an attempt to prove a win of the side to move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ProofReport {
    /// `proved`, `disproved` or, if the expansions did not suffice, `open`.
    pub result: &'static str,
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub mv: Option<String>,
    /// An upper bound on the plies to the win.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plies: Option<u32>,
    pub expansions: u64,
}

/// A static evaluation and its terms.
#[derive(Clone, PartialEq, Debug)]
pub struct Evaluation {
    /// The terms of the handcrafted evaluation, in centipawns.
    pub terms: Vec<Term>,
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

    /// Sets the position to this board with `next` to move. This is a new setup without move
    /// history. On an error the state is unchanged.
    fn set_board(&mut self, board: &Board, next: Side) -> Result<(), EngineError>;

    /// Plays a move. On an error the state is unchanged.
    fn play(&mut self, mv: &str) -> Result<(), EngineError>;

    /// Takes back the last `moves` plies. On an error the state is unchanged.
    fn take_back(&mut self, moves: usize) -> Result<(), EngineError>;

    fn copy(&self) -> Box<dyn GameSession>;

    /// Returns a copy of the game after `moves`. This session is unchanged.
    fn with_moves(&self, moves: &[&str]) -> Result<Box<dyn GameSession>, EngineError>;

    /// Returns the same game without its moves: it starts at the current position, and repetitions
    /// of earlier positions still count.
    fn fork(&self) -> Box<dyn GameSession>;

    // What a board shows: the game, its position, its moves.

    fn variant(&self) -> &'static Variant;

    /// The name of the game, which is that of its first variant.
    fn game(&self) -> &'static str;

    fn kinds(&self) -> &'static [PieceKind];

    /// The setup before the first move.
    fn start(&self) -> String;

    /// The position in the setup notation of the game.
    fn setup(&self) -> String;

    /// The name of the opening that the game has reached.
    fn opening(&self) -> Option<&'static str>;

    /// The side to move, also after the end of the game.
    fn side(&self) -> Side;

    /// The number of plies since the setup.
    fn plies(&self) -> usize;

    /// The result of the game, if it is over.
    fn outcome(&self) -> Option<Outcome>;

    /// The contents of the squares.
    fn board(&self) -> Board;

    /// The lines of the board whose pieces the rules count, without empty ones.
    fn lines(&self) -> Vec<BoardLine>;

    /// The groups of pieces, in games whose rules are about them.
    fn groups(&self) -> Option<Groups>;

    /// What the opponent of the side to move threatens; `None` if the game is over.
    fn threat(&self) -> Option<ThreatView>;

    /// The board diagram, one rank per line.
    fn diagram(&self) -> String;

    fn key(&self) -> u64;

    /// The legal moves in the notation that is set; none if the game is over.
    fn legal_moves(&self) -> Vec<String>;

    /// The legal moves; none if the game is over.
    fn legal_views(&self) -> Vec<MoveView>;

    /// The moves that [`Self::play`] reads: the legal ones, and those after a draw that players
    /// need not notice.
    fn readable_moves(&self) -> Vec<MoveView>;

    /// The legal move that a text names, as [`Self::legal_views`] lists it. In a finished game there
    /// is none.
    fn check_move(&self, mv: &str) -> Result<MoveView, EngineError>;

    /// Whether a legal move begins on the square that a text names alone; `None` if it names none.
    fn check_square(&self, square: &str) -> Option<Result<(), EngineError>>;

    /// A legal move, as [`Self::check_move`] returns it, and the facts about it.
    fn facts(&self, mv: &str) -> Result<(MoveView, Vec<Fact>), EngineError>;

    /// The moves played since the setup.
    fn history(&self) -> Vec<PlayedMove>;

    /// The last move; `None` at the start.
    fn last_move(&self) -> Option<PlayedMove>;

    /// The moves of variations of the game, up to the first that is illegal, with the error.
    fn variations(
        &self,
        variations: &[Variation<&str>],
    ) -> Vec<(Vec<PlayedMove>, Option<EngineError>)>;

    // How the game is played, searched and written.

    /// Changes the rules. The moves so far are replayed under the new rules, also those that these
    /// forbid.
    fn set_rules(&mut self, values: RuleValues);

    /// Sets the endgame tables for the following searches.
    fn set_tablebases(&mut self, tablebases: &Tablebases);

    /// Sets the network for the following searches; `None` selects the handcrafted evaluation.
    fn set_network(&mut self, network: Option<Arc<Network>>);

    /// Sets the notation in which moves are written.
    fn set_format(&mut self, format: MoveFormat);

    // What the engine knows about the position.

    /// The tablebase value of the position; `None` if it is unknown, if draws by repetition that the
    /// game so far makes possible could change it, or if the game is over.
    fn tablebase_value(&self) -> Option<TablebaseValue>;

    /// Returns a move of the book, chosen by the seed among those for the position. `None` if the
    /// book has none, or if the position has occurred in the game before.
    fn book_move(&self, book: &Book, seed: u64) -> Option<String>;

    /// What explored openings, or else the built-in book, know of the moves of the position.
    fn book_moves(&self) -> Vec<BookMove>;

    fn evaluation(&self) -> Evaluation;

    /// The evaluation scale and strength levels of the game.
    fn calibration(&self) -> &'static Calibration;

    /// Returns a job that searches the current position. If `moves` is not empty, only these root
    /// moves are searched.
    fn search(&self, settings: SearchSettings, moves: &[&str]) -> Result<SearchJob, EngineError>;

    /// Tries to prove that the side to move can force a win, by one of `moves` unless there are none.
    /// The proof table has `hash` MiB. `None` if the game is over.
    fn prove(
        &self,
        moves: &[&str],
        hash: usize,
        limits: &ProofLimits,
    ) -> Result<Option<ProofReport>, EngineError>;

    /// Returns a job that counts the leaf nodes of the legal move tree, `depth` plies from here.
    fn perft(&self, depth: u32, signals: Arc<Signals>) -> SearchJob;
}
