//! Files of positions from which an evaluation learns, as `soucie selfplay` writes them.
//!
//! A file is a row of blocks of 32 bytes, all numbers with the low byte first. The last four bytes
//! of a block are the CRC-32 of the others, and byte 19 tells its kind, so that a block tells by
//! itself what it is:
//!
//! | kind | byte 19 | what it holds |
//! |---|---|---|
//! | header, three blocks | 0xf0, 0xf1, 0xf2 | how the games behind it were made |
//! | sample | 0, 1 where the best move is noisy | a position of a game |
//! | end of a game | 0xe0 | which game the samples before it are of |
//!
//! Any number of headers with their games may follow one another, so that files can be put
//! together with `cat`. A game that has no end was not written to its end.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod bytes;
mod reader;

use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::game::{FeatureBits, Position};
pub use bytes::{write_game, write_header};
pub use reader::Reader;

/// The bytes of a block.
pub const BLOCK: usize = 32;

/// What can be wrong with a file of samples.
#[derive(Debug, Error)]
pub enum SamplesError {
    /// It cannot be read or written.
    #[error("{path}: {error}")]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: io::Error,
    },
    /// It holds something that does not belong there.
    #[error("{path}, byte {at}: {what}")]
    Content {
        /// The file.
        path: PathBuf,
        /// Where in the file.
        at: u64,
        /// What is wrong.
        what: &'static str,
    },
    /// It is of another game.
    #[error("{path} is of {found}, not of {wanted}")]
    Game {
        /// The file.
        path: PathBuf,
        /// The variant that was played.
        found: String,
        /// The game that is asked for.
        wanted: &'static str,
    },
}

/// A position of a game, and what was found out about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// The board as the side to move sees it.
    pub inputs: FeatureBits,
    /// The score of the search for the side to move, in units of the evaluation.
    pub score: i16,
    /// The half points, 0 to 2, that the side to move got of the game.
    pub result: u8,
    /// Whether the best move was noisy ([`Position::is_noisy`]).
    pub noisy: bool,
    /// The plies of the game before this position.
    pub ply: u16,
    /// The tag ([`Move::packed`](crate::game::Move::packed)) of the best move.
    pub best: u16,
    /// The number of the game: the low half of its seed.
    pub game: u32,
}

/// How the games behind it were made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// The name of the variant, of 16 bytes at the most.
    pub variant: String,
    /// The version of the engine.
    pub engine: [u16; 3],
    /// The first bytes of the hash of the network; zero for the handcrafted evaluation.
    pub net: [u8; 8],
    /// The seed of the first game.
    pub first_seed: u64,
    /// The number of games, some of which may have been dropped.
    pub seeds: u64,
    /// The positions that a search may visit.
    pub nodes: u64,
    /// A hash of everything else on which the games depend.
    pub settings: u64,
}

impl Header {
    /// Whether the samples behind this header are of the game `P`; `path` is the file for the
    /// error.
    pub fn expect<P: Position>(&self, path: &Path) -> Result<(), SamplesError> {
        if P::VARIANTS.iter().any(|variant| variant.name == self.variant) {
            return Ok(());
        }
        let wanted = P::VARIANTS.first().map_or("this game", |variant| variant.name);
        Err(SamplesError::Game { path: path.into(), found: self.variant.clone(), wanted })
    }
}

/// What stands behind the samples of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameEnd {
    /// The seed.
    pub seed: u64,
    /// The number of samples.
    pub samples: u32,
    /// The plies that were played.
    pub plies: u16,
    /// The half points that Black got; none where the opening was dropped.
    pub result: Option<u8>,
}

/// What a file consists of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Block {
    /// How the following games were made.
    Header(Header),
    /// A position.
    Sample(Sample),
    /// The samples before it are a game.
    End(GameEnd),
}

