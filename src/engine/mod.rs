//! The engine: a session of a game, the options, and the searches that run beside it.
//!
//! Its methods never wait for a search. A search works on a copy of the position, as options
//! and position were when it was asked for, and searches run one after the other.

mod bench;
pub mod evaluator;
pub mod event;
mod reporting;
mod search_thread;
pub mod session;
mod strength;
pub mod typed_session;
pub mod uci_score;

use std::error::Error;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use thiserror::Error;

pub use crate::game::{Side, Variant};
pub use crate::games::{TableError, Tablebases};
use crate::options::{OptionError, Options};
pub use crate::search::{Bound, Limits};
use crate::search::{EvalNoise, MAX_PLY, OutOfMemory, Signals, TranspositionTable};
use evaluator::{EvalFileError, Evaluator};
use event::{Disconnected, Event};
use search_thread::SearchThread;
use session::{
    Evaluation, GameSession, Piece, PositionView, RuleValues, SearchJob, SearchSettings, Squares,
};
pub use strength::PlayingLevel;

/// What can be wrong with what somebody asks of the engine.
#[derive(Debug, Error)]
pub enum EngineError {
    /// A setup that is none.
    #[error("setup: {0}")]
    Setup(#[source] Box<dyn Error + Send + Sync>),
    /// A move that is illegal or no move.
    #[error("illegal move {text} in {setup}: {why}")]
    Move {
        /// The move as it was written.
        text: String,
        /// The position.
        setup: String,
        /// What is wrong.
        #[source]
        why: Box<dyn Error + Send + Sync>,
    },
    /// Something that names no square.
    #[error("'{0}' is not a square")]
    Square(String),
    /// A kind of piece that the game does not know.
    #[error("there is no such piece in this game")]
    Piece,
    /// More moves to take back than were made.
    #[error("there are fewer than {0} moves to take back")]
    TooFewMoves(usize),
    /// A wrong option or value.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// Endgame tables that cannot be read.
    #[error("tables: {0}")]
    Tables(String),
    /// A network that cannot be used.
    #[error("EvalFile: {0}")]
    Network(#[from] EvalFileError),
    /// Too large a table.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// No such variant.
    #[error("there is no variant '{0}'")]
    Variant(String),
    /// The search thread cannot be started.
    #[error("cannot start the search thread: {0}")]
    Thread(#[source] io::Error),
    /// Too many searches were asked for before any of them came to its end.
    #[error("{waiting} searches wait already")]
    Busy {
        /// How many.
        waiting: usize,
    },
    /// The search thread ended too early.
    #[error("the search thread has died: this is a bug in Soucie; standard error says where")]
    Died,
}

/// The depth of a benchmark, in plies, unless somebody says otherwise.
pub const BENCH_DEPTH: usize = 14;

/// The most moves of a win that can be looked for: the loser's replies have to fit as well.
pub const LONGEST_MATE: u32 = (MAX_PLY as u32 - 1) / 2;

/// How far positions are misjudged for the sake of variety, in units of the evaluation, of which
/// about a hundred make an advantage.
const VARIETY: i32 = 3;

/// The engine.
pub struct Engine {
    options: Options,
    table: Arc<TranspositionTable>,
    session: Box<dyn GameSession>,
    /// The endgame tables.
    tablebases: Tablebases,
    /// The networks.
    evaluator: Evaluator,
    /// Where the endgame tables are unless the option says otherwise.
    default_tables: Option<PathBuf>,
    warnings: Vec<String>,
    search_thread: SearchThread,
    /// The searches that may still be running, the latest last.
    running: Vec<Running>,
    /// Which errors a weak player makes in this game.
    seed: u64,
    /// How far every position is misjudged, so that equal moves take turns.
    variety: i32,
}

struct Running {
    signals: Arc<Signals>,
    endless: bool,
}

impl Engine {
    /// An engine at the start of the default variant; `sink` hears all its searches.
    pub fn new<S>(sink: S) -> Result<Self, EngineError>
    where
        S: FnMut(Event) -> Result<(), Disconnected> + Send + 'static,
    {
        let options = Options::default();
        Ok(Self {
            table: Arc::new(TranspositionTable::new(options.hash)?),
            session: open(&options)?,
            tablebases: Tablebases::default(),
            evaluator: Evaluator::default(),
            default_tables: None,
            warnings: Vec::new(),
            search_thread: SearchThread::start(sink)?,
            running: Vec::new(),
            seed: rand::random(),
            variety: 0,
            options,
        })
    }

    /// The options as they are.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Sets an option. On an error everything stays as it was. A running search goes on with
    /// what it has.
    pub fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), EngineError> {
        let mut next = self.options.clone();
        next.set(name, value)?;
        let rules_changed = !next.same_rules(&self.options);
        let opened = if next.table_path == self.options.table_path {
            None
        } else {
            Some(self.open_tables(&next.table_path)?)
        };
        // The same file may hold another network by now.
        let names_network = name.eq_ignore_ascii_case("EvalFile");
        let evaluator = if names_network {
            Evaluator::read(&next.eval_file, Some(next.variant))?
        } else {
            self.evaluator.clone()
        };
        let forgets = next.clearings != self.options.clearings
            || next.strength() != self.options.strength()
            || next.handcrafted != self.options.handcrafted
            || names_network
            || rules_changed
            || opened.is_some();
        let names_variant = name.eq_ignore_ascii_case("UCI_Variant");
        let shelf = opened.as_ref().map_or(&self.tablebases, |(shelf, _)| shelf);
        let session = names_variant.then(|| open_with(&next, shelf)).transpose()?;
        if next.hash != self.options.hash {
            self.table = Arc::new(TranspositionTable::new(next.hash)?);
            TranspositionTable::touch_pages(&self.table);
        } else if forgets {
            self.clear_table()?;
        }
        // From here on nothing can fail.
        if let Some(session) = session {
            self.session = session;
        }
        if rules_changed {
            self.session.set_rules(&|rule| next.rule(rule));
        }
        if let Some((shelf, refused)) = opened {
            self.session.set_tablebases(&shelf);
            self.tablebases = shelf;
            self.warnings.extend(refused.iter().map(ToString::to_string));
        }
        let network = evaluator.network(&next, self.session.game());
        self.session.set_network(network);
        self.session.set_format(next.move_format);
        self.evaluator = evaluator;
        self.options = next;
        Ok(())
    }

    /// Uses the endgame tables in a folder where the option names none; that is for the start,
    /// before any search. Without any there the engine plays on without.
    pub fn set_default_tables(&mut self, folder: PathBuf) {
        self.default_tables = Some(folder);
        match self.open_tables("") {
            Ok((shelf, refused)) => {
                for file in refused {
                    log::warn!("endgame tables: {file}");
                }
                self.session.set_tablebases(&shelf);
                self.tablebases = shelf;
            }
            Err(error) => log::info!("no endgame tables: {error}"),
        }
    }

    /// The tables in a folder, the usual one if it is not named, and those that are refused.
    fn open_tables(&self, folder: &str) -> Result<(Tablebases, Vec<TableError>), EngineError> {
        let named = (!folder.is_empty()).then(|| PathBuf::from(folder));
        named.as_ref().or(self.default_tables.as_ref()).map_or_else(
            || Ok(Default::default()),
            |folder| {
                Tablebases::open(folder).map_err(|error| EngineError::Tables(error.to_string()))
            },
        )
    }

    /// What went wrong since the last time though the command was obeyed.
    pub fn take_warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }

    /// Forgets what was learned of the last game.
    pub fn new_game(&mut self) -> Result<(), EngineError> {
        self.clear_table()?;
        self.seed = rand::random();
        Ok(())
    }

    /// Empties the transposition table once the searches asked for so far have ended.
    fn clear_table(&mut self) -> Result<(), EngineError> {
        let table = Arc::clone(&self.table);
        self.search_thread.run_between(move || table.clear())
    }

    /// Lets chance choose between moves that are about equally good from now on: another choice
    /// for another seed, and for each game where there is none.
    pub fn vary(&mut self, seed: Option<u64>) {
        self.variety = VARIETY;
        self.seed = seed.unwrap_or_else(rand::random);
    }

    /// Puts up a setup, the start of the variant where there is none, and plays moves. On an
    /// error everything stays as it was.
    pub fn set_position(&mut self, setup: Option<&str>, moves: &[&str]) -> Result<(), EngineError> {
        self.session.set_position(setup, moves)
    }

    /// Plays a move on the position. On an error everything stays as it was.
    pub fn play(&mut self, mv: &str) -> Result<(), EngineError> {
        self.session = self.session.with_moves(&[mv])?;
        Ok(())
    }

    /// Takes back the last moves, so many of them. On an error everything stays as it was.
    pub fn take_back(&mut self, moves: usize) -> Result<(), EngineError> {
        self.session.take_back(moves)
    }

    /// Puts a piece on a square of `board`, or nothing. The result need not be a position.
    pub fn place(
        &self,
        board: &mut Squares,
        square: &str,
        piece: Option<Piece>,
    ) -> Result<(), EngineError> {
        self.session.place(board, square, piece)
    }

    /// Makes this board the position, with this side to move. That is a new setup: no move has
    /// been made yet. On an error everything stays as it was.
    pub fn set_board(&mut self, board: &Squares, next: Side) -> Result<(), EngineError> {
        self.session.set_board(board, next)
    }

    /// The setup before the first move, and the moves since.
    pub fn game_so_far(&self) -> (String, Vec<String>) {
        (self.session.start(), self.session.moves())
    }

    /// Plays at a level, or at a strength in Elo where one is given.
    pub fn set_level(&mut self, level: PlayingLevel, elo: Option<i32>) -> Result<(), EngineError> {
        let elo = elo.or_else(|| level.elo(self.session.calibration()));
        if let Some(elo) = elo {
            self.set_option("UCI_Elo", Some(&elo.to_string()))?;
        }
        let is_limited = if elo.is_some() { "true" } else { "false" };
        self.set_option("UCI_LimitStrength", Some(is_limited))
    }

    /// What is played.
    pub fn variant(&self) -> &'static Variant {
        self.session.variant()
    }

