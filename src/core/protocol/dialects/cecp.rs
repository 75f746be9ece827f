//! The Chess Engine Communication Protocol (CECP), version 2, for Lines of Action in XBoard.
//!
//! The engine plays its moves on its own board, and it reacts to the ends of its searches: see
//! [`Dialect::react`].

use std::collections::VecDeque;
use std::io::{self, Write};
use std::time::Duration;

use super::cecp_command::{CecpClock, CecpFailure, CecpLine, shorten};
use super::cecp_reply::{self, FAIRY, PASS, default_variant, start, thinking, variants, written};
use crate::engine::event::{Event, Info};
use crate::engine::{Engine, EngineError};
use crate::files::lines::TooLong;
use crate::files::printable::one_line;
use crate::game::{Side, Variant};
use crate::options::{ANALYSE_MODE, HASH, OptionKind, THREADS, VARIANT};
use crate::protocol::handler::{Dialect, Handler, Next};
use crate::search::Limits;

const HINT_TIME: Duration = Duration::from_millis(500);

/// The maximum number of pings that wait for the engine's move. A client sends one and waits.
const MOST_PINGS: usize = 64;

#[derive(Clone, PartialEq, Eq, Debug)]
enum SearchPurpose {
    /// Find a move to play.
    Think,
    /// Search on the opponent's time, after this move.
    Ponder(String),
    Analyze,
    Hint,
    /// None: the search is stopped and its result is not used.
    Abandoned,
}

/// The Chess Engine Communication Protocol.
pub(super) struct Cecp<W> {
    handler: Handler<W>,
    /// The side that the engine plays; `None` in force mode.
    own_side: Option<Side>,
    is_analyzing: bool,
    /// Whether the last position was refused.
    is_refused: bool,
    ponders: bool,
    posts: bool,
    clock: CecpClock,
    /// The purposes of the searches that have not ended, in their order.
    purposes: VecDeque<SearchPurpose>,
    /// The numbers of the pings that are answered after the next move.
    pings: Vec<String>,
    /// The last line of the running search.
    last_info: Option<Info>,
    /// The root move being searched, and its number.
    current: Option<(String, usize)>,
    /// The best move in the position after so many plies.
    suggestion: Option<(usize, String)>,
    is_closed: bool,
}

impl<W: Write> Cecp<W> {
    pub(super) fn new(handler: Handler<W>) -> Result<Self, EngineError> {
        let handler = handler
            .with_lines(|text| format!("Error ({text}): option"), |text| format!("# {text}"));
        let mut cecp = Self {
            handler,
            own_side: None,
            is_analyzing: false,
            is_refused: false,
            ponders: false,
            posts: false,
            clock: CecpClock::new(),
            purposes: VecDeque::new(),
            pings: Vec::new(),
            last_info: None,
            current: None,
            suggestion: None,
            is_closed: false,
        };
        cecp.set_start()?;
        Ok(cecp)
    }

    fn print(&self, text: &str) -> io::Result<()> {
        self.handler.output.write_line(text)
    }

    fn execute(&mut self, line: &CecpLine) -> Result<(), CecpFailure> {
        match line.command {
            "" | "xboard" | "accepted" | "rejected" | "random" | "computer" | "name" | "rating"
            | "ics" | "draw" | "bk" | "white" | "black" => {}
            "protover" => self.print(&cecp_reply::features(&self.handler.access))?,
            "new" => self.start_game()?,
            "variant" => self.set_variant(line.text("expected a variant")?)?,
            "setboard" => self.set_board(line.text("expected a position")?)?,
            "usermove" => self.play(line.text("expected a move")?)?,
            "force" | "result" => {
                self.own_side = None;
                self.abandon()?;
            }
            "go" => {
                self.take_side(self.side())?;
                self.think()?;
            }
            "playother" => self.take_side(!self.side())?,
            "level" => self.clock.set_time_control(line.time_control()?),
            "st" => self.clock.movetime = Some(line.seconds()?),
            "sd" => self.clock.depth = Some(line.depth()?),
            "time" => self.clock.set_own_time(line.centiseconds()?),
            "otim" => self.clock.set_opponent_time(line.centiseconds()?),
            "?" => {
                if self.is_thinking() {
                    self.handler.engine.stop();
                }
            }
            "ping" => self.ping(shorten(&one_line(line.text("expected a number")?)))?,
            "hint" => self.hint()?,
            "undo" => self.take_back(1)?,
            "remove" => self.take_back(2)?,
            "analyze" => {
                self.own_side = None;
                self.set_analyzing(true)?;
                self.abandon()?;
                self.analyze_on()?;
            }
            "." => self.print_status()?,
            "exit" => {
                self.set_analyzing(false)?;
                self.abandon()?;
            }
            "post" | "nopost" => self.posts = line.command == "post",
            "hard" => self.ponders = true,
            "easy" => {
                self.ponders = false;
                if matches!(self.purposes.back(), Some(SearchPurpose::Ponder(_))) {
                    self.abandon()?;
                }
            }
            "memory" => self.set_option(HASH, Some(line.text("expected a whole number")?))?,
            "cores" => self.set_option(THREADS, Some(line.text("expected a whole number")?))?,
            "option" => {
                let text = line.text("expected NAME=VALUE")?;
                let (name, value) = text.split_once('=').unzip();
                self.set_option(name.unwrap_or(text).trim(), value.map(str::trim))?;
            }
            _ => return Err(CecpFailure::reason("unknown command")),
        }
        Ok(())
    }

