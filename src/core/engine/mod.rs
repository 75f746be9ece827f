//! The engine: a game session, the options, and the searches that run in the background.
//!
//! No method waits for a search, except [`Engine::finish`], [`Engine::quit`] and dropping the
//! engine. A search works on a copy of the position and the options, taken when it was requested.
//! Searches run one after the other.

mod bench;
mod book_moves;
mod error;
pub mod event;
pub mod game_file;
mod jobs;
pub mod lesson;
mod move_view;
mod reporting;
mod search_thread;
mod searched_game;
pub mod session;
mod strength;
mod typed_session;
pub mod uci_score;
mod variant_data;

#[cfg(not(target_family = "wasm"))]
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::book::{Book, HAS_BOOKS};
#[cfg(not(target_family = "wasm"))]
use crate::game::TablebaseError;
use crate::game::{Board, Game, Notation, RuleSetting, Side, Variant};
use crate::games::{Tablebases, variants};
use crate::options::{BOOK_FILE, ELO, EVAL_FILE, Effect, LIMIT_STRENGTH, Options};
use crate::search::{EvalNoise, InputPoll, Limits, MAX_PLY, SearchMemory, Signals};
use crate::{platform, with_game};
pub use book_moves::BookMove;
pub use error::EngineError;
use event::{Disconnected, Event, Sink};
use game_file::{Evaluator, GameData, GameFile};
use jobs::JobQueue;
pub use move_view::{MoveView, PlayedMove, ThreatView};
pub use search_thread::SearchRunner;
pub use searched_game::SearchedGame;
use session::{GameSession, SearchSettings};
pub use strength::PlayingLevel;
pub use typed_session::{open, open_with, read_setup};
pub use variant_data::{Ballot, VariantData, ballots, variant_data};

/// The name and version that the engine reports.
pub const NAME: &str = concat!("Soucie ", env!("CARGO_PKG_VERSION"));

/// The default depth of the benchmark, in plies.
pub const BENCH_DEPTH: usize = 14;

/// The longest mate that a search can look for, in moves of the winner. Its plies, with the replies
/// of the loser, must fit into the maximum search depth.
pub const LONGEST_MATE: u32 = (MAX_PLY as u32 - 1) / 2;

/// The amplitude of the evaluation noise that [`Engine::vary`] adds, in units of the evaluation. An
/// advantage is worth about a hundred of them.
const VARIETY: i32 = 3;

/// Stands in the note on a file for another game than the current one, before the name of that game. The
/// laboratory looks for it in the output of an engine that begins a match: there the file is a mistake.
pub const OTHER_GAME_NOTE: &str = ": not for this game, and kept for games of ";

/// The engine: options, current game, what searches share, and search thread.
pub struct Engine {
    options: Options,
    memory: Arc<SearchMemory>,
    session: Box<dyn GameSession>,
    /// The open endgame tables.
    tablebases: Tablebases,
    /// The network named by `EvalFile`, if any.
    evaluator: Evaluator,
    book: GameFile<Book>,
    /// The endgame tables while the option `TablePath` is empty.
    default_tables: Tablebases,
    warnings: Vec<EngineError>,
    notes: Vec<String>,
    jobs: JobQueue,
    /// The seed of the evaluation noise in this game.
    seed: u64,
    /// The minimum amplitude of the evaluation noise. It varies the choice between equal moves.
    variety: i32,
}

/// Opens the endgame tables in the default folder, if it exists. Without usable ones the engine plays
/// without tables: the user has not asked for them.
#[cfg(not(target_family = "wasm"))]
pub fn default_tables(folder: Option<PathBuf>) -> Tablebases {
    let Some(folder) = folder.filter(|folder| folder.is_dir()) else {
        return Tablebases::default();
    };
    match Tablebases::open(&folder) {
        Ok((tablebases, refused)) => {
            if let Some(first) = refused.first() {
                log::error!(
                    "endgame tables that are not used: {}, the first: {first}",
                    refused.len()
                );
            }
            for file in refused {
                log::warn!("endgame tables: {file}");
            }
            tablebases
        }
        Err(error) => {
            // An empty folder is no fault.
            let is_empty = matches!(error, TablebaseError::Incomplete { .. });
            let level = if is_empty { log::Level::Warn } else { log::Level::Error };
            log::log!(level, "no endgame tables: {error}");
            Tablebases::default()
        }
    }
}

