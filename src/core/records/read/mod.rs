//! Readers for all formats of game records.
//!
//! A cutter finds the end of the next game in the text that has arrived, whatever is in the game, and a parser
//! reads the game. `pdn` reads PDN, PGN and move lists alike. Where the text does not name the game, `variant`
//! determines it, and `pgn` converts records to SGF where needed.

mod buffer;
mod charset;
mod detect;
mod pdn;
mod pgn;
mod sgf;
mod variant;

pub(super) use buffer::Buffer;
use buffer::MAX_GAME_BYTES;
use charset::Charset;
pub(super) use detect::{Detected, Detector, format_of, unsupported_format};
pub use detect::{beginning, begins_like_games, begins_like_records};
use sgf::Before;

use super::error::{LineColumn, RecordError, RecordFault};
use super::record::Record;
use super::values::RecordFormat;
use crate::game::Variant;

/// Reads the games of a text that arrives in parts.
pub(super) struct GameReader {
    /// How the games are written. PGN and lists of moves are read like PDN.
    format: RecordFormat,
    preferred: Option<&'static Variant>,
    /// Whether the text is UTF-8, whatever charset a game declares.
    is_decoded: bool,
    /// What is before the next game in SGF.
    before: Before,
    /// Whether a game in SGF has named the format or the game.
    has_heads: bool,
    /// Whether the rest of a game is skipped, which is too long.
    skips: bool,
}

impl GameReader {
    pub(super) fn new(
        format: RecordFormat,
        preferred: Option<&'static Variant>,
        is_decoded: bool,
    ) -> Self {
        let (before, has_heads, skips) = (Before::Nothing, false, false);
        Self { format, preferred, is_decoded, before, has_heads, skips }
    }

    /// The next game, or the error in its place; `None` if no further game has arrived as a whole.
    pub(super) fn next(&mut self, buffer: &mut Buffer) -> Option<Result<Record, RecordError>> {
        loop {
            let raw = match self.cut(buffer)? {
                Ok(raw) => raw,
                Err(error) => return Some(Err(error)),
            };
            if let Some(game) = raw.read() {
                self.has_heads |= game.as_ref().is_ok_and(sgf::has_head);
                return Some(game);
            }
        }
    }

    /// Whether no later game depends on what the next one has in its root, so that games may be read in any order.
    pub(super) fn may_cut(&self) -> bool {
        self.format == RecordFormat::Pdn || self.has_heads
    }

    /// Cuts out the next game, or returns the error in its place; `None` if no further game has arrived as a whole.
    pub(super) fn cut(&mut self, buffer: &mut Buffer) -> Option<Result<RawGame, RecordError>> {
        if self.skips {
            self.skip_rest(buffer)?;
        }
        match self.format {
            RecordFormat::Pdn => buffer.skip_comments()?,
            RecordFormat::Sgf => match sgf::skip_to_game(buffer, &mut self.before) {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => return Some(Err(error)),
            },
        }
        if !buffer.is_ready() {
            return None;
        }
        let (rest, is_whole, location) = (buffer.rest(), buffer.is_whole(), buffer.location());
        let charset = match self.format {
            RecordFormat::Sgf if !self.is_decoded => sgf::charset(rest),
            _ => Charset::default(),
        };
        let length = match self.format {
            RecordFormat::Pdn => pdn::cut(rest, is_whole),
            RecordFormat::Sgf => sgf::cut(rest, is_whole, charset),
        };
        self.skips = length.unwrap_or(rest.len()) > MAX_GAME_BYTES;
        let length = match length {
            _ if self.skips => MAX_GAME_BYTES,
            Some(length) => length,
            None => {
                buffer.wait();
                return None;
            }
        };
        let (text, next) = rest.split_at_checked(length).unwrap_or((rest, &[]));
        let next_tag = next.starts_with(b"[").then(|| pdn::tag_name(next).to_vec());
        let text = text.to_vec();
        buffer.skip(length);
        self.before = Before::Game;
        Some(Ok(RawGame {
            format: self.format,
            preferred: self.preferred,
            is_decoded: self.is_decoded,
            charset,
            has_heads: self.has_heads,
            text,
            location,
            next_tag,
            cut_off: self.skips.then(|| buffer.location()),
        }))
    }

    /// Skips the rest of a game that is too long: up to a line that begins like a game. `None` if there is none
    /// so far.
    fn skip_rest(&mut self, buffer: &mut Buffer) -> Option<()> {
        const LOOKAHEAD: usize = 64;
        while self.skips {
            let rest = buffer.rest();
            let Some(line) = rest.iter().position(|&byte| byte == b'\n') else {
                buffer.skip(rest.len());
                return None;
            };
            let next =
                rest.get(line + 1..).filter(|next| next.len() >= LOOKAHEAD || buffer.is_whole())?;
            self.skips = match self.format {
                RecordFormat::Sgf => !sgf::begins_game(next),
                RecordFormat::Pdn => !pdn::begins_game(next),
            };
            buffer.skip(line + 1);
        }
        Some(())
    }
}

/// A game that is cut out of a text, with all that reading it depends on.
pub struct RawGame {
    format: RecordFormat,
    preferred: Option<&'static Variant>,
    is_decoded: bool,
    charset: Charset,
    has_heads: bool,
    text: Vec<u8>,
    location: LineColumn,
    /// The name of the tag that follows on the line in PDN.
    next_tag: Option<Vec<u8>>,
    /// Where the game is cut off, if it is too long.
    cut_off: Option<LineColumn>,
}

impl RawGame {
    /// Reads the game; `None` if there are only blanks.
    pub(super) fn read(&self) -> Option<Result<Record, RecordError>> {
        let Self { charset, location, .. } = *self;
        let (text, malformed) = charset.decode(&self.text);
        let mut game = match self.format {
            RecordFormat::Pdn => {
                pdn::read(&text, self.next_tag.as_deref(), location, self.preferred)
            }
            RecordFormat::Sgf => {
                let charset = (!self.is_decoded).then_some(charset);
                Some(sgf::read(&text, location, charset, self.has_heads, self.preferred))
            }
        };
        if let (Some(Ok(record)), Some(place)) = (&mut game, malformed) {
            let location = location.after(text.as_bytes().get(..place).unwrap_or_default());
            let declared = if self.is_decoded { Some("UTF-8") } else { charset.name() };
            record.set_charset(location, declared);
        }
        if let Some(location) = self.cut_off {
            let error = RecordFault::too_much("4 MiB").at(location);
            let fault = Some(error.to_string());
            game = Some(match game {
                Some(Ok(record)) => Ok(Record { fault, ..record }),
                _ => Err(error),
            });
        }
        game
    }
}

impl Record {
    /// Notes that some text is not in the charset that the file declares, or that none is declared.
    fn set_charset(&mut self, location: LineColumn, declared: Option<&str>) {
        match declared {
            Some(name) => {
                let fault = format!("{location}: expected text in {name}, the declared charset");
                self.fault.get_or_insert(fault);
            }
            None => {
                let note = "read as windows-1252: no charset is declared";
                self.note = Some(format!("{location}: {note}"));
            }
        }
    }
}
