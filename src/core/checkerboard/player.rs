//! Searches moves for the window.

use std::mem::take;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, Builder};
use std::time::{Duration, Instant};

use super::board::{self, GAME, Squares};
use super::settings::Settings;
use super::time::Time;
use crate::engine::event::{Disconnected, Event, Info};
use crate::engine::uci_score::UciScore;
use crate::engine::{Engine, EngineError, MoveView, SearchRunner};
use crate::game::{Board, Side, TablebaseValue};
use crate::options::{HASH, MOVE_FORMAT, MULTI_PV, VARIANT};
use crate::search::{Bound, InputPoll, Limits, STACK_SIZE};

/// The time between two looks at the window.
const LOOK: Duration = Duration::from_millis(10);

/// The time between two lines of the status bar.
const SHOW: Duration = Duration::from_millis(100);

/// The most nodes and time of the search for the score of a book move.
const BOOK_SEARCH: (u64, Duration) = (20_000, Duration::from_millis(50));

/// The time without moves after which the transposition table is freed.
const REST: Duration = Duration::from_secs(300);

const MOVES_BESIDE_NOTICE: usize = 2;

/// The window during a search.
pub trait Window {
    /// Whether the user wants a move at once.
    fn plays_now(&self) -> bool;

    /// Shows a text in the status bar.
    fn show(&mut self, text: &str);
}

/// What a search is to find.
pub struct MoveRequest {
    pub board: Board,
    pub side: Side,
    /// A setup and the moves that led from it to the position; unless they do, only the position
    /// counts.
    pub history: String,
    pub time: Time,
    pub settings: Settings,
}

/// What is certain about the result of the game, for the side to move. The window ends games of a
/// match by it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    Draw = 0,
    Win = 1,
    Loss = 2,
    Unknown = 3,
}

/// The end of a search.
pub struct MoveReply {
    pub claim: Claim,
    /// The move, and the board after it; `None` if the game is over.
    pub played: Option<(MoveView, Squares)>,
}

/// An engine without threads of its own.
pub struct WindowPlayer {
    engine: Engine,
    runner: SearchRunner,
    events: Receiver<Event>,
    /// The options that the engine has, with their values.
    options: Vec<(&'static str, String)>,
    /// What could not be used since the last move, for the status bar.
    notice: String,
    last_move: Instant,
    freed: Option<String>,
}

impl WindowPlayer {
    /// A player at the start of a game. Each thread of a search calls `poll` regularly.
    pub fn new(poll: InputPoll) -> Result<Self, EngineError> {
        let (sender, events) = channel();
        let sink = move |event| sender.send(event).map_err(|_| Disconnected);
        // The thread that waits for a search looks at the window.
        let (mut engine, runner) = Engine::without_thread(sink, poll)?;
        engine.set_option(VARIANT, Some(GAME))?;
        engine.set_option(MOVE_FORMAT, Some("standard"))?;
        Ok(Self {
            engine,
            runner,
            events,
            options: Vec::new(),
            notice: String::new(),
            last_move: Instant::now(),
            freed: None,
        })
    }

    /// Searches a move and plays it.
    pub fn play(
        &mut self,
        request: &MoveRequest,
        window: &mut impl Window,
    ) -> Result<MoveReply, EngineError> {
        self.apply(&request.settings);
        let is_drawn = self.set_up(request)?;
        let session = self.engine.session();
        if session.outcome().is_some() {
            // A position without its game is over only if no move is left.
            return Ok(MoveReply { claim: Claim::Loss, played: None });
        }
        let is_drawn = is_drawn || session.tablebase_value() == Some(TablebaseValue::Drawn);
        let (best, score) = self.search(request, window)?;
        self.last_move = Instant::now();
        let mv = self.engine.session().check_move(&best)?;
        self.engine.play(&best)?;
        let session = self.engine.session();
        let claim = match (session.outcome(), score) {
            (Some(end), _) => end.winner.map_or(Claim::Draw, |_| Claim::Win),
            _ if is_drawn => Claim::Draw,
            (None, Some(UciScore::Mate(moves))) if moves > 0 => Claim::Win,
            (None, Some(UciScore::Mate(_))) => Claim::Loss,
            _ => Claim::Unknown,
        };
        Ok(MoveReply { claim, played: Some((mv, board::write(&session.board()))) })
    }

