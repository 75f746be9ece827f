//! Records of games in the formats of the field: SGF for Lines of Action, PDN for English
//! draughts.
//!
//! A [`Reader`] yields the games of a file one after the other and keeps no more than one of them
//! in memory. A [`Record`] is a game with its variations, comments and headers; whatever a file
//! says beyond that is kept, so that a record that is read and written again is the same game.
//! Only syntax is checked on reading; [`replay()`] and [`check`] play the moves.
//!
//! Both formats are read by hand. The crate `sgf-parse` wants a whole collection in memory and
//! names no place for an error of syntax; for PDN there is no crate.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod error;
mod pdn;
mod record;
mod replay;
pub mod setups;
mod sgf;
mod source;
mod tree;

use std::io::BufRead;

pub use error::{Fault, Place, RecordError};
pub use record::{Info, Judgement, Outcome, Record};
pub use replay::{ReplayError, check, record_game, replay};
use source::Source;
pub use tree::Turn;

/// How a record is written down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// The Smart Game Format, `FF[4]`, for Lines of Action.
    /// See <https://www.red-bean.com/sgf/loa.html>.
    Sgf,
    /// Portable Draughts Notation 3.0, for English draughts.
    Pdn,
}

/// Reads the games of a file one after the other.
///
/// After an error it goes on with the next game it can find; an error of the input itself ends
/// it.
pub struct Reader<R> {
    source: Source<R>,
    format: Option<Format>,
    variant: Option<&'static str>,
    ended: bool,
}

impl<R: BufRead> Reader<R> {
    /// Reads either format: the first letters tell which.
    pub fn new(input: R) -> Self {
        Self { source: Source::new(input), format: None, variant: None, ended: false }
    }

    /// Reads this format.
    #[must_use]
    pub fn format(mut self, format: Format) -> Self {
        self.format = Some(format);
        self
    }

    /// Takes games that do not say how they begin for this variant, where the format has it.
    #[must_use]
    pub fn variant(mut self, name: &'static str) -> Self {
        self.variant = Some(name);
        self
    }

    fn read(&mut self) -> Result<Option<Record>, RecordError> {
        let format = match self.format {
            Some(format) => format,
            None => match guess(&mut self.source)? {
                Some(format) => *self.format.insert(format),
                None => return Ok(None),
            },
        };
        self.source.begin();
        match format {
            Format::Sgf => sgf::read::read(&mut self.source, self.variant),
            Format::Pdn => pdn::read::read(&mut self.source),
        }
    }

    /// Passes over the rest of a game that is wrong.
    fn recover(&mut self) -> Result<(), RecordError> {
        match self.format {
            Some(Format::Sgf) => sgf::read::recover(&mut self.source),
            Some(Format::Pdn) => pdn::read::recover(&mut self.source),
            None => {
                self.ended = true;
                Ok(())
            }
        }
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Record, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let read = self.read().transpose();
        let recovered = match &read {
            Some(Err(error)) if !error.is_of_input() => self.recover(),
            _ => Ok(()),
        };
        let of_input = |error: &RecordError| error.is_of_input();
        self.ended |= match &read {
            None => true,
            Some(read) => read.as_ref().is_err_and(of_input) || recovered.is_err(),
        };
        read
    }
}

/// SGF begins with `(;`, PDN with a tag, a comment or a move.
fn guess<R: BufRead>(source: &mut Source<R>) -> Result<Option<Format>, RecordError> {
    source.skip_blanks()?;
    let place = source.place();
    Ok(Some(match source.peek()? {
        None => return Ok(None),
        Some(b'(') => Format::Sgf,
        Some(b'[' | b'{' | b'%' | b';' | b'*' | b'0'..=b'9') => Format::Pdn,
        Some(byte) => return Err(Fault::Format(char::from(byte)).at(place)),
    }))
}
