//! A model of the engine: the replies that are due at once, predicted with the library.

use soucie::engine;
use soucie::engine::session::GameSession;
use soucie::engine::{LONGEST_MATE, Limits};
use soucie::nnue;
use soucie::options::{Options, VARIANT};
use soucie::protocol::analyse::AnalysisJob;
use soucie::protocol::command::{self, Purpose, UciCommand};
use soucie::protocol::{export, import, json, reply};
use soucie::records::setups::SetupMoves;

/// The length of the longest line that the engine reads, in bytes.
pub const MAX_LINE: usize = 1 << 20;

/// A line that the engine must print.
#[derive(PartialEq, Eq, Debug)]
pub enum ExpectedLine {
    /// Exactly this line.
    Line(String),
    /// Any error.
    Error,
    /// The error for a command that needs a position while there is none.
    NoPosition,
}

/// The effect of a command on the search thread.
pub enum SearchCommand {
    Search(Box<Search>),
    Perft(Box<dyn GameSession>),
    Bench,
    /// The analysis of a game with this number of plies.
    Analysis(usize),
    Stop,
    PonderHit,
    /// A rejected search or analysis. This empty result is printed in its turn.
    Rejected(&'static str),
}

/// A requested search.
pub struct Search {
    /// The game with the root position.
    pub session: Box<dyn GameSession>,
    /// The limits.
    pub limits: Limits,
    /// The root moves; empty for all legal moves.
    pub moves: Vec<String>,
    /// The options.
    pub options: Options,
    /// Whether the search is pondering.
    pub pondering: bool,
    /// Whether the search has been stopped.
    pub stopped: bool,
}

/// The state of the engine between two commands.
pub struct EngineModel {
    pub options: Options,
    pub session: Box<dyn GameSession>,
    /// Whether the last position was rejected and none has been set since.
    pub is_rejected: bool,
}

impl Default for EngineModel {
    fn default() -> Self {
        let options = Options::default();
        Self { session: engine::open(&options).unwrap(), options, is_rejected: false }
    }
}

impl EngineModel {
    /// Executes a line of input. Returns the lines that are due at once and the effect on the
    /// search thread.
    pub fn execute_line(&mut self, line: &[u8]) -> (Vec<ExpectedLine>, Option<SearchCommand>) {
        let text = String::from_utf8_lossy(line);
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let is_too_long = line.len() > MAX_LINE;
        // Only the first word of a line that is too long matters.
        let known = if is_too_long { text.split_whitespace().next() } else { Some(text) };
        let purpose = command::purpose(known.unwrap_or_default());
        let read = if is_too_long { None } else { command::read(text).ok() };
        let Some(command) = read else { return self.reject(purpose, ExpectedLine::Error) };
        if self.is_rejected && needs_position(&command) {
            return self.reject(purpose, ExpectedLine::NoPosition);
        }
        // The notice about a mate limit that is too large comes first.
        let limits = if let UciCommand::Go { limits, .. } = &command { Some(limits) } else { None };
        let mate = limits.and_then(|limits| limits.mate).filter(|&moves| moves > LONGEST_MATE);
        let notice = mate.map(|moves| ExpectedLine::Line(reply::shorter_mate(moves)));
        let (lines, effect) =
            self.execute(command).unwrap_or_else(|| self.reject(purpose, ExpectedLine::Error));
        (notice.into_iter().chain(lines).collect(), effect)
    }

    /// The result of a rejected command.
    fn reject(
        &mut self,
        purpose: Purpose,
        error: ExpectedLine,
    ) -> (Vec<ExpectedLine>, Option<SearchCommand>) {
        match purpose {
            Purpose::Position => self.is_rejected = true,
            Purpose::Search(empty) => return (vec![error], Some(SearchCommand::Rejected(empty))),
            Purpose::Print(empty) => return (vec![error, ExpectedLine::Line(empty.into())], None),
            Purpose::Other => {}
        }
        (vec![error], None)
    }

