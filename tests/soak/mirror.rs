//! What the program must know and answer at once, by the library.

use soucie::engine;
use soucie::engine::session::GameSession;
use soucie::engine::{LONGEST_MATE, Limits};
use soucie::nnue;
use soucie::options::Options;
use soucie::protocol::analyse::AnalysisJob;
use soucie::protocol::command::{self, Command, Purpose};
use soucie::protocol::{export, genfens, import, json, reply};

/// The longest line that is read, in bytes.
pub const LONGEST_LINE: usize = 1 << 20;

/// A line that is due.
#[derive(PartialEq, Eq, Debug)]
pub enum Due {
    /// This one.
    Line(String),
    /// An error, whatever it says.
    Error,
    /// The error by which commands about a position are refused while there is none.
    NoPosition,
}

/// What a command sets going.
pub enum Order {
    Search(Box<Search>),
    Perft(Box<dyn GameSession>),
    Bench,
    /// The analysis of a game of so many plies.
    Analysis(usize),
    Stop,
    PonderHit,
    /// A search or an analysis that is refused, which has this empty answer in its turn.
    Refused(&'static str),
}

/// A search that was asked for.
pub struct Search {
    /// What to search.
    pub session: Box<dyn GameSession>,
    /// What it may use.
    pub limits: Limits,
    /// The only moves to look at, if any.
    pub moves: Vec<String>,
    /// The options.
    pub options: Options,
    /// Whether the opponent is still thinking.
    pub pondering: bool,
    /// Whether it must end.
    pub stopped: bool,
}

/// The state of the program between two commands.
pub struct Mirror {
    pub options: Options,
    pub session: Box<dyn GameSession>,
    /// Whether the last position was refused, and nothing has set one since.
    pub is_refused: bool,
}

impl Default for Mirror {
    fn default() -> Self {
        let options = Options::default();
        Self { session: engine::open(&options).unwrap(), options, is_refused: false }
    }
}

impl Mirror {
    /// Does what a line says; tells the lines that are due at once, and what it sets going.
    pub fn hear(&mut self, line: &[u8]) -> (Vec<Due>, Option<Order>) {
        let text = String::from_utf8_lossy(line);
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let is_too_long = line.len() > LONGEST_LINE;
        // Of a line that is too long the first word is known.
        let known = if is_too_long { text.split_whitespace().next() } else { Some(text) };
        let purpose = command::purpose(known.unwrap_or_default());
        let read = if is_too_long { None } else { command::read(text).ok() };
        let Some(command) = read else { return self.refuse(purpose, Due::Error) };
        if self.is_refused && asks_about_the_position(&command) {
            return self.refuse(purpose, Due::NoPosition);
        }
        // A win that is too long to look for is told before anything else.
        let limits = if let Command::Go { limits, .. } = &command { Some(limits) } else { None };
        let mate = limits.and_then(|limits| limits.mate).filter(|&moves| moves > LONGEST_MATE);
        let notice = mate.map(|moves| Due::Line(reply::shorter_mate(moves)));
        let answer = self.obey(command).unwrap_or_else(|| self.refuse(purpose, Due::Error));
        (notice.into_iter().chain(answer.0).collect(), answer.1)
    }

    /// What is due where a command is refused.
    fn refuse(&mut self, purpose: Purpose, error: Due) -> (Vec<Due>, Option<Order>) {
        match purpose {
            Purpose::Position => self.is_refused = true,
            Purpose::Search(empty) => return (vec![error], Some(Order::Refused(empty))),
            Purpose::Print(empty) => return (vec![error, Due::Line(empty.into())], None),
            Purpose::Other => {}
        }
        (vec![error], None)
    }

