//! The console: a line-based interface for players at a terminal and for scripts in a classroom.
//!
//! Lines are processed one after the other. The engine plays its moves before the next line is
//! read, so a script gets the same output whether it waits for the output or not. Scripts can
//! search for three markers, which occur nowhere else: `>` ends a prompt, `*` begins a move of the
//! engine or a result, and `===` encloses a board.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod board;
pub mod command;
mod open;
mod save;
pub mod settings;

use std::error::Error;
use std::io::{self, BufRead, Write};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use thiserror::Error;

use crate::engine::event::{Disconnected, Event};
use crate::engine::session::{Board, Piece, PositionView};
use crate::engine::{Engine, EngineError, Limits, Side};
use crate::files::lines::{TooLong, next_line};
use crate::files::printable::one_line;
use command::{Command, CommandError, HELP};
pub use open::open;
use save::{SaveError, Saved};
use settings::ConsoleSettings;

/// The default maximum number of moves of each side.
const MOVE_LIMIT: u64 = 60;

/// The node limit of the engine's moves when a seed is set. A time limit would make the moves
/// depend on the machine and its load.
const SEEDED_NODES: u64 = 100_000;

/// The maximum length of an input line, in bytes.
const LONGEST_LINE: usize = 1 << 16;

/// The number of moves per line in the output of `moves`.
const MOVES_A_LINE: usize = 12;

/// The number of plies that `undo` takes back.
const UNDONE: usize = 2;

/// The first line of output at a terminal.
const GREETING: &str = "\
You play Black, the engine White. Type board on to see the board, help for all commands.";

/// The notation of a pass.
const PASS: &str = "0000";