    /// Gives the engine the options that have changed. Returns what it refuses or cannot use here, which the
    /// status bar shows with the next move: after an error the old value stays, and of a folder of tables
    /// those that can be used.
    pub fn apply(&mut self, settings: &Settings) -> String {
        let mut problems = Vec::new();
        if let Some(mib) = self.freed.take() {
            let refused = self.engine.set_option(HASH, Some(&mib)).err();
            problems.extend(refused.map(|error| error.to_string()));
        }
        for option in settings.options() {
            if self.options.contains(&option) {
                continue;
            }
            let (name, value) = &option;
            let refused = self.engine.set_option(name, Some(value)).err();
            let unusable = self.engine.take_warnings().into_iter();
            problems.extend(refused.into_iter().chain(unusable).map(|error| error.to_string()));
            // No other game is played here, so a book for one is a mistake.
            problems.extend(self.engine.take_notes());
            self.options.retain(|(other, _)| other != name);
            self.options.push(option);
        }
        for problem in &problems {
            self.notice += &format!("  {problem}");
        }
        problems.join("; ")
    }

    /// Frees the transposition table after a time without moves, until the settings are applied again.
    pub fn rest(&mut self) {
        let mib = self.engine.options().hash;
        if self.last_move.elapsed() >= REST
            && self.freed.is_none()
            && self.engine.set_option(HASH, Some("1")).is_ok()
        {
            self.freed = Some(mib.to_string());
        }
    }

    /// Sets the position up. Returns whether its game is drawn; the position then stands alone, so
    /// that play can go on.
    fn set_up(&mut self, request: &MoveRequest) -> Result<bool, EngineError> {
        let mut words = request.history.split_whitespace();
        let setup = words.next();
        let moves: Vec<&str> = words.collect();
        let is_read = setup.is_some() && self.engine.set_position(setup, &moves).is_ok();
        let session = self.engine.session();
        let is_same = session.board() == request.board && session.side() == request.side;
        let outcome = session.outcome();
        if is_read && is_same && outcome.is_none() {
            return Ok(false);
        }
        self.engine.set_board(&request.board, request.side)?;
        Ok(is_read && is_same && outcome.is_some_and(|outcome| outcome.winner.is_none()))
    }

    /// Searches the position. Returns the best move and its score, if it is exact.
    ///
    /// A move of the opening book is searched for its score only, unless the user analyses the position.
    fn search(
        &mut self,
        request: &MoveRequest,
        window: &mut impl Window,
    ) -> Result<(String, Option<UciScore>), EngineError> {
        let shows_all = request.settings.shows_all_scores();
        let moves = self.engine.session().legal_moves();
        let lines = if shows_all { moves.len() } else { 1 };
        self.engine.set_option(MULTI_PV, Some(&lines.to_string()))?;
        let mut status = Status {
            began: Instant::now(),
            side: request.side,
            shows_all,
            notice: take(&mut self.notice),
            is_book: false,
            book: None,
            infos: Vec::new(),
        };
        let limits = request.time.limits();
        let mut best = self.run(limits.clone(), &[], &mut status, window)?;
        if status.is_book {
            let (nodes, time) = BOOK_SEARCH;
            let time = time.min(request.time.usual());
            let short = Limits { nodes: Some(nodes), movetime: Some(time), ..Limits::default() };
            self.run(short, &[&best], &mut status, window)?;
            status.book = status.infos.first().map(|info| (best.clone(), info.score));
            if request.time.is_unlimited() {
                let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
                best = self.run(limits, &moves, &mut status, window)?;
            }
        }
        window.show(&status.text(self.engine.nodes()));
        let score = status.exact_score(&best);
        Ok((best, score))
    }

