//! Reader for PDN, PGN and move lists: [`cut`] finds the games of a text, [`reader`] the parts of one, of which
//! [`tree`] makes the game tree.

mod cut;
pub(super) mod reader;
mod tree;

pub(super) use cut::{begins_game, cut, tag_name};

use super::super::error::{LineColumn, RecordError, RecordFault};
use super::super::legality::{canonical, resolve};
use super::super::record::Record;
use super::super::tree::{GameTree, NodeItem};
use super::super::values::{RecordFormat, is_space};
use super::super::{pdn, results, rule_header};
use super::{pgn, variant};
use crate::game::{Side, Variant, values_of};
use reader::{PdnEvent, PdnReader};
use tree::PdnGame;

/// Reads the game of a text with this position, directly behind which the tag `next_tag` may follow; `None` if it has
/// nothing but blanks. It is of the preferred variant if it does not determine another one.
pub(super) fn read(
    text: &str,
    next_tag: Option<&[u8]>,
    location: LineColumn,
    preferred: Option<&'static Variant>,
) -> Option<Result<Record, RecordError>> {
    let mut game = tree::read(text, location);
    let root = game.tree.get(GameTree::ROOT)?;
    let has_tags = root.items.iter().any(|item| matches!(item, NodeItem::Property(..)));
    let (is_empty, has_moves) = (root.items.is_empty(), !root.children.is_empty());
    let is_record = has_tags || game.result.is_some() && !is_empty;
    let fault = game.fault.take().map(|fault| (fault, game.is_cut || !is_record));
    let fault = fault.or_else(|| {
        let (fault, location) = match &game.result {
            _ if has_tags || has_moves => return None,
            Some((word, at)) if is_empty => (RecordFault::expected("a move", word), *at),
            None if !is_empty => {
                (RecordFault::invalid("a comment that belongs to no game"), location)
            }
            _ => return None,
        };
        Some((fault.at(location), true))
    });
    let is_on_line = || !text.trim_end_matches(|c| is_space(c) && c != '\n').ends_with('\n');
    let fault = fault.or_else(|| {
        let tag = next_tag.filter(|_| game.result.is_none() && is_on_line())?;
        let fault =
            RecordFault::expected("a new line before the tag", &String::from_utf8_lossy(tag));
        Some((fault.at(location.after(text.as_bytes())), true))
    });
    match fault {
        // The moves before an error are read.
        Some((error, true)) if !has_moves => return Some(Err(error)),
        None if is_empty && !has_moves && game.result.is_none() => return None,
        _ => {}
    }
    let fault = fault.map(|(error, _)| error.to_string());
    Some(record(game, preferred).map(|record| {
        let fault = fault.or(record.fault);
        Record { fault, ..record }
    }))
}

/// Whether a line among other text begins a game: with a tag, or with a move that is numbered as the first one.
pub(super) fn begins_line(line: &str) -> bool {
    let mut reader = PdnReader::new(line);
    match reader.next() {
        Ok(Some(PdnEvent::Tag(..))) => reader.fault.is_none(),
        Ok(Some(PdnEvent::Move(_))) => reader.first_number == Some(1),
        _ => false,
    }
}

/// The record of a game in its own format.
fn record(
    PdnGame { mut tree, result, .. }: PdnGame,
    preferred: Option<&'static Variant>,
) -> Result<Record, RecordError> {
    let choice = variant::decide(&tree, preferred);
    let variant = choice.variant;
    if variant.record_id.pdn_game().is_none() {
        return pgn::to_sgf_record(&tree, choice, result.as_ref());
    }
    let mut setup = None;
    if let Some(root) = tree.get_mut(GameTree::ROOT) {
        setup = root.value("FEN").and_then(|fen| canonical(variant, fen));
        // American files name the first side by the colour of its pieces.
        let is_absent = |name: &str| name.trim_matches(['?', ' ']).is_empty();
        if root.value("Red").is_some() && root.value("Black").is_none_or(is_absent) {
            root.rename("Red", "Black");
        }
    }
    let root = tree.get(GameTree::ROOT);
    let rules = root.and_then(|root| rule_header::read(variant, root.value("Rules")?).ok());
    resolve(variant, setup.as_deref(), &values_of(&rules.unwrap_or_default()), &mut tree);
    // Black moves first, so Black's points stand first.
    let (outcome, fault) = results::agreed(&tree, result.as_ref(), Some(Side::Black));
    let is_written = |(text, _): &&(String, _)| {
        results::is_points(text) && text.is_ascii() && pdn::read_result(text) == Some(outcome)
    };
    // The result of a game with a syntax error may be lost with the moves after it.
    let written = result.as_ref().filter(is_written).map(|(text, _)| text.as_str());
    let terminator = written.unwrap_or(pdn::result(outcome)).to_string();
    let (format, is_assumed) = (RecordFormat::Pdn, choice.is_assumed);
    let fault = fault.map(|error| error.to_string());
    Ok(Record { format, variant, setup, tree, terminator, is_assumed, fault, note: None })
}
