//! Reader for PDN, PGN and move lists: [`tokens`] are read from the text, the [`grammar`] makes a game
//! of them, and after a syntax error the [`recovery`] finds the next game.

mod grammar;
mod recovery;
mod tokens;

use std::io::BufRead;

use super::super::error::RecordError;
use super::super::pdn::{self, UNKNOWN};
use super::super::record::Record;
use super::super::rules::canonical;
use super::super::tree::GameTree;
use super::super::values::Format;
use super::bytes::ByteReader;
use super::{pgn, variant};
use crate::game::Variant;
use grammar::PdnParser;
pub(super) use recovery::recover;

/// Reads the next game; `None` at the end of the input. `default_variant` is used for texts that do
/// not determine the variant.
pub(super) fn read<R: BufRead>(
    source: &mut ByteReader<R>,
    default_variant: Option<&'static Variant>,
) -> Result<Option<Record>, RecordError> {
    source.skip_blanks()?;
    source.begin();
    let mut game = PdnParser::new(source.location());
    // The moves before a syntax error are read.
    let fault = match game.tokens(source) {
        Err(error) if game.plies == 0 || error.is_of_input() => return Err(error),
        read => read.err().map(|error| error.to_string()),
    };
    if !game.has_begun {
        return Ok(None);
    }
    source.is_complete = fault.is_none();
    // The moves after a syntax error are lost, but not the result.
    if fault.is_some() && game.terminator.is_none() {
        let result = game.tree.get(GameTree::ROOT).and_then(|root| root.value("Result"));
        game.terminator = result.filter(|result| pdn::is_result(result)).map(str::to_string);
    }
    let record = record(game.tree, game.terminator, default_variant)?;
    Ok(Some(Record { fault, ..record }))
}

/// The record of a parsed game.
pub(super) fn record(
    tree: GameTree,
    terminator: Option<String>,
    default_variant: Option<&'static Variant>,
) -> Result<Record, RecordError> {
    let choice = variant::decide(&tree, default_variant);
    let variant = choice.variant;
    if variant.record_format.pdn_game().is_none() {
        return pgn::to_sgf_record(&tree, choice, terminator.as_deref());
    }
    let root = tree.get(GameTree::ROOT);
    let fen = root.and_then(|root| root.value("FEN")).map(|fen| canonical(variant, fen));
    Ok(Record {
        format: Format::Pdn,
        variant,
        setup: fen.flatten(),
        tree,
        terminator: terminator.unwrap_or_else(|| UNKNOWN.to_string()),
        is_assumed: choice.is_assumed,
        fault: None,
    })
}
