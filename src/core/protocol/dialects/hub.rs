//! The Hub protocol, version 2, for English draughts as pydraughts uses it.
//!
//! The squares of a position are those of a board on which White moves first: the position is
//! rotated by half a turn, and the colours are exchanged. The moves have the usual numbers.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::hub_command::{HubLine, Level, Mode};
use crate::engine::event::{Event, Info};
use crate::engine::uci_score::UciScore;
use crate::engine::{Engine, EngineError, MoveView};
use crate::files::lines::TooLong;
use crate::files::printable::excerpt;
use crate::game::bitboard::Square;
use crate::options::{ANALYSE_MODE, EMPTY, OfferedBy, OptionKind, UciOption, VARIANT, uci_options};
use crate::protocol::command::{Purpose, UciCommand};
use crate::protocol::handler::{Dialect, Handler, Next};
use crate::protocol::refusal::Refusal;
use crate::protocol::reply;
use crate::records::setups::SetupMoves;

/// The game, as a value of `UCI_Variant`.
const GAME: &str = "englishdraughts";

const SQUARES: usize = 32;

/// The answer to a search without a move.
const NO_MOVE: &str = "done";

pub(super) struct Hub<W> {
    handler: Handler<W>,
    /// The limits of the following searches.
    level: Level,
}

impl<W: Write> Hub<W> {
    pub(super) fn new(mut handler: Handler<W>) -> Result<Self, EngineError> {
        handler.engine.set_option(VARIANT, Some(GAME))?;
        // No other game is ever played, so a file for one is a mistake.
        let handler = handler.with_lines(error, error);
        Ok(Self { handler, level: Level::default() })
    }

    fn command(&mut self, line: &str) -> Result<UciCommand, Refusal> {
        let line = HubLine::read(line)?;
        Ok(match line.command {
            "" => UciCommand::Empty,
            "hub" => UciCommand::Answer(self.identity()),
            "init" => UciCommand::Answer("ready".to_string()),
            "ping" => UciCommand::Answer("pong".to_string()),
            "set-param" => set_parameter(line.value("name")?, line.value("value")?)?,
            "pos" => {
                let setup = read_position(line.value("pos")?)?;
                let moves = line.value("moves").unwrap_or_default();
                let moves = self.read_moves(&setup, moves.split_whitespace())?;
                UciCommand::Position(SetupMoves { setup: Some(setup), moves })
            }
            "level" => {
                self.level = line.level()?;
                UciCommand::Empty
            }
            "go" => self.go(line.mode()?)?,
            "stop" => UciCommand::Stop,
            "ponder-hit" => UciCommand::PonderHit,
            "new-game" => UciCommand::NewGame,
            "quit" => UciCommand::Quit,
            word => return Err(Refusal(format!("unknown command '{}'", excerpt(word, 40)))),
        })
    }

    fn go(&mut self, mode: Mode) -> Result<UciCommand, Refusal> {
        let engine = &mut self.handler.engine;
        engine.set_option(ANALYSE_MODE, Some(&(mode == Mode::Analyze).to_string()))?;
        let Level { mut limits, time, increment } = self.level.clone();
        let side = engine.session().side() as usize;
        if let (Some(own_time), Some(own_increment)) =
            (limits.time.get_mut(side), limits.increment.get_mut(side))
        {
            (*own_time, *own_increment) = (time, increment);
        }
        limits.ponder = mode == Mode::Ponder;
        Ok(UciCommand::Go { limits, moves: Vec::new() })
    }

