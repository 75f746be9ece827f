//! Reading and writing game records: SGF or PDN, whichever the game uses.
//!
//! PGN as written by XBoard, plain move lists and console logs can be read as well; they are
//! converted to the format of their game.
//!
//! A [`Reader`] yields the games of a file one by one and keeps only one in memory. A [`Record`]
//! is a game with its variations, comments and headers. Unknown properties and tags are preserved,
//! so that reading and writing a record keeps the game intact. Reading checks only the syntax;
//! [`replay()`] and [`check`] play the moves.
//!
//! The parsers are written here because no crate fits: `sgf-parse` needs a whole collection in
//! memory and reports no positions of syntax errors, and there is no crate for PDN.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod console_log;
mod error;
mod pdn;
mod pgn;
mod record;
mod replay;
mod rules;
pub mod setups;
mod sgf;
mod source;
mod syntax;
mod tree;

use std::io::BufRead;

use crate::game::Variant;
use crate::games;

use console_log::Dialogue;
pub use error::{Fault, Place, RecordError};
pub use record::{Info, MoveMark, Record, RecordResult};
pub use replay::{ReplayError, check, record_game, replay};
use source::Source;
use syntax::Syntax;
pub use syntax::{begins_like_games, begins_like_records};
pub use tree::Turn;

/// A file format of game records.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// The Smart Game Format, `FF[4]`. See <https://www.red-bean.com/sgf/>.
    Sgf,
    /// Portable Draughts Notation 3.0.
    Pdn,
}

/// An iterator over the games of a file.
///
/// After a syntax error it continues with the next game it can find. An I/O error ends it.
pub struct Reader<R> {
    source: Source<R>,
    syntax: Option<Syntax>,
    variant: Option<&'static Variant>,
    /// The state of a console log before the next game.
    dialogue: Dialogue,
    ended: bool,
}

impl<R: BufRead> Reader<R> {
    /// A reader that detects the format from the beginning of the text.
    pub fn new(input: R) -> Self {
        let (source, dialogue) = (Source::new(input), Dialogue::default());
        Self { source, syntax: None, variant: None, dialogue, ended: false }
    }

    /// Sets the format instead of detecting it.
    #[must_use]
    pub fn format(mut self, format: Format) -> Self {
        self.syntax = Some(match format {
            Format::Sgf => Syntax::Sgf,
            Format::Pdn => Syntax::Pdn,
        });
        self
    }

    /// Sets the variant of games that specify neither their variant nor their start position.
    #[must_use]
    pub fn variant(mut self, name: &str) -> Self {
        self.variant = games::variant(name);
        self
    }

    fn read(&mut self) -> Result<Option<Record>, RecordError> {
        let syntax = match self.syntax {
            Some(syntax) => syntax,
            None => match guess(&mut self.source)? {
                Some(syntax) => *self.syntax.insert(syntax),
                None => return Ok(None),
            },
        };
        self.source.begin();
        let (source, usual) = (&mut self.source, self.variant);
        match syntax {
            Syntax::Sgf => sgf::read::read(source, usual),
            Syntax::Pdn => pdn::read::read(source, usual),
            Syntax::Console => console_log::read(source, &mut self.dialogue, usual),
        }
    }

    /// Skips the rest of an invalid game.
    fn recover(&mut self) -> Result<(), RecordError> {
        match self.syntax {
            Some(Syntax::Sgf) => sgf::read::recover(&mut self.source),
            Some(Syntax::Pdn) => pdn::read::recover(&mut self.source),
            // The reader of console logs always stops after a complete line.
            Some(Syntax::Console) => Ok(()),
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

/// The syntax of the text; `None` if it is empty.
fn guess<R: BufRead>(source: &mut Source<R>) -> Result<Option<Syntax>, RecordError> {
    source.skip_blanks()?;
    let place = source.place();
    let Some(first) = source.peek()? else { return Ok(None) };
    let syntax = match first {
        b'(' => Some(Syntax::Sgf),
        b'[' | b'{' | b'%' | b';' | b'*' => Some(Syntax::Pdn),
        _ => syntax::of(source.head(syntax::HEAD)),
    };
    match syntax {
        // The number of the first move may lack its full stop.
        None if first.is_ascii_digit() => Ok(Some(Syntax::Pdn)),
        None => Err(Fault::Format(char::from(first)).at(place)),
        found => Ok(found),
    }
}
