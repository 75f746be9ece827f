//! Parser for SGF: finds the games of a text. `parser` reads one.

mod boundaries;
mod parser;

use std::io::BufRead;

use boundaries::{begins_game, begins_tree, charset_name};
use parser::SgfParser;

use super::super::error::{RecordError, RecordFault};
use super::super::record::Record;
use super::super::sgf::{self, setup};
use super::super::tree::{GameTree, UTF_8};
use super::super::values::Format;
use super::bytes::ByteReader;
use super::charset::Charset;
use super::variant::{DefaultVariant, is_preferred};
use crate::game::Variant;

/// Reads the games of a file one after the other.
#[derive(Default)]
pub(super) struct SgfReader {
    previous: Previous,
    /// Whether the text is UTF-8, whatever charset it declares.
    pub(super) is_decoded: bool,
}

/// What the last item of a file was.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Previous {
    /// Nothing, or an invalid game.
    #[default]
    None,
    /// A game without `FF` and `GM`.
    Bare,
    /// A game with one of them.
    Headed,
}

impl SgfReader {
    /// Reads the next game; `None` at the end of the input.
    pub(super) fn read<R: BufRead>(
        &mut self,
        source: &mut ByteReader<R>,
        default_variant: Option<DefaultVariant>,
    ) -> Result<Option<Record>, RecordError> {
        let read = read(source, default_variant, self.previous, self.is_decoded);
        self.previous = match &read {
            Ok(Some(record)) if record.fault().is_some() => Previous::None,
            Ok(Some(record)) if has_head(&record.tree) => Previous::Headed,
            Ok(Some(_)) => Previous::Bare,
            Ok(None) | Err(_) => Previous::None,
        };
        read
    }
}

/// Reads the next game, which follows `previous`; `None` at the end of the input.
///
/// FF[4]: text before a game is not part of it. After a game other text than blanks is an error, as it
/// may be a game in another format.
fn read<R: BufRead>(
    source: &mut ByteReader<R>,
    default_variant: Option<DefaultVariant>,
    previous: Previous,
    is_decoded: bool,
) -> Result<Option<Record>, RecordError> {
    skip_to_game(source, previous)?;
    if source.peek()?.is_none() {
        return Ok(None);
    }
    source.begin();
    let location = source.location();
    let declared = if is_decoded { None } else { charset_name(source)? };
    // The parser reports an unknown charset.
    let charset = declared.and_then(|name| Charset::named(&name).ok()).unwrap_or_default();
    let mut game = SgfParser::new(location, (!is_decoded).then_some(charset));
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
    let faults = [read, game.fault, late, sgf::info::contradiction(&tree)].into_iter().flatten();
    let fault = faults.min_by_key(|error| (error.location.line, error.location.column));
    // Records are always written as UTF-8, whatever the charset of the source.
    if let Some(root) = tree.get_mut(GameTree::ROOT).filter(|root| root.value("CA").is_some()) {
        root.set("CA", UTF_8.to_string());
    }
    tree.declare_charset();
    let (variant, setup) = start(&tree, default_variant)?;
    // The standard has numbers.
    if let (Some(root), Some(number)) =
        (tree.get_mut(GameTree::ROOT), variant.record_format.sgf_game())
        && root.present_value("GM").is_some_and(|value| value.trim() != number.to_string())
    {
        root.set("GM", number.to_string());
    }
    let (format, terminator) = (Format::Sgf, String::new());
    let fault = fault.map(|error| error.to_string());
    Ok(Some(Record { format, variant, setup, tree, terminator, is_assumed: false, fault }))
}

/// The variant, and the setup if it differs from the start position.
fn start(
    tree: &GameTree,
    default_variant: Option<DefaultVariant>,
) -> Result<(&'static Variant, Option<String>), RecordError> {
    let preferred = match default_variant {
        None => return setup::read_start(tree, None),
        Some(DefaultVariant::Given(variant)) => return setup::read_start(tree, Some(variant)),
        Some(DefaultVariant::Preferred(variant)) => setup::read_start(tree, Some(variant))?,
    };
    let found = setup::read_start(tree, None)?;
    let is_preferred =
        is_preferred(tree, (preferred.0, preferred.1.as_deref()), (found.0, found.1.as_deref()));
    Ok(if is_preferred { preferred } else { found })
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

/// Whether the root names the format or the game.
fn has_head(tree: &GameTree) -> bool {
    let root = tree.get(GameTree::ROOT);
    root.is_some_and(|root| ["FF", "GM"].iter().any(|name| root.property(name).is_some()))
}