    /// The position as people look at it.
    pub fn view(&self) -> PositionView {
        self.session.view()
    }

    /// The static evaluation of the position.
    pub fn evaluation(&self) -> Evaluation {
        self.session.evaluation()
    }

    /// Searches the position, only `moves` if there are any. A search that runs comes first; if
    /// it has no end of its own, it is stopped.
    pub fn search(&mut self, mut limits: Limits, moves: &[&str]) -> Result<(), EngineError> {
        limits.overhead = self.options.overhead;
        limits.thorough = self.options.analyse;
        // What holds a weak player back does not end a search that has no end.
        limits.infinite = limits.is_endless();
        let endless = limits.infinite;
        let signals = Arc::new(Signals::new(limits.ponder));
        let mut threads = self.options.threads;
        let mut misjudgement = EvalNoise { amplitude: self.variety, seed: self.seed };
        let elo = self.options.strength();
        if let Some(handicap) = elo.and_then(|elo| self.session.calibration().handicap(elo)) {
            let nodes = limits.nodes.unwrap_or(u64::MAX).min(handicap.nodes);
            (limits.nodes, threads) = (Some(nodes), 1);
            misjudgement.amplitude = handicap.eval_noise.max(self.variety);
        }
        let means = SearchSettings {
            limits,
            requested_at: Instant::now(),
            threads,
            multipv: self.options.multipv,
            show_wdl: self.options.show_wdl,
            is_limited: elo.is_some(),
            eval_noise: misjudgement,
            table: Arc::clone(&self.table),
            signals: Arc::clone(&signals),
        };
        let job = self.session.search(means, moves)?;
        self.run(job, signals, endless)
    }

