//! Reader for PDN, PGN and move lists: [`tokens`] are read from the text, the [`grammar`] makes a game
//! of them, and after a syntax error the [`recovery`] finds the next game.

mod boundaries;
mod grammar;
mod numbers;
mod recovery;
mod tokens;

use std::io::BufRead;

use super::super::ambiguity::resolve;
use super::super::error::{RecordError, RecordFault};
use super::super::pdn::{self, UNKNOWN};
use super::super::record::Record;
use super::super::rules::canonical;
use super::super::tree::{GameTree, NodeItem};
use super::super::values::Format;
use super::bytes::ByteReader;
use super::variant::DefaultVariant;
use super::{pgn, variant};
use grammar::PdnParser;

/// Reads the next game; `None` at the end of the input. `default_variant` is used for texts that do
/// not determine the variant.
pub(super) fn read<R: BufRead>(
    source: &mut ByteReader<R>,
    default_variant: Option<DefaultVariant>,
) -> Result<Option<Record>, RecordError> {
    source.skip_blanks()?;
    source.begin();
    let mut game = PdnParser::new(source.location());
    let read = game.game(source);
    source.is_complete = read.is_ok();
    let fault = match read {
        Err(error) if error.is_of_input() => return Err(error),
        read => game.fault.take().or(read.err()),
    };
    let root = game.tree.get(GameTree::ROOT);
    let items = root.map_or(&[][..], |root| &root.items);
    let has_tags = items.iter().any(|item| matches!(item, NodeItem::Property(..)));
    let has_game = has_tags || game.has_moves();
    let fault = fault.or_else(|| {
        let fault = match &game.terminator {
            _ if has_game => return None,
            Some(word) if items.is_empty() => RecordFault::Move(word.clone()),
            None if !items.is_empty() => RecordFault::NoGame,
            _ => return None,
        };
        Some(fault.at(root.map_or(source.location(), |root| root.location)))
    });
    let is_record = has_tags || game.terminator.is_some() && !items.is_empty();
    // The moves before a syntax error are read.
    match fault {
        Some(error) if !(game.has_moves() || is_record && source.is_complete) => return Err(error),
        None if !has_game && items.is_empty() => return Ok(None),
        _ => {}
    }
    // The moves after a syntax error are lost, but not the result.
    if fault.is_some() && game.terminator.is_none() {
        let result = root.and_then(|root| root.value("Result"));
        game.terminator = result.filter(|result| pdn::is_result(result)).map(str::to_string);
    }
    let record = record(game.tree, game.terminator, default_variant)?;
    Ok(Some(Record { fault: fault.map(|error| error.to_string()), ..record }))
}

/// Skips the rest of an invalid game.
pub(super) fn recover<R: BufRead>(source: &mut ByteReader<R>) -> Result<(), RecordError> {
    recovery::recover(source)
}

/// The record of a parsed game.
pub(super) fn record(
    mut tree: GameTree,
    terminator: Option<String>,
    default_variant: Option<DefaultVariant>,
) -> Result<Record, RecordError> {
    let choice = variant::decide(&tree, default_variant);
    let variant = choice.variant;
    if variant.record_format.pdn_game().is_none() {
        return pgn::to_sgf_record(&tree, choice, terminator.as_deref());
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
    resolve(variant, setup.as_deref(), &mut tree);
    Ok(Record {
        format: Format::Pdn,
        variant,
        setup,
        tree,
        terminator: terminator.unwrap_or_else(|| UNKNOWN.to_string()),
        is_assumed: choice.is_assumed,
        fault: None,
    })
}
