//! Reader for SGF: [`cut`] finds the games of a text, `parser` reads one.

mod cut;
mod parser;

use cut::root_value;
pub(super) use cut::{begins_game, begins_line, cut};
use parser::SgfParser;

use super::super::error::{LineColumn, RecordError, RecordFault};
use super::super::record::Record;
use super::super::sgf::{self, setup};
use super::super::tree::{GameTree, UTF_8};
use super::super::values::RecordFormat;
use super::buffer::{Buffer, MAX_GAME_BYTES, text};
use super::charset::Charset;
use super::variant::plies;
use crate::game::Variant;

/// The charset of the game that begins a text. An unknown one is reported by the parser.
pub(super) fn charset(text: &[u8]) -> Charset {
    const LONGEST_HEAD: usize = 64 << 10;
    let name = root_value(text.get(..LONGEST_HEAD).unwrap_or(text), b"CA");
    name.and_then(|(_, name)| Charset::named(name).ok()).unwrap_or_default()
}

/// What stands before a place between games.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Before {
    #[default]
    Nothing,
    /// Text in which no game has begun so far.
    Prose,
    Game,
    /// Other text, whose error is reported.
    Other,
}

/// Skips the text before the next game. FF[4]: text before the first game is not part of it, but a property in it
/// is an error, as it may be one of a game without its beginning. After a game other text than blanks is an error,
/// as it may be a game in another format. Returns whether a game follows.
pub(super) fn skip_to_game(buffer: &mut Buffer, before: &mut Before) -> Result<bool, RecordError> {
    let is_whole = buffer.is_whole();
    let begins = |text: &[u8]| {
        let text = text.strip_prefix(b"(").map(<[u8]>::trim_ascii_start);
        // What has arrived may end behind the parenthesis.
        text.is_some_and(|text| text.first().map_or(!is_whole, |byte| *byte == b';'))
    };
    loop {
        buffer.skip_blanks();
        let (location, rest) = (buffer.location(), buffer.rest());
        if begins(rest) {
            return Ok(rest.contains(&b';'));
        }
        let found = text(rest.get(..4).unwrap_or(rest)).0.chars().next();
        let Some(found) = found else { return Ok(false) };
        let is_prose = match *before {
            Before::Nothing => found != '(',
            Before::Prose => true,
            Before::Game | Before::Other => false,
        };
        let next = (1..rest.len()).find(|&at| rest.get(at..).is_some_and(begins));
        let mut length = next.unwrap_or(rest.len());
        if is_prose && next.is_none() && !is_whole && length <= MAX_GAME_BYTES {
            // A property may have arrived in part, but not behind the last line end.
            let line = rest.iter().rposition(|&byte| byte == b'\n');
            let Some(line) = line else { return Ok(false) };
            length = line;
        }
        let skipped = text(rest.get(..length).unwrap_or(rest)).0.into_owned();
        buffer.skip(length);
        if is_prose {
            // What arrives later is of it as well.
            *before = Before::Prose;
        }
        if is_prose && let Some((place, name)) = property(&skipped) {
            *before = Before::Other;
            let location = location.after(skipped.as_bytes().get(..place).unwrap_or_default());
            return Err(RecordFault::expected("'(;' before a property", name).at(location));
        }
        if !is_prose && *before != Before::Other {
            *before = Before::Other;
            let expected = if found == '(' { "';' behind '('" } else { "another game in SGF" };
            return Err(RecordFault::expected(expected, &found.to_string()).at(location));
        }
    }
}

/// The first property in prose with a value on its line, and its place.
fn property(prose: &str) -> Option<(usize, &str)> {
    prose.match_indices('[').find_map(|(at, _)| {
        let name = sgf::property_before(prose.get(..at)?)?;
        let value = prose.get(at + 1..)?;
        let end = value.find(['[', ']', '\n'])?;
        value.get(end..)?.starts_with(']').then_some((at - name.len(), name))
    })
}

/// Reads the game of a text with this position. With `has_heads`, its root must name the format or the game.
pub(super) fn read(
    game: &str,
    location: LineColumn,
    charset: Option<Charset>,
    has_heads: bool,
    preferred: Option<&'static Variant>,
) -> Result<Record, RecordError> {
    // The number of another game explains any other error.
    let number =
        root_value(game.as_bytes(), b"GM").filter(|(_, number)| !setup::is_supported(number));
    if let Some((place, number)) = number {
        let location = location.after(game.as_bytes().get(..place).unwrap_or_default());
        return Err(RecordFault::other_game("GM", number.trim()).at(location));
    }
    let mut game = SgfParser::new(game, location, charset);
    let read = game.nodes().map(|()| game.end());
    let root = game.tree.get(GameTree::ROOT);
    if has_heads && root.is_some_and(|root| root.items.is_empty()) && game.has_moves() {
        // The rest of a game that a `)` has ended too early.
        return Err(RecordFault::expected("another game in SGF with its GM", "(").at(location));
    }
    // The moves before a syntax error are read.
    let read = match read {
        Err(error) if !game.has_moves() => return Err(error),
        read => read.err(),
    };
    let mut tree = game.tree;
    let faults = [read, game.fault, sgf::info::contradiction(&tree)].into_iter().flatten();
    let fault = faults.min_by_key(|error| (error.location.line, error.location.column));
    // Records are always written as UTF-8, whatever the charset of the source.
    if let Some(root) = tree.get_mut(GameTree::ROOT).filter(|root| root.value("CA").is_some()) {
        root.set("CA", UTF_8.to_string());
    }
    tree.declare_charset();
    let (variant, setup) = start(&tree, preferred)?;
    // The standard has numbers.
    if let (Some(root), Some(number)) = (tree.get_mut(GameTree::ROOT), variant.record_id.sgf_game())
        && root.present_value("GM").is_some_and(|value| value.trim() != number.to_string())
    {
        root.set("GM", number.to_string());
    }
    let (format, terminator) = (RecordFormat::Sgf, String::new());
    let fault = fault.map(|error| error.to_string());
    Ok(Record { format, variant, setup, tree, terminator, is_assumed: false, fault, note: None })
}

/// Whether the root of a record names the format or the game.
pub(super) fn has_head(record: &Record) -> bool {
    let root = record.tree.get(GameTree::ROOT);
    root.is_some_and(|root| ["FF", "GM"].iter().any(|name| root.property(name).is_some()))
}

/// The variant, and the setup if it differs from the start position. The preferred variant is one of several in
/// which as many moves are legal.
fn start(
    tree: &GameTree,
    preferred: Option<&'static Variant>,
) -> Result<(&'static Variant, Option<String>), RecordError> {
    let found = setup::read_start(tree, None)?;
    let Some(variant) = preferred else { return Ok(found) };
    let preferred = setup::read_start(tree, Some(variant))?;
    let plies = |start: &(&Variant, Option<String>)| plies(tree, start.0, start.1.as_deref());
    Ok(if plies(&preferred) >= plies(&found) { preferred } else { found })
}