    /// Answers a ping, during a search for a move only after it.
    fn ping(&mut self, number: String) -> Result<(), CecpFailure> {
        if !self.is_thinking() {
            return Ok(self.print(&format!("pong {number}"))?);
        }
        if self.pings.len() >= MOST_PINGS {
            return Err(CecpFailure::Reason(format!("{MOST_PINGS} pings wait for the move")));
        }
        self.pings.push(number);
        Ok(())
    }

    fn take_back(&mut self, plies: usize) -> Result<(), CecpFailure> {
        self.abandon()?;
        self.suggestion = None;
        let done = self.handler.engine.take_back(plies);
        self.analyze_on()?;
        Ok(done?)
    }

    fn side(&self) -> Side {
        self.handler.engine.session().side()
    }

    /// Whether no search is running whose result is used.
    fn is_idle(&self) -> bool {
        self.purposes.iter().all(|purpose| *purpose == SearchPurpose::Abandoned)
    }

    fn is_thinking(&self) -> bool {
        self.purposes.contains(&SearchPurpose::Think)
    }

    fn take_side(&mut self, side: Side) -> Result<(), CecpFailure> {
        self.set_analyzing(false)?;
        self.abandon()?;
        self.own_side = Some(side);
        Ok(())
    }

    fn set_analyzing(&mut self, is_analyzing: bool) -> Result<(), CecpFailure> {
        self.is_analyzing = is_analyzing;
        let value = is_analyzing.to_string();
        Ok(self.handler.engine.set_option(ANALYSE_MODE, Some(&value))?)
    }

    /// Stops all searches. Their results are not used.
    fn abandon(&mut self) -> Result<(), CecpFailure> {
        for purpose in &mut self.purposes {
            *purpose = SearchPurpose::Abandoned;
        }
        self.handler.engine.stop();
        (self.last_info, self.current) = (None, None);
        Ok(self.answer_pings()?)
    }

    fn answer_pings(&mut self) -> io::Result<()> {
        for number in std::mem::take(&mut self.pings) {
            self.print(&format!("pong {number}"))?;
        }
        Ok(())
    }

    fn start_game(&mut self) -> Result<(), CecpFailure> {
        self.set_analyzing(false)?;
        self.abandon()?;
        self.handler.engine.set_option(VARIANT, default_variant().map(|v| v.name))?;
        self.handler.engine.new_game()?;
        self.clock.reset();
        self.own_side = Some(Side::Black);
        Ok(self.set_start()?)
    }

    /// Sets the start position. In this protocol White moves first.
    fn set_start(&mut self) -> Result<(), EngineError> {
        let setup = start(self.handler.engine.variant());
        self.handler.engine.set_position(Some(&setup), &[])?;
        (self.is_refused, self.suggestion) = (false, None);
        Ok(())
    }

    fn set_variant(&mut self, name: &str) -> Result<(), CecpFailure> {
        let named = |variant: &&Variant| variant.name == name;
        let fairy = || default_variant().filter(|_| name == FAIRY);
        let Some(variant) = variants().find(named).or_else(fairy) else {
            return Err(CecpFailure::reason("unsupported variant"));
        };
        self.abandon()?;
        self.handler.engine.set_option(VARIANT, Some(variant.name))?;
        self.set_start()?;
        Ok(self.print(&cecp_reply::setup(variant))?)
    }

