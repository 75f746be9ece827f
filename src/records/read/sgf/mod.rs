//! Parser for SGF: finds the games of a text. `parser` reads one.

mod parser;

use std::io::BufRead;

use parser::SgfParser;

use super::super::error::{RecordError, RecordFault};
use super::super::record::Record;
use super::super::sgf::{self, setup};
use super::super::tree::GameTree;
use super::super::values::Format;
use super::bytes::{ByteReader, is_blank};
use crate::game::Variant;

/// The maximum number of blanks within the beginning of a game.
const MAX_BLANKS: usize = 256;

/// What the last item of a file was.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Previous {
    /// Nothing, or an invalid game.
    None,
    /// A game without `FF` and `GM`.
    Bare,
    /// A game with one of them.
    Headed,
}

impl Previous {
    pub(super) fn of(record: &Record) -> Self {
        if has_head(&record.tree) { Self::Headed } else { Self::Bare }
    }
}

/// Reads the next game; `None` at the end of the input.
///
/// FF[4]: text before a game is not part of it. After a game other text than blanks is an error, as it
/// may be a game in another format.
pub(super) fn read<R: BufRead>(
    source: &mut ByteReader<R>,
    default_variant: Option<&'static Variant>,
    previous: Previous,
) -> Result<Option<Record>, RecordError> {
    skip_to_game(source, previous)?;
    if source.peek()?.is_none() {
        return Ok(None);
    }
    source.begin();
    let location = source.location();
    let mut game = SgfParser::new(location);
    let read = game.nodes(source);
    source.is_complete = read.is_ok();
    if previous == Previous::Headed && game.continues_another() {
        // The `)` that closes it ends the rest of the game before.
        (source.is_complete, source.depth) = (false, source.depth.max(1));
        let (found, expected) = ('(', "another game in SGF with its GM");
        return Err(RecordFault::Unexpected { found, expected }.at(location));
    }
    // The moves before a syntax error are read.
    let read = match read {
        Err(error) if !game.has_moves() || error.is_of_input() => return Err(error),
        read => read.err(),
    };
    let mut tree = game.tree;
    let late = setup::cut_late(&mut tree);
    let faults = [read, game.fault, late, sgf::contradiction(&tree)].into_iter().flatten();
    let fault = faults.min_by_key(|error| (error.location.line, error.location.column));
    // Records are always written as UTF-8, whatever the encoding of the source.
    if let Some(root) = tree.get_mut(GameTree::ROOT).filter(|root| root.value("CA").is_some()) {
        root.set("CA", "UTF-8".to_string());
    }
    let (variant, setup) = setup::of(&tree, default_variant)?;
    let (format, terminator) = (Format::Sgf, String::new());
    let fault = fault.map(|error| error.to_string());
    Ok(Some(Record { format, variant, setup, tree, terminator, is_assumed: false, fault }))
}

/// Skips the text before the next game.
fn skip_to_game<R: BufRead>(
    source: &mut ByteReader<R>,
    previous: Previous,
) -> Result<(), RecordError> {
    let mut other_text = None;
    while !begins_tree(source)? {
        let location = source.location();
        let Some(found) = source.peek_char()? else { break };
        if previous != Previous::None && other_text.is_none() && found > ' ' {
            let expected = "another game in SGF";
            let error = RecordFault::Unexpected { found, expected }.at(location);
            if found == ';' {
                // The rest of the game before, which a `)` has ended too early.
                source.depth = 1;
                return Err(error);
            }
            other_text = Some(error);
        }
        source.skip()?;
    }
    other_text.map_or(Ok(()), Err)
}

/// Skips the rest of a game: up to its closing parenthesis, or to a likely beginning of the next
/// game.
pub(super) fn recover<R: BufRead>(source: &mut ByteReader<R>) -> Result<(), RecordError> {
    let mut in_value = false;
    while source.depth > 0 && !begins_game(source)? {
        match source.skip()? {
            None => break,
            Some(b'\\') if in_value => drop(source.skip()?),
            Some(b']') => in_value = false,
            Some(b'[') => in_value = true,
            Some(b'(') if !in_value => source.depth += 1,
            Some(b')') if !in_value => source.depth -= 1,
            Some(_) => {}
        }
    }
    Ok(())
}

/// Whether a game tree or a variation follows: `(`, blanks, `;`, or `(` and a property, as the `;` of
/// the root may be missing.
fn begins_tree<R: BufRead>(source: &mut ByteReader<R>) -> Result<bool, RecordError> {
    if source.peek()? != Some(b'(') {
        return Ok(false);
    }
    let (at, byte) = after_blanks(source, 1)?;
    Ok(byte == Some(b';') || is_head(source, at)?)
}

/// Whether a game rather than a variation follows: its root begins with the format or the game.
fn begins_game<R: BufRead>(source: &mut ByteReader<R>) -> Result<bool, RecordError> {
    Ok(first_value(source)?.is_some())
}

/// Whether the property that names the format or the game stands at a distance.
fn is_head<R: BufRead>(source: &mut ByteReader<R>, at: usize) -> Result<bool, RecordError> {
    let letters = [source.peek_at(at)?, source.peek_at(at + 1)?, source.peek_at(at + 2)?];
    let [Some(first), Some(second), Some(bracket)] = letters else { return Ok(false) };
    let name = [first, second].map(|letter| letter.to_ascii_uppercase());
    Ok(matches!(&name, b"FF" | b"GM") && bracket == b'[')
}

/// The distance to the value of the first property of a game, if a game follows.
fn first_value<R: BufRead>(source: &mut ByteReader<R>) -> Result<Option<usize>, RecordError> {
    if source.peek()? != Some(b'(') {
        return Ok(None);
    }
    let (mut at, byte) = after_blanks(source, 1)?;
    if byte == Some(b';') {
        (at, _) = after_blanks(source, at + 1)?;
    }
    Ok(is_head(source, at)?.then_some(at + 3))
}

/// Whether a game follows that is not quoted in a value: there `]` would be escaped.
fn begins_unquoted_game<R: BufRead>(source: &mut ByteReader<R>) -> Result<bool, RecordError> {
    const LONGEST: usize = 4;
    let Some(value) = first_value(source)? else { return Ok(false) };
    let mut end = value;
    while end < value + LONGEST && source.peek_at(end)?.is_some_and(|byte| byte.is_ascii_digit()) {
        end += 1;
    }
    Ok(source.peek_at(end)? == Some(b']'))
}

/// The distance and value of the first byte that is not a blank, from a distance on.
fn after_blanks<R: BufRead>(
    source: &mut ByteReader<R>,
    from: usize,
) -> Result<(usize, Option<u8>), RecordError> {
    let mut at = from;
    while at < from + MAX_BLANKS && source.peek_at(at)?.is_some_and(is_blank) {
        at += 1;
    }
    Ok((at, source.peek_at(at)?))
}

/// Whether the root names the format or the game.
fn has_head(tree: &GameTree) -> bool {
    let root = tree.get(GameTree::ROOT);
    root.is_some_and(|root| ["FF", "GM"].iter().any(|name| root.property(name).is_some()))
}
