//! Reader for PDN, PGN and move lists: [`tokens`] are read from the text, the [`grammar`] makes a game
//! of them, and after a syntax error the [`recovery`] finds the next game.

mod boundaries;
mod endings;
mod grammar;
mod numbers;
mod recovery;
mod remarks;
mod signs;
mod tags;
mod token;
mod tokens;
mod variations;

use std::io::BufRead;

use super::super::error::{RecordError, RecordFault, shorten};
use super::super::record::Record;
use super::super::tree::{GameTree, NodeItem};
use super::bytes::ByteReader;
use super::parsed::record;
use super::variant::DefaultVariant;
use boundaries::LONGEST_WORD;
use endings::continues_game;
use grammar::PdnParser;

/// Reads the next game; `None` at the end of the input. `default_variant` is used for texts that do
/// not determine the variant.
pub(super) fn read<R: BufRead>(
    source: &mut ByteReader<R>,
    default_variant: Option<DefaultVariant>,
) -> Result<Option<Record>, RecordError> {
    source.skip_blanks()?;
    source.begin();
    if source.follows_numbers && continues_game(source)? {
        source.depth = 1;
        let location = source.location();
        let line = source.peek_while(0, LONGEST_WORD, |c| c != '\n');
        return Err(RecordFault::Remark(shorten(&line)).at(location));
    }
    let mut game = PdnParser::new(source.location());
    let read = game.game(source);
    source.take_marked();
    source.is_complete = read.is_ok();
    source.follows_numbers = read.is_ok() && game.numbering.has_begun();
    let fault = match read {
        Err(error) if error.is_of_input() => return Err(error),
        read => game.fault.take().or(read.err()),
    };
    let root = game.tree.get(GameTree::ROOT);
    let items = root.map_or(&[][..], |root| &root.items);
    let has_tags = items.iter().any(|item| matches!(item, NodeItem::Property(..)));
    let has_game = has_tags || game.has_moves();
    let fault = fault.or_else(|| {
        let fault = match game.terminators.first() {
            _ if has_game => return None,
            Some((word, _)) if items.is_empty() => RecordFault::Move(word.clone()),
            None if !items.is_empty() => RecordFault::NoGame,
            _ => return None,
        };
        Some(fault.at(root.map_or(source.location(), |root| root.location)))
    });
    let is_record = has_tags || !game.terminators.is_empty() && !items.is_empty();
    // The moves before a syntax error are read.
    match fault {
        Some(error) if !(game.has_moves() || is_record && source.is_complete) => return Err(error),
        None if !has_game && items.is_empty() => return Ok(None),
        _ => {}
    }
    let record = record(game.tree, &game.terminators, default_variant)?;
    let fault = fault.map(|error| error.to_string()).or(record.fault);
    Ok(Some(Record { fault, ..record }))
}

/// Skips the rest of an invalid game.
pub(super) fn recover<R: BufRead>(source: &mut ByteReader<R>) -> Result<(), RecordError> {
    recovery::recover(source)
}