    fn set_board(&mut self, setup: &str) -> Result<(), CecpFailure> {
        self.abandon()?;
        let done = self.handler.engine.set_position(Some(setup), &[]);
        (self.is_refused, self.suggestion) = (done.is_err(), None);
        if let Err(error) = done {
            let reason = error.to_string();
            return Err(CecpFailure::Line(format!(
                "tellusererror Illegal position: {}",
                one_line(&reason)
            )));
        }
        self.analyze_on()
    }

    /// Plays a move of the opponent, or of any side in force mode.
    fn play(&mut self, text: &str) -> Result<(), CecpFailure> {
        let illegal = |reason: &str| {
            let text = shorten(text);
            CecpFailure::Line(format!("Illegal move ({}): {}", one_line(reason), one_line(&text)))
        };
        if self.is_refused {
            return Err(illegal("there is no position"));
        }
        if self.own_side == Some(self.side()) {
            return Err(illegal("it is the engine's turn"));
        }
        let [pass, own_pass] = PASS;
        let mv = if text == pass { own_pass } else { text };
        self.handler.engine.play(mv).map_err(|error| match error {
            EngineError::Move { why, .. } => illegal(&why.to_string()),
            error => error.into(),
        })?;
        let is_over = self.handler.engine.session().outcome().is_some();
        let expected = match self.purposes.back() {
            Some(SearchPurpose::Ponder(mv)) if !is_over => Some(mv.clone()),
            _ => None,
        };
        let played = self.handler.engine.session().last_move().map(|played| played.mv.coordinate);
        if expected.is_some() && expected == played {
            if let Some(purpose) = self.purposes.back_mut() {
                *purpose = SearchPurpose::Think;
            }
            self.clock.start();
            self.handler.engine.ponder_hit();
            return Ok(());
        }
        self.abandon()?;
        if self.own_side.is_some() { self.think() } else { self.analyze_on() }
    }

    /// Starts a search for a move, or prints the result of a finished game.
    fn think(&mut self) -> Result<(), CecpFailure> {
        if self.is_refused {
            return Err(CecpFailure::reason("there is no position"));
        }
        if self.print_result()? {
            return Ok(());
        }
        self.clock.start();
        let limits = self.clock.limits(self.own_side, self.handler.engine.session().plies() / 2);
        self.search(SearchPurpose::Think, limits)
    }

    fn search(&mut self, purpose: SearchPurpose, limits: Limits) -> Result<(), CecpFailure> {
        self.handler.engine.search(limits, &[])?;
        self.purposes.push_back(purpose);
        (self.last_info, self.current) = (None, None);
        Ok(())
    }

    /// Analyses the position if the client asked for analysis.
    fn analyze_on(&mut self) -> Result<(), CecpFailure> {
        if !self.is_analyzing || self.is_refused {
            return Ok(());
        }
        self.search(SearchPurpose::Analyze, Limits { infinite: true, ..Limits::default() })
    }

    /// Searches the position after the expected reply.
    fn ponder(&mut self, reply: String) -> Result<(), CecpFailure> {
        self.handler.engine.play(&reply)?;
        let own_moves = self.handler.engine.session().plies() / 2;
        let limits = Limits { ponder: true, ..self.clock.limits(self.own_side, own_moves) };
        let done = self.search(SearchPurpose::Ponder(reply), limits);
        self.handler.engine.take_back(1)?;
        done
    }

    fn hint(&mut self) -> Result<(), CecpFailure> {
        let plies = self.handler.engine.session().plies();
        match &self.suggestion {
            Some((at, mv)) if *at == plies => Ok(self.print(&format!("Hint: {}", written(mv)))?),
            _ if self.is_idle() && !self.is_refused => {
                let movetime = Some(HINT_TIME);
                self.search(SearchPurpose::Hint, Limits { movetime, ..Limits::default() })
            }
            _ => Ok(()),
        }
    }

    fn print_result(&self) -> io::Result<bool> {
        let Some(outcome) = self.handler.engine.session().outcome() else { return Ok(false) };
        let result = match outcome.winner {
            Some(Side::Black) => "0-1",
            Some(Side::White) => "1-0",
            None => "1/2-1/2",
        };
        self.print(&format!("{result} {{{outcome}}}"))?;
        Ok(true)
    }