    /// Converts moves that are to be played on a setup to coordinates.
    fn read_moves<'a>(
        &self,
        setup: &str,
        moves: impl Iterator<Item = &'a str>,
    ) -> Result<Vec<String>, Refusal> {
        let mut session = self.handler.engine.session().copy();
        session.set_position(Some(setup), &[])?;
        let mut coordinates = Vec::new();
        for text in moves {
            let moves = session.readable_moves();
            let mv = moves.iter().find(|mv| is_move(mv, text)).ok_or_else(|| {
                let legal: Vec<String> = moves.iter().map(write_view).collect();
                let (text, setup, legal) = (excerpt(text, 100), session.setup(), legal.join(" "));
                Refusal(format!("illegal move {text} in {setup}; the legal moves: {legal}"))
            })?;
            session.play(&mv.coordinate)?;
            coordinates.push(mv.coordinate.clone());
        }
        Ok(coordinates)
    }

    /// The answer to `hub`: the name, the parameters and `wait`.
    fn identity(&self) -> String {
        let mut text = format!(
            "id name=Soucie version={} author=\"{}\"\n\
             param name=variant value=english type=enum values=\"english\"\n",
            env!("CARGO_PKG_VERSION"),
            reply::AUTHOR,
        );
        for option in parameters().filter(|option| self.handler.access.allows(option)) {
            let name = parameter(option.name);
            let default = option.default();
            let value = if matches!(&*default, "" | EMPTY) { "\"\"" } else { &default };
            let _ = write!(text, "param name={name} value={value}");
            let _ = match option.kind {
                OptionKind::Spin { min, max, .. } => {
                    writeln!(text, " type=int min={min} max={max}")
                }
                OptionKind::Check => writeln!(text, " type=bool"),
                OptionKind::Combo { values } => {
                    writeln!(text, " type=enum values=\"{}\"", values.join(" "))
                }
                OptionKind::Path | OptionKind::Button => writeln!(text, " type=string"),
            };
        }
        text + "wait"
    }
}

impl<W: Write + Send> Dialect for Hub<W> {
    fn answer(&mut self, line: &str) -> io::Result<Next> {
        let command = self.command(line);
        self.handler.execute(command, purpose(line))
    }

    fn refuse_too_long(&mut self, error: TooLong) -> io::Result<()> {
        self.handler.refuse(purpose(&error.first_word), &error.into())
    }

    fn engine(&mut self) -> &mut Engine {
        &mut self.handler.engine
    }

    fn into_engine(self: Box<Self>) -> Engine {
        self.handler.engine
    }
}

/// The intended effect of a line, which may be malformed.
fn purpose(line: &str) -> Purpose {
    match line.split_whitespace().next() {
        Some("pos") => Purpose::Position,
        Some("go") => Purpose::Search(NO_MOVE),
        _ => Purpose::Other,
    }
}

fn set_parameter(name: &str, value: &str) -> Result<UciCommand, Refusal> {
    match (name, value) {
        ("variant", "english") => Ok(UciCommand::Empty),
        ("variant", other) => Err(Refusal(format!("variant '{other}': expected 'english'"))),
        _ => {
            let unknown = || Refusal(format!("unknown parameter '{name}'"));
            let option = option(name).ok_or_else(unknown)?;
            let value = if value == "none" { "" } else { value };
            let (name, value) = (option.name.to_string(), Some(value.to_string()));
            Ok(UciCommand::SetOption { name, value })
        }
    }
}

fn error(text: &str) -> String {
    format!("error message=\"{}\"", text.replace('"', "'"))
}

fn parameters() -> impl Iterator<Item = UciOption> {
    uci_options().into_iter().filter(|option| option.is_offered(OfferedBy::Hub, &[GAME]))
}

/// The name of an option as a parameter, which has no spaces: `move-overhead`.
fn parameter(option: &str) -> String {
    option.to_ascii_lowercase().replace([' ', '_'], "-")
}

fn option(name: &str) -> Option<UciOption> {
    parameters().find(|option| parameter(option.name) == name.to_ascii_lowercase())
}

fn read_position(pos: &str) -> Result<String, Refusal> {
    let length = pos.chars().count();
    if length != SQUARES + 1 {
        return Err(Refusal(format!(
            "position: expected 33 characters for the side to move and 32 squares, found {length}"
        )));
    }
    let wrong = |letter: char| {
        let expected = "W or B, then w, b, W, B or e for each square";
        Refusal(format!("position: expected {expected}, found '{letter}'"))
    };
    let mut letters = pos.chars();
    let side = match letters.next() {
        Some('W') => 'B',
        Some('B') => 'W',
        other => return Err(wrong(other.unwrap_or_default())),
    };
    let [mut white, mut black] = [Vec::new(), Vec::new()];
    for (index, letter) in letters.enumerate() {
        let number = SQUARES - index;
        match letter {
            'w' => black.push(number.to_string()),
            'W' => black.push(format!("K{number}")),
            'b' => white.push(number.to_string()),
            'B' => white.push(format!("K{number}")),
            'e' => {}
            other => return Err(wrong(other)),
        }
    }
    Ok(format!("{side}:W{}:B{}", white.join(","), black.join(",")))
}

