//! The log of a console: the lines that were entered and, behind `#`, what else makes the game.
//!
//! `# soucie console: VARIANT` begins a dialogue, `# * MOVE` is a move that the engine made,
//! `# position SETUP` the position from which the game goes on after squares were set, and
//! `# refused` says that the line before it changed nothing. Other lines with `#` are passed over.

use std::io::BufRead;

use super::error::{Fault, Place, RecordError, shorten};
use super::record::Record;
use super::replay::is_setup;
use super::source::Source;
use super::tree::{Item, Tree, Turn};
use super::{pdn, pgn};
use crate::games::variants;

/// How the log of a dialogue begins.
pub(super) const HEAD: &str = "# soucie console: ";

const ENGINE_MOVE: &str = "# * ";
const POSITION: &str = "# position ";
const REFUSED: &str = "# refused";

/// The commands that begin a line of a console.
const COMMANDS: [&str; 15] = [
    "new", "auto", "manual", "seed", "limit", "undo", "set", "dump", "help", "?", "quit", "save",
    "board", "hint", "moves",
];

/// The moves that `undo` takes back.
const UNDONE: usize = 2;

/// Whether a word is a command of the console, and no move.
pub(super) fn is_command(word: &str) -> bool {
    COMMANDS.iter().any(|command| command.eq_ignore_ascii_case(word))
}

/// What the lines before a game say of it.
#[derive(Clone, Default)]
pub(super) struct Dialogue {
    variant: Option<&'static str>,
    setup: Option<String>,
}

/// Reads the next game; none if there is no more. Where the log does not say what is played it is
/// `told`.
pub(super) fn read<R: BufRead>(
    source: &mut Source<R>,
    dialogue: &mut Dialogue,
    told: Option<&'static str>,
) -> Result<Option<Record>, RecordError> {
    let mut moves: Vec<(Place, Turn)> = Vec::new();
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
        let place = source.place();
        let line = source.take_while(|byte| byte != b'\n')?;
        source.skip_blanks()?;
        let is_refused = source.follows(REFUSED.as_bytes())?;
        match Line::read(line.trim()) {
            Line::Ignored => {}
            Line::Played(turn) => moves.push((place, turn)),
            _ if is_refused => {}
            Line::Typed(turn) => moves.push((place, turn)),
            Line::Undo => moves.truncate(moves.len().saturating_sub(UNDONE)),
            Line::New => dialogue.setup = None,
            Line::Dialogue(variant) => *dialogue = Dialogue { variant, setup: None },
            Line::Position(setup) => {
                if !variants().any(|variant| is_setup(variant.name, setup)) {
                    let (value, expected) = (shorten(setup), "a setup");
                    return Err(Fault::Value { name: "# position", value, expected }.at(place));
                }
                dialogue.setup = Some(setup.to_string());
            }
        }
        if matches!(Line::read(line.trim()), Line::New | Line::Dialogue(_) | Line::Position(_)) {
            if !moves.is_empty() {
                break;
            }
            begun = dialogue.clone();
            dialogue.setup = None;
        }
    }
    if moves.is_empty() { Ok(None) } else { record(moves, begun, told).map(Some) }
}

/// What a line says.
enum Line<'a> {
    /// A command that is no part of the game, a comment, or what no console would take.
    Ignored,
    /// A move that the engine made.
    Played(Turn),
    /// A move that was entered.
    Typed(Turn),
    New,
    Undo,
    Dialogue(Option<&'static str>),
    Position(&'a str),
}

impl<'a> Line<'a> {
    fn read(line: &'a str) -> Self {
        if let Some(name) = line.strip_prefix(HEAD) {
            return Self::Dialogue(pgn::named(name));
        }
        if let Some(setup) = line.strip_prefix(POSITION) {
            return Self::Position(setup);
        }
        if let Some(turn) = line.strip_prefix(ENGINE_MOVE).and_then(pgn::turn) {
            return Self::Played(turn);
        }
        let word = line.split_whitespace().next().unwrap_or_default();
        match word.to_ascii_lowercase().as_str() {
            "new" => Self::New,
            "undo" => Self::Undo,
            _ => pgn::turn(word).map_or(Self::Ignored, Self::Typed),
        }
    }
}

fn record(
    moves: Vec<(Place, Turn)>,
    begun: Dialogue,
    told: Option<&'static str>,
) -> Result<Record, RecordError> {
    let first = moves.first().map_or(Place { line: 1, column: 1 }, |(place, _)| *place);
    let mut tree = Tree::new(first);
    if let Some(setup) = begun.setup {
        for (name, value) in [("SetUp", "1".to_string()), ("FEN", setup)] {
            tree.add_item(Tree::ROOT, Item::Property(name.to_string(), vec![value]));
        }
    }
    let mut node = Tree::ROOT;
    for (place, turn) in moves {
        node = tree.add_node(node, place)?;
        tree.add_item(node, Item::Turn(turn));
    }
    pdn::read::record(tree, None, begun.variant.or(told))
}