/// Reads all headers and samples of a file.
pub fn read(path: &Path) -> Result<(Vec<Header>, Vec<Sample>), SamplesError> {
    let file = File::open(path).map_err(|error| SamplesError::File { path: path.into(), error })?;
    let room = file.metadata().map_or(0, |data| data.len()) / BLOCK as u64;
    let mut headers = Vec::new();
    let mut samples = Vec::with_capacity(usize::try_from(room).unwrap_or(0));
    for block in Reader::new(BufReader::with_capacity(1 << 20, file), path) {
        match block? {
            Block::Header(header) => headers.push(header),
            Block::Sample(sample) => samples.push(sample),
            Block::End(_) => {}
        }
    }
    Ok((headers, samples))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use super::*;
    use crate::games::draughts::Draughts;
    use crate::games::loa::Loa;
    use crate::games::variants;

    pub const SAMPLE: Sample = Sample {
        inputs: [0x0123_4567_89ab_cdef, u64::MAX],
        score: -1234,
        result: 2,
        noisy: true,
        ply: 0x1234,
        best: 0xabcd,
        game: 0x89ab_cdef,
    };

    fn header() -> Header {
        Header {
            variant: "linesofaction".into(),
            engine: [0, 1, 513],
            net: *b"deadbeef",
            first_seed: 0x0102_0304_0506_0708,
            seeds: 10,
            nodes: 1_000,
            settings: u64::MAX - 1,
        }
    }

    fn end(samples: u32) -> GameEnd {
        GameEnd { seed: 1 << 40 | 7, samples, plies: 61, result: Some(1) }
    }

    /// A header, a game of two samples and a dropped game.
    fn file() -> Vec<u8> {
        let mut bytes = Vec::new();
        write_header(&header(), &mut bytes).unwrap();
        let quiet = Sample { noisy: false, result: 0, ..SAMPLE };
        write_game(&[SAMPLE, quiet], &end(2), &mut bytes).unwrap();
        write_game(&[], &GameEnd { result: None, ..end(0) }, &mut bytes).unwrap();
        bytes
    }

    fn blocks(bytes: &[u8]) -> Result<Vec<Block>, String> {
        let reader = Reader::new(bytes, Path::new("some.samples"));
        reader.collect::<Result<_, _>>().map_err(|error| error.to_string())
    }

    #[test]
    fn what_is_written_is_read_again() {
        let game = |result, samples| Block::End(GameEnd { result, ..end(samples) });
        let quiet = Sample { noisy: false, result: 0, ..SAMPLE };
        let whole = [
            Block::Header(header()),
            Block::Sample(SAMPLE),
            Block::Sample(quiet),
            game(Some(1), 2),
            game(None, 0),
        ];
        assert_eq!(blocks(&file()).unwrap(), whole);
        assert_eq!(blocks(&[file(), file()].concat()).unwrap(), [whole.clone(), whole].concat());
    }

    #[test]
    fn a_bad_file_is_refused_and_the_place_told() {
        let file = file();
        let table: &[(&[u8], &str)] = &[
            (b"", "byte 0: the file is empty"),
            (b"8/8 b\n", "byte 0: the file ends within a block"),
            (&[b'x'; 64], "byte 0: this is no part of a file of samples, or damaged"),
            (&file[..40], "byte 32: the file ends within a block"),
            (&file[..64], "byte 0: a header without its end"),
            (&file[..100], "byte 96: the file ends within a block"),
            (&file[..128], "byte 128: the file ends within a game"),
            (&file[96..], "byte 0: the file begins without a header"),
            (&[&file[..128], &file[..]].concat(), "byte 128: a header within a game"),
            (
                &[&file[..96], &file[128..]].concat(),
                "byte 128: a game that lacks some of its samples",
            ),
        ];
        for (bytes, complaint) in table {
            assert_eq!(blocks(bytes).unwrap_err(), format!("some.samples, {complaint}"));
        }
        for at in 0..file.len() {
            let mut damaged = file.clone();
            damaged[at] ^= 0x10;
            assert!(blocks(&damaged).is_err(), "byte {at}");
        }
    }

    #[test]
    fn every_variant_has_room_for_its_name() {
        assert!(variants().all(|variant| variant.name.len() <= 16));
    }

    #[test]
    fn the_header_tells_the_game() {
        let path = Path::new("some.samples");
        assert!(header().expect::<Loa>(path).is_ok());
        let error = header().expect::<Draughts>(path).unwrap_err().to_string();
        assert_eq!(error, "some.samples is of linesofaction, not of englishdraughts");
    }
}