    /// Searches these moves, or all if there are none, and returns the best one.
    fn run(
        &mut self,
        limits: Limits,
        moves: &[&str],
        status: &mut Status,
        window: &mut impl Window,
    ) -> Result<String, EngineError> {
        status.began = Instant::now();
        status.infos.clear();
        self.engine.search(limits, moves)?;
        let Self { engine, runner, events, .. } = self;
        thread::scope(|scope| {
            let run = || while let Ok(true) = runner.run_next() {};
            let search = Builder::new().name("search".into()).stack_size(STACK_SIZE);
            let search = search.spawn_scoped(scope, run).map_err(EngineError::Thread)?;
            let best = wait(engine, events, status, window, &|| search.is_finished());
            search.join().map_err(|_| EngineError::Died)?;
            best.ok_or(EngineError::Died)
        })
    }
}

/// Passes the events of a search on to the window until the best move comes. `None` if the search
/// ends without.
fn wait(
    engine: &mut Engine,
    events: &Receiver<Event>,
    status: &mut Status,
    window: &mut impl Window,
    has_ended: &dyn Fn() -> bool,
) -> Option<String> {
    let mut shown: Option<Instant> = None;
    loop {
        let ended = has_ended();
        match events.recv_timeout(LOOK) {
            Ok(Event::Best { best, .. }) => return best,
            Ok(Event::Info(info)) => status.add(info),
            Ok(Event::BookMove) => status.is_book = true,
            Ok(_) => {}
            Err(RecvTimeoutError::Timeout) if !ended => {}
            Err(_) => return None,
        }
        if window.plays_now() {
            engine.stop();
        }
        if !status.infos.is_empty() && shown.is_none_or(|shown| shown.elapsed() >= SHOW) {
            window.show(&status.text(engine.nodes()));
            shown = Some(Instant::now());
        }
    }
}

struct Status {
    began: Instant,
    side: Side,
    shows_all: bool,
    /// What the user is to know besides, behind the line.
    notice: String,
    is_book: bool,
    /// The move of the opening book and its score for the side to move.
    book: Option<(String, UciScore)>,
    /// The last lines of the search, by their ranks.
    infos: Vec<Info>,
}

impl Status {
    fn add(&mut self, info: Info) {
        self.infos.truncate(info.multipv - 1);
        self.infos.push(info);
    }

    /// The score of the best move for the side to move, if it is no bound.
    fn exact_score(&self, best: &String) -> Option<UciScore> {
        let is_exact = |info: &&Info| info.bound == Bound::Exact && info.pv.first() == Some(best);
        self.infos.first().filter(is_exact).map(|info| info.score)
    }

    /// Score from Black's view, depth, time, speed and line, or all moves with their scores. The window
    /// shows about 75 characters.
    fn text(&self, nodes: u64) -> String {
        let Some(best) = self.infos.first() else { return self.notice.trim_start().to_string() };
        let score = |score: UciScore| score.for_black(self.side);
        let book =
            self.book.as_ref().map(|(mv, of_book)| format!("book {mv} {}  ", score(*of_book)));
        let seconds = self.began.elapsed().as_secs_f64();
        let speed = nodes as f64 / seconds.max(1e-3);
        let speed = if speed < 999_500.0 {
            format!("{:.0} KN/s", speed / 1e3)
        } else {
            format!("{:.1} MN/s", speed / 1e6)
        };
        let shown = if self.notice.is_empty() { usize::MAX } else { MOVES_BESIDE_NOTICE };
        let move_score =
            |info: &Info| Some(format!("  {} {}", info.pv.first()?, score(info.score)));
        let line: String = if self.shows_all {
            self.infos.iter().take(shown).filter_map(move_score).collect()
        } else {
            best.pv.iter().take(shown).map(|mv| format!(" {mv}")).collect()
        };
        format!(
            "{}score={} depth {}/{} {seconds:.1}s {speed}{line}{}",
            book.unwrap_or_default(),
            score(best.score),
            best.depth,
            best.seldepth,
            self.notice,
        )
    }
}
