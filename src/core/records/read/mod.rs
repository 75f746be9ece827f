//! Readers for all syntaxes of game records.
//!
//! A cutter finds the end of the next game in the text that has arrived, whatever is in the game, and a parser
//! reads the game. `pdn` reads PDN, PGN and move lists alike. Where the text does not name the game, `variant`
//! determines it, and `pgn` converts records to SGF where needed.

mod buffer;
mod charset;
mod pdn;
mod pgn;
mod sgf;
mod syntax;
mod variant;

use std::io::BufRead;

pub(super) use buffer::Buffer;
pub use buffer::MAX_GAME_BYTES;
use charset::Charset;
use sgf::Before;
use syntax::Syntax;
pub use syntax::{begins_like_games, begins_like_records, begins_over_lines};
pub use variant::DefaultVariant;

use super::error::{RecordError, RecordFault};
use super::record::Record;
use super::values::Format;

/// Reads the games of a text that arrives in parts.
#[derive(Default)]
pub(super) struct GameReader {
    syntax: Option<Syntax>,
    default_variant: Option<DefaultVariant>,
    /// Whether the text is UTF-8, whatever charset a game declares.
    is_decoded: bool,
    /// What is before the next game in SGF.
    before: Before,
    /// Whether a game in SGF has named the format or the game.
    has_heads: bool,
    /// Whether the rest of a game is skipped, which is too long.
    skips: bool,
    is_ended: bool,
}

impl GameReader {
    pub(super) fn new(default_variant: Option<DefaultVariant>, is_decoded: bool) -> Self {
        Self { default_variant, is_decoded, ..Self::default() }
    }

    /// The next game, or the error in its place; `None` if no further game has arrived as a whole.
    pub(super) fn next(&mut self, buffer: &mut Buffer) -> Option<Result<Record, RecordError>> {
        while !self.is_ended {
            let syntax = match self.syntax {
                Some(syntax) => syntax,
                None => match syntax::detect(buffer)? {
                    Ok(syntax) => *self.syntax.insert(syntax),
                    Err(error) => {
                        self.is_ended = true;
                        return Some(Err(error));
                    }
                },
            };
            if self.skips {
                self.skip_rest(buffer, syntax)?;
            }
            buffer.skip_blanks();
            if syntax == Syntax::Sgf {
                match sgf::skip_to_game(buffer, &mut self.before) {
                    Ok(true) => {}
                    Ok(false) => return None,
                    Err(error) => return Some(Err(error)),
                }
            }
            if !buffer.is_ready() {
                return None;
            }
            if let Some(game) = self.game(buffer, syntax)? {
                return Some(game);
            }
        }
        buffer.skip(buffer.rest().len());
        None
    }

    /// Reads the game at the beginning of the rest, which may be none. `None` if it has not arrived as a whole.
    fn game(
        &mut self,
        buffer: &mut Buffer,
        syntax: Syntax,
    ) -> Option<Option<Result<Record, RecordError>>> {
        let (rest, is_whole, location) = (buffer.rest(), buffer.is_whole(), buffer.location());
        let (charset, length) = match syntax {
            Syntax::Pdn => (Charset::default(), pdn::cut(rest, is_whole)),
            Syntax::Sgf => sgf::cut_in_charset(rest, is_whole, self.is_decoded),
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
        let text = charset.decode(rest.get(..length).unwrap_or(rest));
        let mut game = match syntax {
            Syntax::Pdn => pdn::read(&text, location, self.default_variant),
            Syntax::Sgf => {
                let charset = (!self.is_decoded).then_some(charset);
                let game =
                    sgf::read(&text, location, charset, self.has_heads, self.default_variant);
                self.before = Before::Game;
                self.has_heads |= game.as_ref().is_ok_and(sgf::has_head);
                Some(game)
            }
        };
        buffer.skip(length);
        if self.skips {
            let error = RecordFault::TooMuch("4 MiB").at(buffer.location());
            let fault = Some(error.to_string());
            game = Some(match game {
                Some(Ok(record)) => Ok(Record { fault, ..record }),
                _ => Err(error),
            });
        }
        Some(game)
    }

    /// Skips the rest of a game that is too long: up to a line that begins like a game. `None` if there is none
    /// so far.
    fn skip_rest(&mut self, buffer: &mut Buffer, syntax: Syntax) -> Option<()> {
        const LOOKAHEAD: usize = 64;
        loop {
            let rest = buffer.rest();
            let Some(line) = rest.iter().position(|&byte| byte == b'\n') else {
                buffer.skip(rest.len());
                return None;
            };
            let next =
                rest.get(line + 1..).filter(|next| next.len() >= LOOKAHEAD || buffer.is_whole())?;
            let begins = match syntax {
                Syntax::Sgf => sgf::begins_game(next),
                Syntax::Pdn => pdn::begins_game(next),
            };
            buffer.skip(line + 1);
            if begins {
                self.skips = false;
                return Some(());
            }
        }
    }
}

/// An iterator over the games of a file.
///
/// A record with a syntax error has it as its [fault](Record::fault); an error before the moves is the
/// item itself. Both are followed by the next game that can be found. An I/O
/// error is behind the games before it and ends the iteration.
pub struct RecordReader<R> {
    input: R,
    buffer: Buffer,
    games: GameReader,
    /// Why the input cannot be read further.
    failed: Option<RecordError>,
}

impl<R: BufRead> RecordReader<R> {
    /// A reader that detects the format from the beginning of the text.
    pub fn new(input: R) -> Self {
        Self { input, buffer: Buffer::new(1), games: GameReader::default(), failed: None }
    }

    /// Sets the format instead of detecting it.
    #[must_use]
    pub fn format(mut self, format: Format) -> Self {
        self.games.syntax = Some(match format {
            Format::Sgf => Syntax::Sgf,
            Format::Pdn => Syntax::Pdn,
        });
        self
    }

    /// Sets the variant of games that specify neither their variant nor their start position.
    #[must_use]
    pub fn default_variant(mut self, name: &str) -> Self {
        self.games.default_variant = DefaultVariant::given(name);
        self
    }

    /// Takes the text as UTF-8, whatever charset it declares: its caller has decoded it.
    #[must_use]
    pub fn decoded(mut self) -> Self {
        self.games.is_decoded = true;
        self
    }
}

impl<R: BufRead> Iterator for RecordReader<R> {
    type Item = Result<Record, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let game = self.games.next(&mut self.buffer);
            if game.is_some() || self.buffer.is_whole() {
                return game.or_else(|| self.failed.take().map(Err));
            }
            if let Err(error) = self.buffer.fill(&mut self.input) {
                self.failed = Some(RecordFault::Input(error).at(self.buffer.end()));
            }
        }
    }
}
