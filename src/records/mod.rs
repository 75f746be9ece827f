//! Records of games in the formats of the field: SGF for Lines of Action, PDN for English
//! draughts; PGN as XBoard writes it for Lines of Action, plain lists of moves of either game and
//! the logs of a console are read, too, and become one of the two.
//!
//! A [`Reader`] yields the games of a file one after the other and keeps no more than one of them
//! in memory. A [`Record`] is a game with its variations, comments and headers; whatever a file
//! says beyond that is kept, so that a record that is read and written again is the same game.
//! Only syntax is checked on reading; [`replay()`] and [`check`] play the moves.
//!
//! Both formats are read by hand. The crate `sgf-parse` wants a whole collection in memory and
//! names no place for an error of syntax; for PDN there is no crate.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod console_log;
mod error;
mod pdn;
mod pgn;
mod record;
mod replay;
pub mod setups;
mod sgf;
mod source;
mod syntax;
mod tree;

use std::io::BufRead;

use console_log::Dialogue;
pub use error::{Fault, Place, RecordError};
pub use record::{Info, MoveMark, Record, RecordResult};
pub use replay::{ReplayError, check, record_game, replay};
use source::Source;
use syntax::Syntax;
pub use syntax::begins_like_games;
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
    syntax: Option<Syntax>,
    variant: Option<&'static str>,
    /// What the log of a console said before the next game.
    dialogue: Dialogue,
    ended: bool,
}

impl<R: BufRead> Reader<R> {
    /// Reads any format: how the text begins tells which.
    pub fn new(input: R) -> Self {
        let (source, dialogue) = (Source::new(input), Dialogue::default());
        Self { source, syntax: None, variant: None, dialogue, ended: false }
    }

    /// Reads this format.
    #[must_use]
    pub fn format(mut self, format: Format) -> Self {
        self.syntax = Some(match format {
            Format::Sgf => Syntax::Sgf,
            Format::Pdn => Syntax::Pdn,
        });
        self
    }

    /// Takes games for this variant that do not say what is played or how they begin.
    #[must_use]
    pub fn variant(mut self, name: &'static str) -> Self {
        self.variant = Some(name);
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
        let (source, told) = (&mut self.source, self.variant);
        match syntax {
            Syntax::Sgf => sgf::read::read(source, told),
            Syntax::Pdn => pdn::read::read(source, told),
            Syntax::Console => console_log::read(source, &mut self.dialogue, told),
        }
    }

    /// Passes over the rest of a game that is wrong.
    fn recover(&mut self) -> Result<(), RecordError> {
        match self.syntax {
            Some(Syntax::Sgf) => sgf::read::recover(&mut self.source),
            Some(Syntax::Pdn) => pdn::read::recover(&mut self.source),
            // Its reader stops behind a line.
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

/// What the text is written in; none if it is empty.
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
        // Somebody may write the number of the first move without a full stop.
        None if first.is_ascii_digit() => Ok(Some(Syntax::Pdn)),
        None => Err(Fault::Format(char::from(first)).at(place)),
        found => Ok(found),
    }
}