impl Engine {
    /// Creates an engine at the start of the default variant. `sink` receives the events of all
    /// searches.
    pub fn new<S>(sink: S) -> Result<Self, EngineError>
    where
        S: FnMut(Event) -> Result<(), Disconnected> + Send + 'static,
    {
        Self::with(JobQueue::start(sink)?)
    }

    /// Creates an engine without a search thread, at the start of the default variant. The caller
    /// runs the searches with the returned runner. They call `poll` regularly, so that the caller
    /// can read input and stop them.
    pub fn without_thread<S>(sink: S, poll: InputPoll) -> Result<(Self, SearchRunner), EngineError>
    where
        S: FnMut(Event) -> Result<(), Disconnected> + Send + 'static,
    {
        let (queue, runner) = JobQueue::without_thread(sink, Some(poll));
        let mut engine = Self::with(queue)?;
        engine.prepare_without_thread();
        Ok((engine, runner))
    }

    fn with(jobs: JobQueue) -> Result<Self, EngineError> {
        let options = Options::default();
        Ok(Self {
            memory: Arc::new(SearchMemory::new(options.hash)?),
            session: open(&options)?,
            tablebases: Tablebases::default(),
            evaluator: Evaluator::default(),
            book: GameFile::default(),
            default_tables: Tablebases::default(),
            warnings: Vec::new(),
            notes: Vec::new(),
            jobs,
            seed: platform::random(),
            variety: 0,
            options,
        })
    }

    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Sets an option. On an error the state is unchanged. A running search keeps its old options.
    pub fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), EngineError> {
        let mut next = self.options.clone();
        let effect = next.set(name, value)?;
        // In each arm, what can fail comes before the changes.
        match effect {
            Effect::Nothing => {}
            Effect::Scores => self.clear_table()?,
            Effect::Strength if next.strength() == self.options.strength() => {}
            Effect::Strength => self.clear_table()?,
            Effect::TableSize => {
                let memory = Arc::new(SearchMemory::new(next.hash)?);
                let old = std::mem::replace(&mut self.memory, memory);
                if self.jobs.has_thread() {
                    // To return gigabytes to the system takes tens of milliseconds.
                    let _ = std::thread::Builder::new().spawn(move || drop(old));
                }
                self.prepare_without_thread();
            }
            Effect::Game => {
                let session = open_with(&next, &self.tablebases)?;
                if next.variant != self.options.variant {
                    self.clear_table()?;
                }
                self.session = session;
            }
            Effect::Rules => {
                self.clear_table()?;
                self.session.set_rules(&|rule| next.rule(rule));
            }
            Effect::Tablebases => {
                let (tablebases, refused) = self.open_tables(&next)?;
                self.clear_table()?;
                self.session.set_tablebases(&tablebases);
                self.tablebases = tablebases;
                let refused = refused.iter().map(|error| EngineError::Tables(error.to_string()));
                self.warnings.extend(refused);
            }
            Effect::Network => {
                let evaluator = read_file(EVAL_FILE, &next.eval_file)?;
                self.clear_table()?;
                self.note_other_game(EVAL_FILE, &next.eval_file, evaluator.game());
                self.evaluator = evaluator;
            }
            Effect::Book if !HAS_BOOKS => {}
            Effect::Book => {
                let book = read_file(BOOK_FILE, &next.book_file)?;
                self.note_other_game(BOOK_FILE, &next.book_file, book.game());
                self.book = book;
            }
        }
        let network = self.evaluator.network(&next, self.session.game());
        self.session.set_network(network);
        self.session.set_format(next.move_format);
        self.options = next;
        #[cfg(feature = "tune")]
        self.options.tune_search();
        Ok(())
    }

    /// Notes that the file of an option is for another game than the current one, for which it is kept:
    /// clients may set the variant last.
    fn note_other_game(&mut self, option: &str, path: &str, game: Option<&str>) {
        if let Some(game) = game.filter(|&game| game != self.session.game()) {
            self.notes.push(format!("{option}: {path}{OTHER_GAME_NOTE}{game}"));
        }
    }

    /// Sets the endgame tables to use while `TablePath` is empty. Call it at startup, before any
    /// search.
    pub fn set_default_tables(&mut self, tablebases: Tablebases) {
        self.session.set_tablebases(&tablebases);
        self.tablebases = tablebases.clone();
        self.default_tables = tablebases;
    }

    /// Uses endgame tables that are in memory, the contents of a file. Returns the number of pieces
    /// up to which they have all positions. On an error the state is unchanged.
    pub fn set_tables(&mut self, bytes: Vec<u8>) -> Result<usize, EngineError> {
        let tablebases = Tablebases::read(bytes);
        let tablebases = tablebases.map_err(|error| EngineError::Tables(error.to_string()))?;
        self.clear_table()?;
        self.session.set_tablebases(&tablebases);
        self.tablebases = tablebases;
        Ok(self.tablebases.own_pieces())
    }

    /// Refuses to open a folder: without the command line, tables come from
    /// [`Engine::set_tables`], and `TablePath` does not exist.
    #[cfg(target_family = "wasm")]
    fn open_tables(&self, _: &Options) -> Result<(Tablebases, Vec<String>), EngineError> {
        Err(EngineError::Tables("this build cannot read them".to_string()))
    }

    /// Opens the tables that the options name, or returns the default ones if they name none. Also
    /// returns the errors of the files that were rejected.
    #[cfg(not(target_family = "wasm"))]
    fn open_tables(
        &self,
        next: &Options,
    ) -> Result<(Tablebases, Vec<TablebaseError>), EngineError> {
        let opened = match &*next.table_path {
            "" => Ok((self.default_tables.clone(), Vec::new())),
            path => Tablebases::open(Path::new(path)),
        };
        let (cache, pieces) = (next.table_cache, next.table_pieces);
        let opened =
            opened.and_then(|(tables, refused)| Ok((tables.with_limits(cache, pieces)?, refused)));
        opened.map_err(|error| EngineError::Tables(error.to_string()))
    }

    /// Returns and clears the warnings: problems in commands that nevertheless succeeded.
    pub fn take_warnings(&mut self) -> Vec<EngineError> {
        std::mem::take(&mut self.warnings)
    }

    /// Returns and clears the notes on commands that succeeded.
    pub fn take_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }

    /// Starts a new game: clears the transposition table and draws a new seed for the evaluation
    /// noise.
    pub fn new_game(&mut self) -> Result<(), EngineError> {
        self.clear_table()?;
        self.seed = platform::random();
        Ok(())
    }

    /// Clears the transposition table, after the searches requested so far.
    pub fn clear_table(&mut self) -> Result<(), EngineError> {
        let memory = Arc::clone(&self.memory);
        self.jobs.run_between(move || memory.clear())?;
        self.prepare_without_thread();
        Ok(())
    }

    /// Prepares the table at once if the engine has no thread, as its caller then waits for each search.
    fn prepare_without_thread(&mut self) {
        if !self.jobs.has_thread() {
            self.prepare_table(usize::MAX, &mut || false);
        }
    }

    /// Prepares the first `mib` MiB of the transposition table for searches with a time limit, unless a
    /// search is running. A gigabyte of new memory takes half a second or more. Stops once `stop` returns
    /// true.
    pub fn prepare_table(&mut self, mib: usize, stop: &mut dyn FnMut() -> bool) {
        if self.jobs.is_idle() {
            self.memory.prepare(mib, stop);
        }
    }

    /// From now on chooses at random between moves of about equal value. The choice depends on
    /// `seed`; without a seed each game gets a random one.
    pub fn vary(&mut self, seed: Option<u64>) {
        self.variety = VARIETY;
        self.seed = seed.unwrap_or_else(platform::random);
    }

    /// Sets up `setup`, or the start of the variant if it is `None`, and plays `moves` on it. On an
    /// error the state is unchanged.
    pub fn set_position(&mut self, setup: Option<&str>, moves: &[&str]) -> Result<(), EngineError> {
        self.session.set_position(setup, moves).map_err(|error| match (error, setup) {
            (EngineError::Setup(why), Some(setup)) => {
                match other_game(setup, self.session.game()) {
                    Some(variant) => EngineError::OtherGame { why, variant },
                    None => EngineError::Setup(why),
                }
            }
            (error, _) => error,
        })
    }

    /// Plays a move. On an error the state is unchanged.
    pub fn play(&mut self, mv: &str) -> Result<(), EngineError> {
        self.session.play(mv)
    }

    /// Takes back the last `moves` plies. On an error the state is unchanged.
    pub fn take_back(&mut self, moves: usize) -> Result<(), EngineError> {
        self.session.take_back(moves)
    }

    /// Sets the position to this board with `next` to move. This is a new setup without move
    /// history. On an error the state is unchanged.
    pub fn set_board(&mut self, board: &Board, next: Side) -> Result<(), EngineError> {
        self.session.set_board(board, next)
    }

    /// Sets the playing strength to a level, or to `elo` if it is given.
    pub fn set_level(&mut self, level: PlayingLevel, elo: Option<i32>) -> Result<(), EngineError> {
        let elo = elo.or_else(|| level.elo(self.session.calibration()));
        if let Some(elo) = elo {
            self.set_option(ELO, Some(&elo.to_string()))?;
        }
        self.set_option(LIMIT_STRENGTH, Some(&elo.is_some().to_string()))
    }

    pub fn variant(&self) -> &'static Variant {
        self.session.variant()
    }

    /// The game being played.
    pub fn session(&self) -> &dyn GameSession {
        &*self.session
    }

    /// Starts a search of the position. If `moves` is not empty, only these root moves are
    /// searched. It starts after the searches requested before. Those that are infinite or
    /// pondering are stopped.
    pub fn search(&mut self, mut limits: Limits, moves: &[&str]) -> Result<(), EngineError> {
        if moves.is_empty()
            && let Some(mv) = self.book_move(&limits)
        {
            return self.play_from_book(mv);
        }
        limits.overhead = self.options.overhead;
        limits.uses_all_time = self.options.analyse;
        // Set before the handicap adds its node limit: an unlimited search stays unlimited.
        limits.infinite = limits.is_endless();
        let endless = limits.infinite;
        let signals = self.jobs.signals(limits.ponder);
        let mut options = self.options.search;
        let mut eval_noise = EvalNoise { amplitude: self.variety, seed: self.seed };
        let elo = self.options.strength();
        if let Some(handicap) = elo.and_then(|elo| self.session.calibration().handicap(elo)) {
            let nodes = limits.nodes.unwrap_or(u64::MAX).min(handicap.nodes);
            (limits.nodes, options.threads) = (Some(nodes), 1);
            limits.depth = limits.depth.into_iter().chain(handicap.depth).min();
            eval_noise.amplitude = handicap.eval_noise.max(self.variety);
        }
        let settings = SearchSettings {
            options,
            show_wdl: self.options.show_wdl,
            players: self.options.players(),
            is_limited: elo.is_some(),
            eval_noise,
            ..SearchSettings::new(limits, Arc::clone(&self.memory), Arc::clone(&signals))
        };
        let job = self.session.search(settings, moves)?;
        self.jobs.run(job, signals, endless)
    }

    /// Uses these rules, and the usual ones for all others, as [`Options::set_rules`] does.
    pub fn set_rules(&mut self, named: &[RuleSetting]) -> Result<(), EngineError> {
        self.clear_table()?;
        self.options.set_rules(named);
        self.session.set_rules(&|rule| self.options.rule(rule));
        Ok(())
    }

    /// Returns a move of the opening book if the options and limits allow it. Of equally good ones
    /// it is the same until the next game.
    fn book_move(&self, limits: &Limits) -> Option<String> {
        let options = &self.options;
        let must_search =
            options.analyse || options.strength().is_some() || options.search.multipv > 1;
        let is_open = limits.ponder || limits.is_endless() || limits.mate.is_some();
        if !HAS_BOOKS || !options.own_book || must_search || is_open {
            return None;
        }
        // Books are made under the default rules.
        if !options.same_rules(&Options::default()) {
            return None;
        }
        let book = self.book.for_game(self.session.game())?;
        self.session.book_move(&book, self.seed)
    }

    fn play_from_book(&mut self, mv: String) -> Result<(), EngineError> {
        let job = move |_, sink: Sink| {
            // The receiver may be gone.
            let _ = sink(Event::BookMove);
            let _ = sink(Event::Best { best: Some(mv), ponder: None });
        };
        let signals = self.jobs.signals(false);
        self.jobs.run(Box::new(job), signals, false)
    }

    /// Counts the leaf nodes of the legal move tree, `depth` plies from the position.
    pub fn perft(&mut self, depth: u32) -> Result<(), EngineError> {
        let signals = self.jobs.signals(false);
        let job = self.session.perft(depth, Arc::clone(&signals));
        self.jobs.run(job, signals, false)
    }

    /// Searches the benchmark positions to `depth` plies.
    pub fn bench(&mut self, depth: usize) -> Result<(), EngineError> {
        let signals = self.jobs.signals(false);
        let job = bench::job(depth, Arc::clone(&signals))?;
        self.jobs.run(job, signals, false)
    }

    /// Queues a job of the caller like a search. It must end soon after its signals stop it.
    pub fn run_job(
        &mut self,
        job: impl FnOnce(&Arc<Signals>, Sink) + Send + 'static,
    ) -> Result<(), EngineError> {
        let signals = self.jobs.signals(false);
        let own = Arc::clone(&signals);
        self.jobs.run(Box::new(move |_, sink| job(&own, sink)), signals, false)
    }

    /// Queues the answer to a rejected search or job. As any new search it stops infinite and
    /// pondering searches, and its answer follows theirs. Returns false if no job is running: the
    /// caller then sends the answer itself.
    pub fn answer_refused(&mut self, answer: &'static str) -> bool {
        self.jobs.answer_refused(answer)
    }

    /// The nodes that the search requested last has visited so far.
    pub fn nodes(&self) -> u64 {
        self.jobs.nodes()
    }

    /// Stops all searches requested so far.
    pub fn stop(&mut self) {
        self.jobs.stop();
    }

    /// Ends pondering: the opponent has played the expected move. The search continues under its
    /// time limits.
    pub fn ponder_hit(&mut self) {
        self.jobs.ponder_hit();
    }

    /// Stops infinite and pondering searches and accepts no more jobs.
    pub fn close(&mut self) {
        self.jobs.close();
    }

    /// Stops infinite and pondering searches and waits for all to end.
    pub fn finish(mut self) -> Result<(), EngineError> {
        self.jobs.close();
        self.jobs.join()
    }

    /// Stops all searches and waits for their last output, but at most for `timeout`: writing may
    /// block if the output is not read.
    pub fn quit(mut self, timeout: Duration) {
        self.jobs.stop();
        self.jobs.join_timeout(timeout);
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.jobs.stop();
        // `drop` cannot return an error.
        let _ = self.jobs.join();
    }
}

fn read_file<T: GameData>(option: &'static str, path: &str) -> Result<GameFile<T>, EngineError> {
    let failed = |error| EngineError::File { option, path: path.to_string(), error };
    GameFile::read(path, None).map_err(failed)
}

/// The variant of another game that can read a setup: the client may have forgotten to name it.
fn other_game(setup: &str, game: &str) -> Option<&'static str> {
    let reads = |name| {
        with_game!(name, |P, _variant| {
            P::name() != game && P::read_setup(setup, Default::default()).is_ok()
        })
    };
    variants().map(|variant| variant.name).find(|name| reads(name) == Some(true))
}