    /// None if the command cannot be carried out.
    fn obey(&mut self, command: Command) -> Option<(Vec<Due>, Option<Order>)> {
        let mut text = String::new();
        let mut order = None;
        match command {
            Command::Empty | Command::Quit => {}
            Command::NewGame => {
                if std::mem::take(&mut self.is_refused) {
                    self.session.set_position(None, &[]).ok()?;
                }
            }
            Command::Help => text = reply::HELP.into(),
            Command::Uci => text = reply::identity("uciok", |_| true),
            Command::IsReady => text = "readyok".into(),
            Command::Display => text = reply::view(&self.session.view()),
            Command::Eval => text = reply::evaluation(&self.session.evaluation()),
            Command::Moves(word) => text = reply::moves(word, &self.session.view()),
            Command::Variants => text = json::variants().ok()?,
            Command::Import(request) => {
                text = json::import(&import::import(&request, &self.options).ok()?).ok()?;
            }
            Command::Export(request) => {
                let record = export::export(&request, &*self.session, &self.options).ok()?;
                text = json::export(&record).ok()?;
            }
            Command::State => text = json::state(&self.session.game_view()).ok()?,
            Command::SetOption { name, value } => {
                self.set(&name, value.as_deref())?;
                if name.eq_ignore_ascii_case("UCI_Variant") {
                    self.is_refused = false;
                    text = reply::variant(self.session.variant()).unwrap_or_default();
                }
            }
            Command::Position { setup, moves } => {
                let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
                self.session.set_position(setup.as_deref(), &moves).ok()?;
                self.is_refused = false;
            }
            Command::Go { limits, moves } => order = Some(self.search(limits, moves)?),
            Command::Perft(_) => order = Some(Order::Perft(self.copy())),
            Command::Bench(_) => order = Some(Order::Bench),
            Command::GenFens(request) => {
                genfens::generate(&request, &*self.session, |setup| {
                    text += &(reply::opening(setup) + "\n");
                    Ok::<_, genfens::OpeningError>(())
                })
                .ok()?;
            }
            Command::Analyse(request) => {
                AnalysisJob::new(request, &*self.session, &self.options).ok()?;
                order = Some(Order::Analysis(self.session.moves().len()));
            }
            Command::Stop => order = Some(Order::Stop),
            Command::PonderHit => order = Some(Order::PonderHit),
        }
        Some((text.lines().map(|line| Due::Line(line.into())).collect(), order))
    }

    fn set(&mut self, name: &str, value: Option<&str>) -> Option<()> {
        let mut next = self.options.clone();
        next.set(name, value).ok()?;
        // There are no tables in any folder that a dialogue names, and no network or book in any file.
        if [&next.table_path, &next.eval_file, &next.book_file].iter().any(|path| !path.is_empty())
        {
            return None;
        }
        if name.eq_ignore_ascii_case("UCI_Variant") {
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

    fn search(&self, limits: Limits, moves: Vec<String>) -> Option<Order> {
        let is_over = self.session.view().outcome.is_some();
        if !is_over && moves.iter().any(|mv| self.session.with_moves(&[mv]).is_err()) {
            return None;
        }
        Some(Order::Search(Box::new(Search {
            session: self.copy(),
            pondering: limits.ponder,
            limits,
            moves,
            options: self.options.clone(),
            stopped: false,
        })))
    }

    /// The game as it stands.
    pub fn copy(&self) -> Box<dyn GameSession> {
        self.session.with_moves(&[]).unwrap()
    }
}

/// Whether a command has no answer where there is no position.
fn asks_about_the_position(command: &Command) -> bool {
    match command {
        Command::Go { .. }
        | Command::Perft(_)
        | Command::Display
        | Command::Eval
        | Command::Moves(_)
        | Command::State
        | Command::Export(_)
        | Command::Analyse(_) => true,
        Command::Empty
        | Command::Uci
        | Command::IsReady
        | Command::NewGame
        | Command::SetOption { .. }
        | Command::Position { .. }
        | Command::Bench(_)
        | Command::GenFens(_)
        | Command::Stop
        | Command::PonderHit
        | Command::Variants
        | Command::Import(_)
        | Command::Help
        | Command::Quit => false,
    }
}

impl Search {
    /// Whether only `stop` or `ponderhit` may end it.
    pub fn must_go_on(&self) -> bool {
        !self.stopped && (self.limits.is_endless() || self.pondering)
    }

    /// Whether the next search ends it.
    pub fn gives_way(&self) -> bool {
        self.limits.is_endless() || self.pondering
    }
}