    /// Executes a command. `None` if it is rejected.
    fn execute(
        &mut self,
        command: UciCommand,
    ) -> Option<(Vec<ExpectedLine>, Option<SearchCommand>)> {
        let mut text = String::new();
        let mut effect = None;
        match command {
            UciCommand::Empty | UciCommand::Quit => {}
            UciCommand::NewGame => {
                if std::mem::take(&mut self.is_rejected) {
                    self.session.set_position(None, &[]).ok()?;
                }
            }
            UciCommand::Help => text = reply::HELP.into(),
            UciCommand::Uci => text = reply::identity("uciok", |_| true),
            UciCommand::IsReady => text = "readyok".into(),
            UciCommand::Display => text = reply::board(&*self.session),
            UciCommand::Eval => text = reply::evaluation(&self.session.evaluation()),
            UciCommand::Moves(word) => text = reply::moves(word, &*self.session),
            UciCommand::Variants => text = json::variants().ok()?,
            UciCommand::Import(request) => {
                text = json::line("import", &import::import(&request, &self.options).ok()?).ok()?;
            }
            UciCommand::Export(request) => {
                let record = export::export(&request, &*self.session, &self.options).ok()?;
                text = json::export(&record).ok()?;
            }
            UciCommand::Check(mv) => text = json::check(&self.session.check_move(&mv)).ok()?,
            UciCommand::State => text = json::state(&*self.session).ok()?,
            UciCommand::SetOption { name, value } => {
                self.set(&name, value.as_deref())?;
                if name.eq_ignore_ascii_case(VARIANT) {
                    self.is_rejected = false;
                    text = reply::variant(self.session.variant()).unwrap_or_default();
                }
            }
            UciCommand::Position(SetupMoves { setup, moves }) => {
                let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
                self.session.set_position(setup.as_deref(), &moves).ok()?;
                self.is_rejected = false;
            }
            UciCommand::Go { limits, moves } => effect = Some(self.search(limits, moves)?),
            UciCommand::Perft(_) => effect = Some(SearchCommand::Perft(self.copy())),
            UciCommand::Bench(_) => effect = Some(SearchCommand::Bench),
            UciCommand::Analyse(request) => {
                AnalysisJob::new(request, &*self.session, &self.options).ok()?;
                effect = Some(SearchCommand::Analysis(self.session.plies()));
            }
            UciCommand::Stop => effect = Some(SearchCommand::Stop),
            UciCommand::PonderHit => effect = Some(SearchCommand::PonderHit),
        }
        Some((text.lines().map(|line| ExpectedLine::Line(line.into())).collect(), effect))
    }

    fn set(&mut self, name: &str, value: Option<&str>) -> Option<()> {
        let mut next = self.options.clone();
        next.set(name, value).ok()?;
        // No path in a dialogue leads to tables, a network or a book.
        if [&next.table_path, &next.eval_file, &next.book_file].iter().any(|path| !path.is_empty())
        {
            return None;
        }
        if name.eq_ignore_ascii_case(VARIANT) {
            self.session = engine::open(&next).ok()?;
        } else if !next.same_rules(&self.options) {
            self.session.set_rules(&|rule| next.rule(rule));
        }
        let network = nnue::built_in(self.session.game());
        self.session.set_network(network.filter(|_| !next.handcrafted));
        self.session.set_format(next.move_format);
        self.options = next;
        Some(())
    }

    fn search(&self, limits: Limits, moves: Vec<String>) -> Option<SearchCommand> {
        let is_over = self.session.outcome().is_some();
        if !is_over && moves.iter().any(|mv| self.session.with_moves(&[mv]).is_err()) {
            return None;
        }
        Some(SearchCommand::Search(Box::new(Search {
            session: self.copy(),
            pondering: limits.ponder,
            limits,
            moves,
            options: self.options.clone(),
            stopped: false,
        })))
    }

    /// A copy of the game.
    pub fn copy(&self) -> Box<dyn GameSession> {
        self.session.with_moves(&[]).unwrap()
    }
}

/// Whether a command is rejected if there is no position.
fn needs_position(command: &UciCommand) -> bool {
    match command {
        UciCommand::Go { .. }
        | UciCommand::Perft(_)
        | UciCommand::Display
        | UciCommand::Eval
        | UciCommand::Moves(_)
        | UciCommand::Check(_)
        | UciCommand::State
        | UciCommand::Export(_)
        | UciCommand::Analyse(_) => true,
        UciCommand::Empty
        | UciCommand::Uci
        | UciCommand::IsReady
        | UciCommand::NewGame
        | UciCommand::SetOption { .. }
        | UciCommand::Position(_)
        | UciCommand::Bench(_)
        | UciCommand::Stop
        | UciCommand::PonderHit
        | UciCommand::Variants
        | UciCommand::Import(_)
        | UciCommand::Help
        | UciCommand::Quit => false,
    }
}

impl Search {
    /// Whether only `stop` or `ponderhit` may end the search.
    pub fn must_continue(&self) -> bool {
        !self.stopped && (self.limits.is_endless() || self.pondering)
    }

    /// Whether the next search ends this one.
    pub fn ends_at_next_search(&self) -> bool {
        self.limits.is_endless() || self.pondering
    }
}