/// Whether a text is this move: its ends, and for a capture the captured squares in any order.
fn is_move(mv: &MoveView, text: &str) -> bool {
    let sign = if mv.captures.is_empty() { '-' } else { 'x' };
    let numbers = text.split(sign).map(|part| part.parse().ok()).collect::<Option<Vec<usize>>>();
    let Some([from, to, taken @ ..]) = numbers.as_deref() else { return false };
    let ends = [mv.path.first(), mv.path.last()].map(|square| square.map(|square| square.number()));
    let is_taken = |square: &Square| taken.contains(&square.number());
    ends == [Some(*from), Some(*to)]
        && taken.len() == mv.captures.len()
        && mv.captures.iter().all(is_taken)
}

/// Writes a move: its ends, and for a capture the captured squares.
fn write_view(mv: &MoveView) -> String {
    write_move(&mv.path, &mv.captures)
}

fn write_move(path: &[Square], captures: &[Square]) -> String {
    let ends = [path.first(), path.last()].into_iter().flatten();
    let numbers: Vec<String> =
        ends.chain(captures).map(|square| square.number().to_string()).collect();
    numbers.join(if captures.is_empty() { "-" } else { "x" })
}

/// Converts a move from coordinates. A piece jumps over one square at a time.
fn from_coordinate(text: &str) -> String {
    let path: Vec<Square> = text.as_bytes().chunks(2).filter_map(Square::read).collect();
    let captures: Vec<Square> = path.windows(2).filter_map(jumped).collect();
    write_move(&path, &captures)
}

fn jumped(step: &[Square]) -> Option<Square> {
    let [from, to] = step else { return None };
    let is_jump = from.rank().abs_diff(to.rank()) == 2;
    is_jump.then(|| Square::new(((from.index() + to.index()) / 2) as u8))
}

/// Formats an event; `None` if the protocol has no line for it.
pub(super) fn event(event: &Event) -> Option<String> {
    match event {
        Event::Info(info) => Some(info_line(info)),
        Event::Finished { .. } => Some(error("the game is over")),
        Event::Best { best, ponder } => {
            let mut line = NO_MOVE.to_string();
            for (name, mv) in [("move", best), ("ponder", ponder)] {
                if let Some(mv) = mv {
                    let _ = write!(line, " {name}={}", from_coordinate(mv));
                }
            }
            Some(line)
        }
        Event::Line(line) => Some(line.clone()),
        _ => None,
    }
}

fn info_line(info: &Info) -> String {
    let time = info.time.as_secs_f64();
    let pv: Vec<String> = info.pv.iter().map(|mv| from_coordinate(mv)).collect();
    format!(
        "info depth={} score={:.2} nodes={} time={time:.3} nps={:.3} pv=\"{}\"",
        info.depth,
        men(info.score),
        info.nodes,
        info.nodes as f64 / time.max(1e-6) / 1e6,
        pv.join(" "),
    )
}

/// A score in men. A proved end of the game in N plies is 100 men less N hundredths, and every
/// other score is below 90.
fn men(score: UciScore) -> f64 {
    const WON: f64 = 100.0;
    const LARGEST: f64 = 89.99;
    match score {
        UciScore::Centipawns(score) => (f64::from(score) / 100.0).clamp(-LARGEST, LARGEST),
        UciScore::Mate(moves) if moves > 0 => WON - f64::from(2 * moves - 1) / 100.0,
        UciScore::Mate(moves) => -WON - f64::from(2 * moves) / 100.0,
    }
}