    /// Counts the sequences of `depth` moves from the position.
    pub fn perft(&mut self, depth: u32) -> Result<(), EngineError> {
        let signals = Arc::new(Signals::new(false));
        let job = self.session.perft(depth, Arc::clone(&signals));
        self.run(job, signals, false)
    }

    /// Searches the positions of the benchmark.
    pub fn bench(&mut self, depth: usize) -> Result<(), EngineError> {
        let signals = Arc::new(Signals::new(false));
        let job = bench::job(depth, Arc::clone(&signals))?;
        self.run(job, signals, false)
    }

    fn run(
        &mut self,
        job: SearchJob,
        signals: Arc<Signals>,
        endless: bool,
    ) -> Result<(), EngineError> {
        self.running.retain(|search| !search.signals.is_done());
        self.stop_endless();
        let reached = Arc::clone(&signals);
        self.search_thread.run(Box::new(move |free_since, sink| {
            job(free_since, sink);
            signals.finish();
        }))?;
        self.running.push(Running { signals: reached, endless });
        Ok(())
    }

    /// Prepares the empty answer to a search that is refused: as any other it stops the searches
    /// that have no end of their own, and its answer comes behind theirs. False if nothing runs:
    /// the caller sends the answer.
    pub fn answer_refused(&mut self) -> bool {
        self.stop_endless();
        self.search_thread.answer_refused()
    }

    /// Stops every search that was asked for so far.
    pub fn stop(&mut self) {
        for search in &self.running {
            search.signals.stop();
        }
    }

    fn stop_endless(&mut self) {
        for search in &self.running {
            if search.endless || search.signals.is_pondering() {
                search.signals.stop();
            }
        }
    }

    /// The opponent has made the move on which the search ponders.
    pub fn ponder_hit(&mut self) {
        for search in &self.running {
            search.signals.ponder_hit();
        }
    }

    /// Stops the searches that have no end of their own and takes no more.
    pub fn close(&mut self) {
        self.stop_endless();
        self.search_thread.close();
    }

    /// Whether the last search has come to its end and no other can follow.
    pub fn has_ended(&self) -> bool {
        self.search_thread.has_ended()
    }

    /// Stops the searches that have no end of their own and waits for the others.
    pub fn finish(mut self) -> Result<(), EngineError> {
        self.close();
        self.search_thread.finish()
    }

    /// Stops every search and waits for its last words, but not longer than this: nobody may be
    /// there to read them.
    pub fn quit(mut self, patience: Duration) {
        self.stop();
        self.search_thread.leave(patience);
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.stop();
        // Who drops an engine does not ask how its last search ended.
        let _ = self.search_thread.finish();
    }
}

/// Begins a session of the variant that the options name, without endgame tables.
pub fn open(options: &Options) -> Result<Box<dyn GameSession>, EngineError> {
    open_with(options, &Tablebases::default())
}

/// Begins a session of the variant that the options name, with these endgame tables.
pub fn open_with(
    options: &Options,
    shelf: &Tablebases,
) -> Result<Box<dyn GameSession>, EngineError> {
    let values: RuleValues = &|rule| options.rule(rule);
    typed_session::open(options.variant, values, shelf)
}
