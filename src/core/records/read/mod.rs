//! Readers for all syntaxes of game records.
//!
//! `pdn` parses PDN, PGN and move lists alike. Where the text does not name the game, `variant`
//! determines it, and `pgn` recognises the moves and converts them to SGF where needed.

mod bytes;
mod charset;
mod parsed;
mod pdn;
mod pgn;
mod sgf;
mod syntax;
mod variant;

use std::io::BufRead;

use bytes::ByteReader;
pub use bytes::MAX_GAME_BYTES;
use syntax::Syntax;
pub use syntax::{begins_like_games, begins_like_records, begins_over_lines};
pub use variant::DefaultVariant;

use super::error::RecordError;
use super::record::Record;
use super::values::Format;

/// An iterator over the games of a file.
///
/// A record with a syntax error has it as its [fault](Record::fault); an error before the moves may be the
/// item itself. Both are followed by the next game that can be found. An I/O
/// error ends the iteration.
pub struct RecordReader<R> {
    source: ByteReader<R>,
    syntax: Option<Syntax>,
    default_variant: Option<DefaultVariant>,
    sgf: sgf::SgfReader,
    /// An error of the input behind the last game.
    failed: Option<RecordError>,
    ended: bool,
}

impl<R: BufRead> RecordReader<R> {
    /// A reader that detects the format from the beginning of the text.
    pub fn new(input: R) -> Self {
        Self {
            source: ByteReader::new(input),
            syntax: None,
            default_variant: None,
            sgf: sgf::SgfReader::default(),
            failed: None,
            ended: false,
        }
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
    pub fn default_variant(self, name: &str) -> Self {
        self.with_default(DefaultVariant::given(name))
    }

    pub(super) fn with_default(mut self, variant: Option<DefaultVariant>) -> Self {
        self.default_variant = variant;
        self
    }

    /// Takes the text as UTF-8, whatever charset it declares: its caller has decoded it.
    #[must_use]
    pub fn decoded(mut self) -> Self {
        self.sgf.is_decoded = true;
        self
    }

    /// Sets the number of the first line, for a text that is a part of another one.
    #[must_use]
    pub fn first_line(mut self, line: usize) -> Self {
        self.source.set_line(line as u64);
        self
    }

    fn read(&mut self) -> Result<Option<Record>, RecordError> {
        let syntax = match self.syntax {
            Some(syntax) => syntax,
            None => match syntax::detect(&mut self.source)? {
                Some(syntax) => *self.syntax.insert(syntax),
                None => return Ok(None),
            },
        };
        self.source.begin();
        let (source, default_variant) = (&mut self.source, self.default_variant);
        match syntax {
            Syntax::Sgf => self.sgf.read(source, default_variant),
            Syntax::Pdn => pdn::read(source, default_variant),
        }
    }

    /// Skips the rest of an invalid game.
    fn recover(&mut self) -> Result<(), RecordError> {
        match self.syntax {
            // Its text was valid, but no game of the variant.
            _ if self.source.is_complete => Ok(()),
            Some(Syntax::Sgf) => sgf::recover(&mut self.source),
            Some(Syntax::Pdn) => pdn::recover(&mut self.source),
            None => {
                self.ended = true;
                Ok(())
            }
        }
    }
}

impl<R: BufRead> Iterator for RecordReader<R> {
    type Item = Result<Record, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        if let Some(error) = self.failed.take() {
            self.ended = true;
            return Some(Err(error));
        }
        let read = self.read().transpose();
        let is_broken = match &read {
            Some(Ok(record)) => record.fault().is_some(),
            Some(Err(error)) => !error.is_of_input(),
            None => false,
        };
        if is_broken {
            // Another error lies behind what was skipped, where the next game is looked for.
            self.failed = self.recover().err().filter(RecordError::is_of_input);
        }
        self.ended |= match &read {
            None => true,
            Some(read) => read.as_ref().is_err_and(RecordError::is_of_input),
        };
        read
    }
}