    fn print_status(&self) -> io::Result<()> {
        if !self.is_analyzing {
            return Ok(());
        }
        let Some(info) = &self.last_info else { return Ok(()) };
        let moves = self.handler.engine.session().legal_moves().len();
        let (mv, number) = self.current.as_ref().map_or(("", 1), |(mv, number)| (mv, *number));
        let (time, left) = (info.time.as_millis() / 10, moves.saturating_sub(number));
        let (nodes, depth) = (info.nodes, info.depth);
        let text = format!("stat01: {time} {nodes} {depth} {left} {moves} {}", written(mv));
        self.print(text.trim_end())
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), CecpFailure> {
        let option = cecp_reply::option(name);
        let option = option.ok_or_else(|| CecpFailure::reason("unknown option"))?;
        let value = match (option.kind, value) {
            (OptionKind::Check, Some("0")) => Some("false"),
            (OptionKind::Check, Some("1")) => Some("true"),
            (_, value) => value,
        };
        if let Some(lines) = self.handler.set_option(option.name, value)? {
            self.print(&lines)?;
        }
        Ok(())
    }

    /// Reacts to the end of a search.
    fn finish(
        &mut self,
        purpose: SearchPurpose,
        best: Option<String>,
        reply: Option<String>,
    ) -> Result<(), CecpFailure> {
        let plies = self.handler.engine.session().plies();
        match (purpose, best) {
            (SearchPurpose::Think, Some(best)) => {
                self.handler.engine.play(&best)?;
                self.last_info = None;
                self.clock.stop((plies + 1).div_ceil(2));
                self.suggestion = reply.clone().map(|reply| (plies + 1, reply));
                self.print(&format!("move {}", written(&best)))?;
                let is_over = self.print_result()?;
                self.answer_pings()?;
                if let Some(reply) = reply.filter(|_| self.ponders && !is_over && !self.is_closed) {
                    self.ponder(reply)?;
                }
            }
            (SearchPurpose::Think, None) => {
                self.print_result()?;
                self.answer_pings()?;
            }
            (SearchPurpose::Hint, Some(best)) => {
                self.print(&format!("Hint: {}", written(&best)))?;
                self.suggestion = Some((plies, best));
            }
            _ => {}
        }
        Ok(())
    }

    /// Prints why the command `line` failed, if it did.
    fn report(&self, result: Result<(), CecpFailure>, line: &str) -> io::Result<()> {
        match result {
            Ok(()) => Ok(()),
            Err(failure) => self.print(&failure.reply(line)?),
        }
    }
}

impl<W: Write + Send> Dialect for Cecp<W> {
    fn answer(&mut self, line: &str) -> io::Result<Next> {
        let command = CecpLine::new(line);
        if command.command == "quit" {
            return Ok(Next::Quit);
        }
        let done = self.execute(&command);
        self.report(done, line)?;
        Ok(Next::Continue)
    }

    fn refuse_too_long(&mut self, error: TooLong) -> io::Result<()> {
        // The position of a line that was not read is not known.
        self.is_refused |= matches!(error.first_word.as_str(), "setboard" | "usermove");
        self.report(Err(CecpFailure::Reason(error.to_string())), &error.first_word)
    }

    fn react(&mut self, event: Event) -> io::Result<()> {
        let is_used =
            self.purposes.front().is_some_and(|purpose| *purpose != SearchPurpose::Abandoned);
        match event {
            Event::Info(info) if is_used => {
                if self.posts && self.purposes.front() != Some(&SearchPurpose::Hint) {
                    self.print(&thinking(&info))?;
                }
                if self.purposes.front() == Some(&SearchPurpose::Analyze)
                    && let Some(best) = info.pv.first().filter(|_| info.multipv == 1)
                {
                    self.suggestion = Some((self.handler.engine.session().plies(), best.clone()));
                }
                self.last_info = Some(info);
            }
            Event::Current { mv, number, .. } if is_used => self.current = Some((mv, number)),
            Event::Best { best, ponder } => {
                let purpose = self.purposes.pop_front().unwrap_or(SearchPurpose::Abandoned);
                let done = self.finish(purpose, best, ponder);
                self.report(done, "go")?;
            }
            _ => {}
        }
        Ok(())
    }

    fn engine(&mut self) -> &mut Engine {
        &mut self.handler.engine
    }

    fn close(&mut self) {
        self.is_closed = true;
        self.handler.engine.close();
    }

    fn into_engine(self: Box<Self>) -> Engine {
        self.handler.engine
    }
}
