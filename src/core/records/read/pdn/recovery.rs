//! Finds the next game after a syntax error.

use std::io::BufRead;

use super::super::super::error::RecordError;
use super::super::super::results;
use super::super::bytes::{ByteReader, is_blank};
use super::boundaries::{begins_first_move, begins_tags, read_comment};
use super::tokens::comment_on_line;

/// Skips the rest of a game: up to the first tag or move number 1 after its moves, or past its
/// terminator. A list without tags and move numbers also ends at an empty line.
pub(super) fn recover<R: BufRead>(source: &mut ByteReader<R>) -> Result<(), RecordError> {
    let follows_moves = source.depth > 0;
    let mut in_moves = follows_moves;
    let mut word = String::new();
    loop {
        let at_head = source.location().column == 1;
        let is_parted = source.is_list && source.line_ends() > 1;
        if at_head && (is_parted || follows_moves && begins_first_move(source)?) {
            return Ok(());
        }
        if at_head && source.peek()? == Some(b'[') {
            if in_moves && begins_tags(source)? {
                return Ok(());
            }
            skip_line(source)?;
            continue;
        }
        let Some(byte) = source.skip()? else { return Ok(()) };
        match byte {
            // Comments may contain a result.
            b';' if word.is_empty() => skip_line(source)?,
            b'{' if word.is_empty() => {
                read_comment(source, |source| Ok(source.skip()?.map(char::from)))?;
            }
            _ if !is_blank(byte) => {
                in_moves = true;
                // No terminator is longer.
                if word.len() < 8 {
                    word.push(char::from(byte));
                }
            }
            _ if results::is_points(&std::mem::take(&mut word)) => {
                while byte != b'\n' && comment_on_line(source)?.is_some() {}
                return Ok(());
            }
            _ => {}
        }
    }
}

/// Skips the rest of the line.
fn skip_line<R: BufRead>(source: &mut ByteReader<R>) -> Result<(), RecordError> {
    while source.peek()?.is_some_and(|byte| byte != b'\n') {
        source.skip()?;
    }
    Ok(())
}
