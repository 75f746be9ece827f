//! Searches moves for the window.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, Builder};
use std::time::{Duration, Instant};

use super::board::{self, GAME, Squares};
use super::settings::Settings;
use super::time::Time;
use crate::engine::event::{Disconnected, Event, Info};
use crate::engine::session::{Board, MoveView, TablebaseValue};
use crate::engine::uci_score::UciScore;
use crate::engine::{Bound, Engine, EngineError, MOVE_FORMAT, SearchRunner, Side, VARIANT};
use crate::options::{MULTI_PV, TABLE_CACHE, TABLE_PATH};
use crate::search::STACK_SIZE;

/// The time between two looks at the window.
const LOOK: Duration = Duration::from_millis(10);

/// The time between two lines of the status bar.
const SHOW: Duration = Duration::from_millis(100);

/// The window during a search.
pub trait Window {
    /// Whether the user wants a move at once.
    fn plays_now(&self) -> bool;

    /// Shows a text in the status bar.
    fn show(&mut self, text: &str);
}

/// What a search is to find.
pub struct MoveRequest {
    /// The position.
    pub board: Board,
    /// The side to move.
    pub side: Side,
    /// A setup and the moves that led from it to the position; unless they do, only the position
    /// counts.
    pub history: String,
    /// The time.
    pub time: Time,
    /// The settings.
    pub settings: Settings,
}

/// What is certain about the result of the game, for the side to move. The window ends games of a
/// match by it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// A draw.
    Draw = 0,
    /// A win.
    Win = 1,
    /// A loss.
    Loss = 2,
    /// Nothing is certain.
    Unknown = 3,
}

/// The end of a search.
pub struct MoveReply {
    /// What is certain.
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
    /// The tables of its folder that cannot be used, for the status bar.
    unusable: String,
}

impl WindowPlayer {
    /// A player at the start of a game.
    pub fn new() -> Result<Self, EngineError> {
        let (sender, events) = channel();
        let sink = move |event| sender.send(event).map_err(|_| Disconnected);
        // The thread that waits for a search looks at the window.
        let (mut engine, runner) = Engine::without_thread(sink, Arc::new(|_| ()))?;
        engine.set_option(VARIANT, Some(GAME))?;
        engine.set_option(MOVE_FORMAT, Some("standard"))?;
        Ok(Self { engine, runner, events, options: Vec::new(), unusable: String::new() })
    }

    /// Searches a move and plays it.
    pub fn play(
        &mut self,
        request: &MoveRequest,
        window: &mut impl Window,
    ) -> Result<MoveReply, EngineError> {
        let refusals = self.apply(&request.settings);
        let is_drawn = self.set_up(request)?;
        let session = self.engine.session();
        if session.outcome().is_some() {
            // A position without its game is over only if no move is left.
            return Ok(MoveReply { claim: Claim::Loss, played: None });
        }
        let is_drawn = is_drawn || session.tablebase_value() == Some(TablebaseValue::Drawn);
        let (best, score) = self.search(request, refusals, window)?;
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

    /// Gives the engine the options that have changed. Returns what it refuses or cannot use here, for the
    /// status bar: after an error the old value stays, and of a folder of tables those that can be used.
    fn apply(&mut self, settings: &Settings) -> String {
        let mut refusals = String::new();
        for option in settings.options() {
            if self.options.contains(&option) {
                continue;
            }
            let (name, value) = &option;
            match self.engine.set_option(name, Some(value)) {
                Ok(()) => {
                    if matches!(*name, TABLE_PATH | TABLE_CACHE) {
                        let unusable = self.engine.take_warnings().into_iter();
                        self.unusable = unusable.map(|warning| format!("{warning}  ")).collect();
                    }
                    // No other game is played here, so a book for one is a mistake.
                    let notes = self.engine.take_notes().into_iter();
                    refusals.extend(notes.map(|note| format!("{note}  ")));
                    self.options.retain(|(other, _)| other != name);
                    self.options.push(option);
                }
                Err(error) => refusals += &format!("{error}  "),
            }
        }
        refusals + &self.unusable
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
    fn search(
        &mut self,
        request: &MoveRequest,
        notice: String,
        window: &mut impl Window,
    ) -> Result<(String, Option<UciScore>), EngineError> {
        let shows_all = request.settings.shows_all_scores();
        let lines = if shows_all { self.engine.session().legal_moves().len() } else { 1 };
        self.engine.set_option(MULTI_PV, Some(&lines.to_string()))?;
        let mut status = Status { notice, side: request.side, shows_all, infos: Vec::new() };
        self.engine.search(request.time.limits(), &[])?;
        let Self { engine, runner, events, .. } = self;
        let best = thread::scope(|scope| {
            let run = || while let Ok(true) = runner.run_next() {};
            let search = Builder::new().name("search".into()).stack_size(STACK_SIZE);
            let search = search.spawn_scoped(scope, run).map_err(EngineError::Thread)?;
            let best = wait(engine, events, &mut status, window, &|| search.is_finished());
            search.join().map_err(|_| EngineError::Died)?;
            best.ok_or(EngineError::Died)
        })?;
        window.show(&status.text());
        let score = status.exact_score(&best);
        Ok((best, score))
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
            Ok(Event::BookMove) => status.notice += "a move of the opening book",
            Ok(_) => {}
            Err(RecvTimeoutError::Timeout) if !ended => {}
            Err(_) => return None,
        }
        if window.plays_now() {
            engine.stop();
        }
        if !status.infos.is_empty() && shown.is_none_or(|shown| shown.elapsed() >= SHOW) {
            window.show(&status.text());
            shown = Some(Instant::now());
        }
    }
}

/// What the status bar shows.
struct Status {
    /// What the user is to know besides.
    notice: String,
    side: Side,
    shows_all: bool,
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

    /// Depth, time, score from Black's view, speed and line; or all moves with their scores.
    fn text(&self) -> String {
        let Some(best) = self.infos.first() else { return self.notice.clone() };
        let seconds = best.time.as_secs_f64();
        let score = |info: &Info| info.score.for_black(self.side);
        let depth =
            format!("{}depth {}/{}  time {seconds:.1} s", self.notice, best.depth, best.seldepth);
        if self.shows_all {
            let move_score = |info: &Info| Some(format!("  {} {}", info.pv.first()?, score(info)));
            return depth + &self.infos.iter().filter_map(move_score).collect::<String>();
        }
        let speed = best.nodes as f64 / seconds.max(1e-3) / 1e6;
        format!("{depth}  score {}  {speed:.1} Mn/s  {}", score(best), best.pv.join(" "))
    }
}
