//! Sample files: training positions written by `soucie-lab selfplay`.
//!
//! A file is a sequence of blocks of 32 bytes; all numbers are little-endian. The last four bytes
//! of a block are the CRC-32 of the others. Byte 19 is the kind of the block:
//!
//! | kind | byte 19 | content |
//! |---|---|---|
//! | header, three blocks | 0xf0, 0xf1, 0xf2 | the settings of the games that follow |
//! | sample | 0, or 1 if the best move is noisy | a position of a game |
//! | end of a game | 0xe0 | the game to which the preceding samples belong |
//!
//! A file may contain any number of headers, each followed by its games, so that files can be
//! concatenated with `cat`. Samples without an end block belong to a game that was not written
//! completely.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod bytes;
mod reader;

use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use serde::{Serialize, Serializer};
use thiserror::Error;

pub use bytes::{write_game, write_header};
pub use reader::Reader;
use soucie::files::hash::hex;
use soucie::files::regular;
use soucie::game::{FeatureBits, Game};
use soucie_program::error::CommandError;

/// The size of a block, in bytes.
pub const BLOCK: usize = 32;

#[derive(Debug, Error)]
pub enum SamplesError {
    #[error("{path}: {error}")]
    File { path: PathBuf, error: io::Error },
    #[error("{path}, byte {at}: {what}")]
    Content {
        path: PathBuf,
        /// The offset in the file, in bytes.
        at: u64,
        what: &'static str,
    },
    #[error("{path}: expected samples of {wanted}, found {found}")]
    Game { path: PathBuf, found: String, wanted: &'static str },
}

impl From<SamplesError> for CommandError {
    fn from(error: SamplesError) -> Self {
        Self::Other(error.to_string())
    }
}

/// A training position: its features, the result of its search, and the result of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// The features from the point of view of the side to move.
    pub inputs: FeatureBits,
    /// The search score for the side to move, in units of the evaluation.
    pub score: i16,
    /// The result of the game for the side to move, in half points from 0 to 2.
    pub result: u8,
    /// Whether the best move was noisy ([`Heuristics::is_noisy`](soucie::game::Heuristics::is_noisy)).
    pub noisy: bool,
    /// The number of plies before this position.
    pub ply: u16,
    /// The best move in packed form ([`Move::packed`](soucie::game::Move::packed)).
    pub best: u16,
    /// The number of the game: the lower 32 bits of its seed.
    pub game: u32,
}

/// The settings of the games that follow. The manifest of a network has those of its data.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct Header {
    /// The name of the variant, at most 16 bytes.
    pub variant: String,
    #[serde(serialize_with = "version")]
    pub engine: [u16; 3],
    /// The first bytes of the hash of the network; zeros for the handcrafted evaluation.
    #[serde(serialize_with = "hash")]
    pub net: [u8; 8],
    pub first_seed: u64,
    /// The number of games, including dropped ones.
    pub seeds: u64,
    /// The node limit of each search.
    pub nodes: u64,
    /// A hash of everything else that the games depend on.
    #[serde(serialize_with = "number")]
    pub settings: u64,
}

fn version<S: Serializer>(version: &[u16; 3], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&version.map(|part| part.to_string()).join("."))
}

fn hash<S: Serializer>(bytes: &[u8; 8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&hex(bytes))
}

fn number<S: Serializer>(hash: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{hash:016x}"))
}

impl Header {
    /// Returns an error unless the samples after this header are of the game `P`. `path` is the
    /// file named in the error.
    pub fn expect<P: Game>(&self, path: &Path) -> Result<(), SamplesError> {
        if P::VARIANTS.iter().any(|variant| variant.name == self.variant) {
            return Ok(());
        }
        let wanted = P::VARIANTS.first().map_or("this game", |variant| variant.name);
        Err(SamplesError::Game { path: path.into(), found: self.variant.clone(), wanted })
    }
}

/// The end block of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SampledEnd {
    pub seed: u64,
    pub samples: u32,
    /// The length of the game, in plies.
    pub plies: u16,
    /// The result for Black, in half points; `None` if the opening was dropped.
    pub result: Option<u8>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Block {
    /// The settings of the games that follow.
    Header(Header),
    Sample(Sample),
    /// The end of the game to which the preceding samples belong.
    End(SampledEnd),
}

/// Returns all headers and samples of a file.
pub fn read(path: &Path) -> Result<(Vec<Header>, Vec<Sample>), SamplesError> {
    let file =
        regular::open(path).map_err(|error| SamplesError::File { path: path.into(), error })?;
    let mut headers = Vec::new();
    let mut samples = Vec::new();
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
    use soucie::games::draughts::Draughts;
    use soucie::games::loa::Loa;

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

    fn end(samples: u32) -> SampledEnd {
        SampledEnd { seed: 1 << 40 | 7, samples, plies: 61, result: Some(1) }
    }

    /// Returns a file with a header, a game of two samples and a dropped game.
    fn file() -> Vec<u8> {
        let mut bytes = Vec::new();
        write_header(&header(), &mut bytes).unwrap();
        let quiet = Sample { noisy: false, result: 0, ..SAMPLE };
        write_game(&[SAMPLE, quiet], &end(2), &mut bytes).unwrap();
        write_game(&[], &SampledEnd { result: None, ..end(0) }, &mut bytes).unwrap();
        bytes
    }

    fn blocks(bytes: &[u8]) -> Result<Vec<Block>, String> {
        let reader = Reader::new(bytes, Path::new("some.samples"));
        reader.collect::<Result<_, _>>().map_err(|error| error.to_string())
    }

    #[test]
    fn a_bad_file_is_refused_with_the_offset() {
        let file = file();
        let table: &[(&[u8], &str)] = &[
            (b"", "byte 0: the file is empty"),
            (b"8/8 b\n", "byte 0: not a sample file"),
            (&[b'x'; 64], "byte 0: not a sample file, or damaged"),
            (&file[..40], "byte 32: the file ends within a block"),
            (&file[..64], "byte 0: unterminated header"),
            (&file[..100], "byte 96: the file ends within a block"),
            (&file[..128], "byte 128: the file ends within a game"),
            (&file[96..], "byte 0: the file begins without a header"),
            (&[&file[..128], &file[..]].concat(), "byte 128: a header within a game"),
            (&[&file[..96], &file[128..]].concat(), "byte 128: a game with missing samples"),
        ];
        for (bytes, message) in table {
            assert_eq!(blocks(bytes).unwrap_err(), format!("some.samples, {message}"));
        }
        for at in 0..file.len() {
            let mut damaged = file.clone();
            damaged[at] ^= 0x10;
            assert!(blocks(&damaged).is_err(), "byte {at}");
        }
    }

    #[test]
    fn samples_of_another_game_are_refused() {
        let path = Path::new("some.samples");
        assert!(header().expect::<Loa>(path).is_ok());
        let error = header().expect::<Draughts>(path).unwrap_err().to_string();
        assert_eq!(error, "some.samples: expected samples of englishdraughts, found linesofaction");
    }
}