/// Why a line is rejected.
#[derive(Debug, Error)]
enum ConsoleError {
    #[error(transparent)]
    Command(#[from] CommandError),
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error("illegal move {text}: {why}")]
    Move { text: String, why: Box<dyn Error + Send + Sync> },
    #[error("the game is over; 'new' starts another")]
    Over,
    #[error("the board is not a legal position: {0}; set other squares or enter new")]
    Board(Box<dyn Error + Send + Sync>),
    #[error(transparent)]
    Save(#[from] SaveError),
    #[error("limit: expected more than {0}, the moves that each side has made")]
    Limit(u64),
    #[error(transparent)]
    TooLong(#[from] TooLong),
}

/// The input and output streams of the console.
pub struct Ends<R, W, E> {
    /// The commands.
    pub input: R,
    /// Prompts, moves, results and boards.
    pub output: W,
    /// Error messages.
    pub errors: E,
    /// The log, if any: the commands, and after `#` the other events of the game.
    pub log: Option<Box<dyn Write>>,
    /// Whether the typed input appears in the output, as at a terminal.
    pub echoed: bool,
}

/// Runs the console until the end of input, `quit`, or until the output is closed. Returns false if
/// an error ended it in strict mode.
pub fn run<R, W, E>(settings: &ConsoleSettings, mut ends: Ends<R, W, E>) -> io::Result<bool>
where
    R: BufRead,
    W: Write,
    E: Write,
{
    let mut console = Console::new(settings, ends.output, ends.log).map_err(io::Error::other)?;
    let variant = console.variant;
    console.note(&format!("# soucie console: {variant}"))?;
    for warning in console.engine.take_warnings() {
        let _ = writeln!(ends.errors, "error: {warning}");
    }
    if ends.echoed {
        console.say(GREETING)?;
    }
    loop {
        if let Err(complaint) = console.play_on()? {
            report(&mut ends.errors, &complaint);
            if settings.strict {
                return Ok(false);
            }
        }
        console.prompt()?;
        let line = next_line(&mut ends.input, LONGEST_LINE)?;
        // Without a terminal the input does not end the line of the prompt.
        if !ends.echoed || line.is_none() {
            console.say("")?;
        }
        let Some(line) = line else { return Ok(true) };
        let result = match line {
            Ok(line) => {
                let line = String::from_utf8_lossy(&line);
                let command = command::read(&line);
                if command != Ok(Command::Nothing) {
                    if matches!(command, Ok(Command::Move(_))) {
                        // An error is reported when the move is played.
                        let _ = console.settle();
                    }
                    console.note_position()?;
                    console.note(line.trim())?;
                }
                if command == Ok(Command::Quit) {
                    return Ok(true);
                }
                match command {
                    Ok(command) => console.obey(command)?,
                    Err(error) => Err(error.into()),
                }
            }
            Err(too_long) => Err(too_long.into()),
        };
        if let Err(complaint) = result {
            console.note(&format!("# refused: {complaint}"))?;
            report(&mut ends.errors, &complaint);
            if settings.strict {
                return Ok(false);
            }
        }
    }
}

/// Writes an error line. Failures are ignored: standard error may be closed.
fn report(errors: &mut impl Write, complaint: &ConsoleError) {
    let complaint = complaint.to_string();
    let _ = writeln!(errors, "error: {}", one_line(&complaint)).and_then(|()| errors.flush());
}

/// The end of a game: the winner, if any, and the reason.
type End = (Option<Side>, &'static str);

/// A board edited square by square. It need not be a legal position.
struct Draft {
    squares: Board,
    next: Side,
    /// Whether the board was rejected as a position.
    is_refused: bool,
}

struct Console<W> {
    engine: Engine,
    /// The name of the variant.
    variant: &'static str,
    log: Option<Box<dyn Write>>,
    /// Whether the position was edited and is not in the log yet.
    is_set: bool,
    /// Receives the best moves of the engine.
    found: Receiver<Option<String>>,
    output: W,
    /// The time per move when no seed is set.
    movetime: Duration,
    /// The sides played by the engine.
    automatic: Vec<Side>,
    seed: Option<u64>,
    limit: u64,
    /// The end of the game, once it is announced.
    announced: Option<End>,
    /// The edited board, until it becomes the position.
    draft: Option<Draft>,
    /// Whether to show the board before every typed move.
    shows_board: bool,
    /// The board shown last, with the side to move and the ply count.
    shown: Option<(Board, Side, usize)>,
    saved: Saved,
}

impl<W: Write> Console<W> {
    fn new(
        settings: &ConsoleSettings,
        output: W,
        log: Option<Box<dyn Write>>,
    ) -> Result<Self, EngineError> {
        let (sender, found) = channel();
        let mut engine = Engine::new(move |event| match event {
            Event::Best { best, .. } => sender.send(best).map_err(|_| Disconnected),
            _ => Ok(()),
        })?;
        engine.set_option("UCI_Variant", Some(&settings.variant))?;
        engine.set_option("Move Format", Some("standard"))?;
        engine.set_option("Move Limit", Some(&MOVE_LIMIT.to_string()))?;
        // The move limit ends every game; the console has no draw by repetition.
        engine.set_option("Repetition Draw", Some("0"))?;
        if let Some(folder) = &settings.tables {
            engine.set_option("TablePath", Some(&folder.to_string_lossy()))?;
            if let Some(unusable) = engine.take_warnings().into_iter().next() {
                return Err(EngineError::Tables(unusable));
            }
        }
        engine.set_level(settings.level, settings.elo)?;
        engine.vary(None);
        Ok(Self {
            variant: engine.options().variant,
            log,
            is_set: false,
            engine,
            found,
            output,
            movetime: settings.time,
            automatic: vec![Side::White],
            seed: None,
            limit: MOVE_LIMIT,
            announced: None,
            draft: None,
            shows_board: settings.board,
            shown: None,
            saved: Saved::default(),
        })
    }

    fn say(&mut self, line: &str) -> io::Result<()> {
        self.output.write_all(format!("{line}\n").as_bytes())?;
        self.output.flush()
    }

    /// Writes a line to the log, if there is one.
    fn note(&mut self, line: &str) -> io::Result<()> {
        let Some(log) = &mut self.log else { return Ok(()) };
        log.write_all(format!("{line}\n").as_bytes())?;
        log.flush()
    }

    /// Writes the position to the log after squares were edited.
    fn note_position(&mut self) -> io::Result<()> {
        if !std::mem::take(&mut self.is_set) {
            return Ok(());
        }
        let setup = self.engine.view().setup;
        self.note(&format!("# position {setup}"))
    }

    fn prompt(&mut self) -> io::Result<()> {
        let view = self.view();
        if self.shows_board {
            self.show_board(&view)?;
        }
        let prompt = match self.end(&view) {
            Some(_) => "> ".to_string(),
            None => format!("{}> ", view.side),
        };
        self.output.write_all(prompt.as_bytes())?;
        self.output.flush()
    }

    /// The position, or the edited board.
    fn view(&self) -> PositionView {
        let view = self.engine.view();
        match &self.draft {
            None => view,
            Some(Draft { squares, next, .. }) => {
                let (squares, side) = (*squares, *next);
                PositionView {
                    board: squares,
                    side,
                    plies: 0,
                    moves: Vec::new(),
                    outcome: None,
                    ..view
                }
            }
        }
    }

    /// Plays the engine's moves and forced passes until the user is to move or the game is over.
    /// Announces the end of the game. The outer error is one of writing.
    fn play_on(&mut self) -> io::Result<Result<(), ConsoleError>> {
        if let Some(draft) = &self.draft {
            if draft.is_refused || !self.automatic.contains(&draft.next) {
                return Ok(Ok(()));
            }
            if let Err(complaint) = self.settle() {
                return Ok(Err(complaint));
            }
        }
        loop {
            let view = self.engine.view();
            if let Some(end) = self.end(&view) {
                return self.announce(end).map(Ok);
            }
            self.announced = None;
            let mv = if view.moves == [PASS] {
                self.say(&format!("{} cannot move and passes.", view.side))?;
                PASS.to_string()
            } else if self.automatic.contains(&view.side) {
                let mv = self.find_move().map_err(io::Error::other)?;
                self.say(&format!("* {}", written(&mv)))?;
                mv
            } else {
                return Ok(Ok(()));
            };
            self.note_position()?;
            self.note(&format!("# * {}", written(&mv)))?;
            self.engine.play(&mv).map_err(io::Error::other)?;
            // Otherwise a prompt follows, which shows the board.
            if self.shows_board && self.automatic.len() == Side::BOTH.len() {
                self.show_board(&self.engine.view())?;
            }
        }
    }

    /// Makes the edited board the position.
    fn settle(&mut self) -> Result<(), ConsoleError> {
        let Some(draft) = &mut self.draft else { return Ok(()) };
        draft.is_refused = true;
        self.engine.set_board(&draft.squares, draft.next).map_err(|error| match error {
            EngineError::Setup(why) => ConsoleError::Board(why),
            error => error.into(),
        })?;
        (self.draft, self.announced, self.is_set) = (None, None, true);
        Ok(())
    }

    /// Ensures that there is a position in which the game is not over.
    fn be_under_way(&mut self) -> Result<(), ConsoleError> {
        self.settle()?;
        if self.end(&self.engine.view()).is_some() { Err(ConsoleError::Over) } else { Ok(()) }
    }

    /// The end of the game, if it is over. The console checks the move limit itself, because not
    /// every game has such a rule.
    fn end(&self, view: &PositionView) -> Option<End> {
        let ending = view.outcome.map(|ending| (ending.winner, ending.reason));
        let too_long = self.moves_by_each(view) >= self.limit;
        ending.or_else(|| too_long.then_some((None, "the move limit is reached")))
    }

    /// The number of moves that both sides have made.
    fn moves_by_each(&self, view: &PositionView) -> u64 {
        view.plies as u64 / 2
    }

    /// Announces the end of the game, once.
    fn announce(&mut self, end: End) -> io::Result<()> {
        if self.announced == Some(end) {
            return Ok(());
        }
        self.announced = Some(end);
        match end {
            (Some(winner), _) => self.say(&format!("* {winner} wins.")),
            (None, reason) => self.say(&format!("Draw: {reason}.\n* Tie game.")),
        }
    }

    /// Runs a search and waits for its best move.
    fn find_move(&mut self) -> Result<String, EngineError> {
        let mut limits = Limits::default();
        match self.seed {
            None => limits.movetime = Some(self.movetime),
            Some(seed) => {
                limits.nodes = Some(SEEDED_NODES);
                // Entries from earlier searches would make the move depend on which earlier moves
                // the engine searched.
                self.engine.set_option("Clear Hash", None)?;
                self.engine.vary(Some(seed));
            }
        }
        self.engine.search(limits, &[])?;
        self.found.recv().ok().flatten().ok_or(EngineError::Died)
    }

    /// Executes a command. The outer error is one of writing.
    fn obey(&mut self, command: Command) -> io::Result<Result<(), ConsoleError>> {
        let reply = match command {
            Command::Nothing | Command::Quit => Ok(None),
            Command::Help => Ok(Some(HELP.to_string())),
            Command::Rules => Ok(Some(self.rules())),
            Command::Dump => Ok(Some(dump(&self.view()))),
            Command::Board(None) => {
                self.shown = None;
                return self.show_board(&self.view()).map(Ok);
            }
            Command::Board(Some(shows_board)) => {
                (self.shows_board, self.shown) = (shows_board, None);
                Ok(None)
            }
            Command::Move(text) => self.play(text).map(|()| None),
            Command::Moves => self.list_moves().map(Some),
            Command::Hint => self.hint().map(Some),
            Command::New => self.begin().map(|()| None),
            Command::Automatic(side, is_automatic) => {
                self.automatic.retain(|&player| player != side);
                self.automatic.extend(is_automatic.then_some(side));
                if let Some(draft) = &mut self.draft {
                    draft.is_refused = false;
                }
                Ok(None)
            }
            Command::Level(level) => {
                self.engine.set_level(level, None).map_err(ConsoleError::from).map(|()| None)
            }
            Command::Seed(seed) => {
                self.seed = Some(seed);
                Ok(None)
            }
            Command::Limit(moves) => self.set_limit(moves).map(|()| None),
            Command::Undo => self.undo().map(Some),
            Command::Set { square, piece, next } => {
                self.set_square(&square, piece, next).map(|()| None)
            }
            Command::Save(name) => self.save(&name).map(Some),
        };
        Ok(match reply {
            Ok(Some(text)) => return self.say(&text).map(Ok),
            Ok(None) => Ok(()),
            Err(complaint) => Err(complaint),
        })
    }

    /// The rules of the game, and how the console differs from them.
    fn rules(&self) -> String {
        let (rules, limit) = (self.engine.variant().rules, self.limit);
        format!(
            "{rules}In the console repetition does not end a game; it is a tie after {limit} moves of each side."
        )
    }

    /// Plays a move of the user.
    fn play(&mut self, text: String) -> Result<(), ConsoleError> {
        self.be_under_way()?;
        self.engine.play(&text).map_err(|error| match error {
            // The error omits the position, which `dump` shows.
            EngineError::Move { text, why, .. } => ConsoleError::Move { text, why },
            error => error.into(),
        })
    }

    fn list_moves(&mut self) -> Result<String, ConsoleError> {
        self.be_under_way()?;
        let moves: Vec<String> = self.engine.view().moves.iter().map(|mv| written(mv)).collect();
        let lines: Vec<String> = moves.chunks(MOVES_A_LINE).map(|line| line.join(" ")).collect();
        Ok(lines.join("\n"))
    }

    /// The move that the engine would play at full strength.
    fn hint(&mut self) -> Result<String, ConsoleError> {
        self.be_under_way()?;
        let is_limited = self.engine.options().limit_strength;
        if is_limited {
            self.engine.set_option("UCI_LimitStrength", Some("false"))?;
        }
        let found = self.find_move();
        if is_limited {
            self.engine.set_option("UCI_LimitStrength", Some("true"))?;
        }
        Ok(format!("Hint: {}", written(&found?)))
    }

    fn undo(&mut self) -> Result<String, ConsoleError> {
        if self.draft.is_some() {
            return Err(EngineError::TooFewMoves(UNDONE).into());
        }
        let (_, moves) = self.engine.game_so_far();
        self.engine.take_back(UNDONE)?;
        let taken: Vec<String> = moves.iter().rev().take(UNDONE).map(|mv| written(mv)).collect();
        Ok(format!("Taken back: {}.", taken.join(", ")))
    }

    fn begin(&mut self) -> Result<(), ConsoleError> {
        self.is_set = false;
        self.engine.set_position(None, &[])?;
        self.draft = None;
        Ok(self.engine.new_game()?)
    }

    fn set_square(
        &mut self,
        square: &str,
        piece: Option<Piece>,
        next: Side,
    ) -> Result<(), ConsoleError> {
        let mut squares = self.view().board;
        self.engine.place(&mut squares, square, piece)?;
        self.draft = Some(Draft { squares, next, is_refused: false });
        Ok(())
    }

    fn set_limit(&mut self, moves: u64) -> Result<(), ConsoleError> {
        let made = self.moves_by_each(&self.view());
        if moves <= made {
            return Err(ConsoleError::Limit(made));
        }
        // Makes the search respect the limit, in games that have such a rule.
        self.engine.set_option("Move Limit", Some(&moves.to_string()))?;
        self.limit = moves;
        Ok(())
    }

    fn save(&mut self, name: &str) -> Result<String, ConsoleError> {
        self.settle()?;
        let end = self.end(&self.engine.view());
        Ok(self.saved.write(name, &self.engine, &self.automatic, end)?)
    }

    /// Shows the board for the user, unless it was shown already.
    fn show_board(&mut self, view: &PositionView) -> io::Result<()> {
        let seen = (view.board, view.side, view.plies);
        if self.shown == Some(seen) {
            return Ok(());
        }
        self.shown = Some(seen);
        self.say(&board::diagram(&view.board, self.engine.variant().is_numbered))
    }
}

/// The board between its markers, for scripts.
fn dump(view: &PositionView) -> String {
    let mut text = String::from("===\n");
    for rank in view.board {
        let rank = rank.map(|square| format!(" {}", command::letter(square)));
        text += &format!("   {}\n", rank.concat());
    }
    let next = view.side.to_string().to_lowercase();
    format!("{text}Next move: {next}\n===")
}

/// A move as the console prints it: squares are always separated by `-`.
fn written(mv: &str) -> String {
    let in_squares = mv.starts_with(|c: char| c.is_ascii_alphabetic());
    if in_squares { mv.replace('x', "-") } else { mv.to_string() }
}
