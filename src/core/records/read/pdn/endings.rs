//! The end of a game in PDN: its result, and what may follow.

use std::io::BufRead;

use super::super::super::error::{LineColumn, RecordError, RecordFault, shorten};
use super::super::super::results;
use super::super::bytes::{ByteReader, is_space};
use super::super::pgn;
use super::boundaries::{LONGEST_WORD, begins_first_move};
use super::grammar::PdnParser;
use super::token::{is_of_word, skip_blanks};
use super::tokens;

/// The maximum number of characters of a comment that is examined.
const LONGEST_COMMENT: usize = 4096;

impl PdnParser {
    /// Adds a result after the moves. In words it may have a reason, which is kept as a comment.
    pub(super) fn add_result(&mut self, text: String, location: LineColumn) {
        if results::has_reason(&text) {
            self.comment(text.clone());
        }
        self.terminators.push((text, location));
    }

    /// Reads the comments on the line of the result, and another result of which one is in words. Anything
    /// else there belongs to no game, unless a game begins.
    pub(super) fn after_result<R: BufRead>(
        &mut self,
        source: &mut ByteReader<R>,
    ) -> Result<(), RecordError> {
        let word = loop {
            while let Some(text) = tokens::comment_on_line(source)? {
                self.comment(text);
            }
            let location = source.location();
            let word = source.peek_while(0, LONGEST_WORD, |c| !is_space(c));
            let has_points = self.terminators.iter().any(|(text, _)| results::is_points(text));
            if let Some(text) = tokens::result_in_words(source)? {
                self.add_result(text, location);
            } else if !has_points && results::is_points(&word) {
                source.consume(word.chars().count())?;
                self.add_result(word, location);
            } else {
                break word;
            }
        };
        if self.has_tags && !self.has_moves() && self.goes_on(source)? {
            for (text, location) in std::mem::take(&mut self.terminators) {
                self.note(RecordFault::Move(text).at(location));
            }
            return Ok(());
        }
        let begins_game = match word.chars().next() {
            None | Some('*') => true,
            Some('[') => self.has_moves(),
            // After numbered moves, the next game begins with number 1.
            Some(_) if self.has_heads() => {
                self.has_moves() && (begins_first_move(source)? || results::is_points(&word))
            }
            Some(c) => c.is_ascii_digit() || pgn::turn(&word).is_some(),
        };
        if !begins_game {
            let location = source.location();
            let text = tokens::rest_of_line(source)?;
            self.note(RecordFault::Remark(shorten(&text)).at(location));
        }
        Ok(())
    }

    /// Whether a result stands among the tags, or between them and the moves: tags that the game lacks or
    /// moves follow.
    fn goes_on<R: BufRead>(&self, source: &mut ByteReader<R>) -> Result<bool, RecordError> {
        skip_blanks(source)?;
        Ok(match source.peek()? {
            Some(b'[') => source.line_ends() <= 1 && !self.repeats_tag(source),
            Some(b'*') | None => false,
            // A comment before the moves, or before the tags of the next game.
            Some(b'{') => {
                let comment = source.peek_while(1, LONGEST_COMMENT, |c| c != '}').len() + 2;
                let blanks = source.peek_while(comment, LONGEST_WORD, is_space).len();
                source.peek_at(comment + blanks)?.is_some_and(|byte| byte != b'[')
            }
            Some(_) => {
                let word = source.peek_while(0, LONGEST_WORD, is_of_word);
                pgn::turn(&word).is_some() || word.starts_with(|c: char| c.is_ascii_digit())
            }
        })
    }

    /// Notes that a game without a result ends where the next one seems to share its tags.
    pub(super) fn check_next_game<R: BufRead>(
        &mut self,
        source: &mut ByteReader<R>,
    ) -> Result<(), RecordError> {
        if !self.terminators.is_empty() || !self.has_move {
            return Ok(());
        }
        let shares_tags = match source.peek()? {
            Some(b'[') => source.line_ends() == 0 || self.has_tags && !self.repeats_tag(source),
            Some(_) => self.has_tags && !self.numbering.has_begun(),
            None => false,
        };
        if shares_tags {
            self.note(RecordFault::NoResult.at(source.location()));
        }
        Ok(())
    }
}

/// Whether moves follow a game with numbers that continue it: a number other than 1 or, without an empty
/// line between, a move.
pub(super) fn continues_game<R: BufRead>(source: &mut ByteReader<R>) -> Result<bool, RecordError> {
    let word = source.peek_while(0, LONGEST_WORD, is_of_word);
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if word.split_once('.').is_some_and(|(number, _)| is_number(number)) {
        return Ok(!begins_first_move(source)?);
    }
    let is_move = pgn::turn(&word).is_some() || is_number(&word) && word != "1";
    Ok(is_move && source.line_ends() <= 1)
}
