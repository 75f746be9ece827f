//! Finds the next game after a syntax error.

use std::io::BufRead;

use super::super::super::error::RecordError;
use super::super::super::pdn;
use super::super::bytes::{ByteReader, is_blank, text};
use super::tokens::{begins_first_move, comment_of_result};

/// Skips the rest of a game: up to the first tag or move number 1 after its moves, or past its
/// terminator. A list without tags and move numbers also ends at an empty line.
pub(in super::super) fn recover<R: BufRead>(source: &mut ByteReader<R>) -> Result<(), RecordError> {
    let follows_moves = source.depth > 0;
    let mut in_moves = follows_moves;
    let mut word = Vec::new();
    loop {
        let at_head = source.location().column == 1;
        let is_parted = source.is_list && source.line_ends() > 1;
        if at_head && (is_parted || follows_moves && begins_first_move(source)?) {
            return Ok(());
        }
        if at_head && source.peek()? == Some(b'[') {
            if in_moves {
                return Ok(());
            }
            while source.skip()?.is_some_and(|byte| byte != b'\n') {}
            continue;
        }
        let Some(byte) = source.skip()? else { return Ok(()) };
        if byte == b';' && word.is_empty() {
            // A comment to the end of the line may contain a result.
            while source.peek()?.is_some_and(|byte| byte != b'\n') {
                source.skip()?;
            }
            continue;
        }
        if !is_blank(byte) {
            in_moves = true;
            // No terminator is longer.
            if word.len() < 8 {
                word.push(byte);
            }
            continue;
        }
        if pdn::is_result(&text(std::mem::take(&mut word))) {
            while byte != b'\n' && comment_of_result(source)?.is_some() {}
            return Ok(());
        }
    }
}
