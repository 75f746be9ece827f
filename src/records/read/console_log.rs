//! Reader for console logs: the entered lines, and lines with `#` that complete the game.
//!
//! - `# soucie console: VARIANT` begins a session.
//! - `# * MOVE` is a move of the engine.
//! - `# position SETUP` is the position from which the game continues after squares were set.
//! - `# refused` means that the preceding line had no effect.
//!
//! Other lines with `#` are comments.

use std::io::BufRead;

use super::super::error::{LineColumn, RecordError, RecordFault, shorten};
use super::super::record::Record;
use super::super::rules::is_setup;
use super::super::tree::{GameTree, NodeItem, Turn};
use super::bytes::ByteReader;
use super::{pdn, pgn, variant};
use crate::game::Variant;
use crate::games::variants;

/// The prefix of the first line of a log.
pub(super) const FIRST_LINE_PREFIX: &str = "# soucie console: ";

const ENGINE_MOVE: &str = "# * ";
const POSITION: &str = "# position ";
const REFUSED: &str = "# refused";

/// The console commands, as the first word of a line.
pub const CONSOLE_COMMANDS: [&str; 20] = [
    "new", "auto", "manual", "seed", "limit", "undo", "set", "dump", "help", "?", "quit", "save",
    "board", "hint", "moves", "level", "rules", "load", "resign", "draw",
];

/// The number of plies that `undo` takes back by default.
pub const UNDO_PLIES: usize = 2;

/// Whether a word is a console command and not a move.
pub(super) fn is_command(word: &str) -> bool {
    CONSOLE_COMMANDS.iter().any(|command| command.eq_ignore_ascii_case(word))
}

/// The state that the log establishes before a game.
#[derive(Clone, Default)]
pub(super) struct Dialogue {
    variant: Option<&'static Variant>,
    setup: Option<String>,
}

/// Reads the next game; `None` at the end of the input. `default_variant` is used for logs that do
/// not name a variant.
pub(super) fn read<R: BufRead>(
    source: &mut ByteReader<R>,
    dialogue: &mut Dialogue,
    default_variant: Option<&'static Variant>,
) -> Result<Option<Record>, RecordError> {
    let mut moves: Vec<(LineColumn, Turn)> = Vec::new();
    let mut begun = dialogue.clone();
    dialogue.setup = None;
    loop {
        source.skip_blanks()?;
        if moves.is_empty() {
            source.begin();
        }
        if source.peek()?.is_none() {
            break;
        }
        let location = source.location();
        let line = source.take_while(|byte| byte != b'\n')?;
        source.skip_blanks()?;
        let is_refused = source.follows(REFUSED.as_bytes())?;
        let entry = LogLine::read(line.trim());
        let begins = !is_refused && entry.begins_game();
        match entry {
            LogLine::Ignored => {}
            LogLine::Played(turn) => moves.push((location, turn)),
            _ if is_refused => {}
            LogLine::Typed(turn) => moves.push((location, turn)),
            LogLine::Undo(plies) => moves.truncate(moves.len().saturating_sub(plies)),
            LogLine::New => dialogue.setup = None,
            LogLine::Dialogue(variant) => *dialogue = Dialogue { variant, setup: None },
            LogLine::Position(setup) => {
                if !variants().any(|variant| is_setup(variant, setup)) {
                    let (value, expected) = (shorten(setup), "a setup");
                    return Err(
                        RecordFault::Value { name: "# position", value, expected }.at(location)
                    );
                }
                dialogue.setup = Some(setup.to_string());
            }
        }
        if begins {
            if !moves.is_empty() {
                break;
            }
            begun = dialogue.clone();
            dialogue.setup = None;
        }
    }
    if moves.is_empty() { Ok(None) } else { record(moves, begun, default_variant).map(Some) }
}

/// A parsed line.
enum LogLine<'a> {
    /// A command that does not affect the game, a comment, or invalid input.
    Ignored,
    /// A move of the engine.
    Played(Turn),
    /// A move entered by the user.
    Typed(Turn),
    New,
    Undo(usize),
    Dialogue(Option<&'static Variant>),
    Position(&'a str),
}

impl<'a> LogLine<'a> {
    fn begins_game(&self) -> bool {
        matches!(self, Self::New | Self::Dialogue(_) | Self::Position(_))
    }

    fn read(line: &'a str) -> Self {
        if let Some(name) = line.strip_prefix(FIRST_LINE_PREFIX) {
            return Self::Dialogue(variant::named(name));
        }
        if let Some(setup) = line.strip_prefix(POSITION) {
            return Self::Position(setup);
        }
        if let Some(turn) = line.strip_prefix(ENGINE_MOVE).and_then(pgn::turn) {
            return Self::Played(turn);
        }
        let mut words = line.split_whitespace();
        let word = words.next().unwrap_or_default();
        match word.to_ascii_lowercase().as_str() {
            "new" => Self::New,
            "undo" => {
                Self::Undo(words.next().map_or(UNDO_PLIES, |plies| plies.parse().unwrap_or(0)))
            }
            _ => pgn::turn(word).map_or(Self::Ignored, Self::Typed),
        }
    }
}

fn record(
    moves: Vec<(LineColumn, Turn)>,
    begun: Dialogue,
    default_variant: Option<&'static Variant>,
) -> Result<Record, RecordError> {
    let first = moves.first().map_or(LineColumn { line: 1, column: 1 }, |(location, _)| *location);
    let mut tree = GameTree::new(first);
    if let Some(setup) = begun.setup {
        for (name, value) in [("SetUp", "1".to_string()), ("FEN", setup)] {
            tree.add_item(GameTree::ROOT, NodeItem::Property(name.to_string(), vec![value]));
        }
    }
    let mut node = GameTree::ROOT;
    for (location, turn) in moves {
        node = tree.add_node(node, location)?;
        tree.add_item(node, NodeItem::Turn(turn));
    }
    pdn::record(tree, None, begun.variant.or(default_variant))
}
