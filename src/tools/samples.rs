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

use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::game::{Game, Inputs};

/// The bytes of a block.
pub const BLOCK: usize = 32;
/// The bytes of a block without its check.
const BODY: usize = BLOCK - 4;
/// The byte of a block that tells its kind.
const KIND: usize = 19;

/// The first bytes of a header, and the form of the file that is described here.
const MAGIC: [u8; 8] = *b"SoucieSP";
const FORMAT: u16 = 1;

/// The kinds of blocks that are no samples.
mod kind {
    pub const HEADER: [u8; 3] = [0xf0, 0xf1, 0xf2];
    pub const END: u8 = 0xe0;
}

/// The kind of a sample whose best move is noisy; it is 0 for the others.
const NOISY: u8 = 1;

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
    pub inputs: Inputs,
    /// The score of the search for the side to move, in units of the evaluation.
    pub score: i16,
    /// The half points, 0 to 2, that the side to move got of the game.
    pub result: u8,
    /// Whether the best move was noisy ([`Game::is_noisy`]).
    pub noisy: bool,
    /// The plies of the game before this position.
    pub ply: u16,
    /// The tag ([`Ply::tag`](crate::game::Ply::tag)) of the best move.
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
    /// Whether the samples behind this header are of the game `G`; `path` is the file for the
    /// error.
    pub fn expect<G: Game>(&self, path: &Path) -> Result<(), SamplesError> {
        if G::VARIANTS.iter().any(|variant| variant.name == self.variant) {
            return Ok(());
        }
        let wanted = G::VARIANTS.first().map_or("this game", |variant| variant.name);
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

/// Reads a file block by block and ends with the first error. Games come whole, or there is an
/// error behind their samples.
pub struct Reader<R> {
    input: R,
    path: PathBuf,
    /// The bytes read so far.
    at: u64,
    /// The samples since the last game.
    open: u32,
    /// Whether there was a header.
    has_begun: bool,
    is_over: bool,
}

impl<R: Read> Reader<R> {
    /// Reads `input`, which errors call `path`.
    pub fn new(input: R, path: &Path) -> Self {
        Self { input, path: path.into(), at: 0, open: 0, has_begun: false, is_over: false }
    }

    /// The bytes read so far.
    pub fn position(&self) -> u64 {
        self.at
    }

    fn wrong(&self, at: u64, what: &'static str) -> SamplesError {
        SamplesError::Content { path: self.path.clone(), at, what }
    }

    /// The next block as it stands in the file; `None` at the end.
    fn bytes(&mut self) -> Result<Option<[u8; BLOCK]>, SamplesError> {
        let mut bytes = [0; BLOCK];
        let mut filled = 0;
        while let Some(rest) = bytes.get_mut(filled..).filter(|rest| !rest.is_empty()) {
            match self.input.read(rest) {
                Ok(0) if filled == 0 => return Ok(None),
                Ok(0) => return Err(self.wrong(self.at, "the file ends within a block")),
                Ok(read) => filled += read,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(SamplesError::File { path: self.path.clone(), error }),
            }
        }
        if bytes != sealed(bytes) {
            return Err(self.wrong(self.at, "this is no part of a file of samples, or damaged"));
        }
        self.at += BLOCK as u64;
        Ok(Some(bytes))
    }

    fn block(&mut self) -> Result<Option<Block>, SamplesError> {
        let at = self.at;
        let Some(bytes) = self.bytes()? else {
            return if self.open > 0 {
                Err(self.wrong(at, "the file ends within a game"))
            } else if !self.has_begun {
                Err(self.wrong(at, "the file is empty"))
            } else {
                Ok(None)
            };
        };
        let block = match bytes.get(KIND) {
            Some(0 | &NOISY) => Block::Sample(Sample::unpack(&bytes)),
            Some(&kind::END) => Block::End(GameEnd::unpack(&bytes)),
            Some(kind) if kind::HEADER.first() == Some(kind) => self.header(&bytes)?,
            _ => return Err(self.wrong(at, "a block of a kind that this version does not know")),
        };
        self.check(&block).map_err(|what| self.wrong(at, what))?;
        Ok(Some(block))
    }

    fn header(&mut self, first: &[u8; BLOCK]) -> Result<Block, SamplesError> {
        let at = self.at - BLOCK as u64;
        let [_, second, third] = kind::HEADER;
        let mut next = |kind| match self.bytes()? {
            Some(bytes) if bytes.get(KIND) == Some(&kind) => Ok(bytes),
            _ => Err(self.wrong(at, "a header without its end")),
        };
        let header = Header::unpack([first, &next(second)?, &next(third)?]);
        header.map(Block::Header).map_err(|what| self.wrong(at, what))
    }

    /// Whether a block may stand where it does.
    fn check(&mut self, block: &Block) -> Result<(), &'static str> {
        match block {
            Block::Header(_) if self.open > 0 => return Err("a header within a game"),
            Block::Header(_) => self.has_begun = true,
            _ if !self.has_begun => return Err("the file begins without a header"),
            Block::Sample(sample) if sample.result > 2 => return Err("a result that is none"),
            Block::Sample(_) => self.open += 1,
            Block::End(end) if end.samples != self.open => {
                return Err("a game that lacks some of its samples");
            }
            Block::End(_) => self.open = 0,
        }
        Ok(())
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<Block, SamplesError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let block = self.block().transpose();
        self.is_over = !matches!(block, Some(Ok(_)));
        block
    }
}

// Blocks as bytes.

/// Writes a header.
pub fn write_header(header: &Header, output: &mut dyn Write) -> io::Result<()> {
    header.pack().iter().try_for_each(|block| output.write_all(block))
}

/// Writes a game: its samples, all in one piece with its end.
pub fn write_game(samples: &[Sample], end: &GameEnd, output: &mut dyn Write) -> io::Result<()> {
    let mut bytes = Vec::with_capacity((samples.len() + 1) * BLOCK);
    for sample in samples {
        bytes.extend_from_slice(&sample.pack());
    }
    bytes.extend_from_slice(&end.pack());
    output.write_all(&bytes)
}

impl Sample {
    fn pack(&self) -> [u8; BLOCK] {
        let [own, others] = self.inputs;
        let mut body = Body::default();
        body.add(own.to_le_bytes()).add(others.to_le_bytes()).add(self.score.to_le_bytes());
        body.add([self.result, if self.noisy { NOISY } else { 0 }]).add(self.ply.to_le_bytes());
        body.add(self.best.to_le_bytes()).add(self.game.to_le_bytes()).sealed()
    }

    fn unpack(bytes: &[u8; BLOCK]) -> Self {
        let mut fields = Fields(bytes);
        let inputs = [u64::from_le_bytes(fields.take()), u64::from_le_bytes(fields.take())];
        let score = i16::from_le_bytes(fields.take());
        let [result, kind] = fields.take();
        Self {
            inputs,
            score,
            result,
            noisy: kind == NOISY,
            ply: u16::from_le_bytes(fields.take()),
            best: u16::from_le_bytes(fields.take()),
            game: u32::from_le_bytes(fields.take()),
        }
    }
}

impl GameEnd {
    /// In place of the half points of a game that was not played.
    const DROPPED: u8 = u8::MAX;

    fn pack(&self) -> [u8; BLOCK] {
        let mut body = Body::default();
        body.add(self.seed.to_le_bytes()).add(self.samples.to_le_bytes());
        body.add(self.plies.to_le_bytes()).add([self.result.unwrap_or(Self::DROPPED)]);
        body.add([0; 4]).add([kind::END]).sealed()
    }

    fn unpack(bytes: &[u8; BLOCK]) -> Self {
        let mut fields = Fields(bytes);
        let seed = u64::from_le_bytes(fields.take());
        let samples = u32::from_le_bytes(fields.take());
        let plies = u16::from_le_bytes(fields.take());
        let [result] = fields.take();
        Self { seed, samples, plies, result: (result != Self::DROPPED).then_some(result) }
    }
}

impl Header {
    fn pack(&self) -> [[u8; BLOCK]; 3] {
        let [first, second, third] = kind::HEADER;
        let mut how = Body::default();
        how.add(MAGIC).add(FORMAT.to_le_bytes());
        for part in self.engine {
            how.add(part.to_le_bytes());
        }
        how.add([0, 0, 0, first]).add(self.net);
        let mut name = [0; 16];
        name.iter_mut().zip(self.variant.bytes()).for_each(|(to, byte)| *to = byte);
        let mut what = Body::default();
        what.add(name).add([0, 0, 0, second]).add(self.first_seed.to_le_bytes());
        let mut more = Body::default();
        more.add(self.seeds.to_le_bytes()).add(self.nodes.to_le_bytes());
        more.add([0, 0, 0, third]).add(self.settings.to_le_bytes());
        [how.sealed(), what.sealed(), more.sealed()]
    }

    fn unpack([how, what, more]: [&[u8; BLOCK]; 3]) -> Result<Self, &'static str> {
        let mut how = Fields(how);
        if how.take() != MAGIC {
            return Err("this is no header of a file of samples");
        }
        if u16::from_le_bytes(how.take()) != FORMAT {
            return Err("a form of samples that this version does not know");
        }
        let engine = [(); 3].map(|()| u16::from_le_bytes(how.take()));
        let [_, _, _, _] = how.take();
        let mut what = Fields(what);
        let name: [u8; 16] = what.take();
        let [_, _, _, _] = what.take();
        let mut more = Fields(more);
        let (seeds, nodes) = (u64::from_le_bytes(more.take()), u64::from_le_bytes(more.take()));
        let [_, _, _, _] = more.take();
        Ok(Self {
            variant: String::from_utf8_lossy(&name).trim_end_matches('\0').to_string(),
            engine,
            net: how.take(),
            first_seed: u64::from_le_bytes(what.take()),
            seeds,
            nodes,
            settings: u64::from_le_bytes(more.take()),
        })
    }
}

/// A block that is being filled. What goes beyond its end is left out.
#[derive(Default)]
struct Body {
    bytes: [u8; BLOCK],
    filled: usize,
}

impl Body {
    fn add<const N: usize>(&mut self, field: [u8; N]) -> &mut Self {
        if let Some(place) = self.bytes.get_mut(self.filled..self.filled + N) {
            place.copy_from_slice(&field);
        }
        self.filled += N;
        self
    }

    fn sealed(&self) -> [u8; BLOCK] {
        sealed(self.bytes)
    }
}

/// A block with its check at the end.
fn sealed(mut block: [u8; BLOCK]) -> [u8; BLOCK] {
    let (body, check) = block.split_at_mut(BODY);
    check.copy_from_slice(&crc32fast::hash(body).to_le_bytes());
    block
}

/// The fields of a block from its beginning; zeros behind its end.
struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let Some((field, rest)) = self.0.split_first_chunk() else { return [0; N] };
        self.0 = rest;
        *field
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use super::*;
    use crate::games::draughts::Draughts;
    use crate::games::loa::Loa;
    use crate::games::variants;

    const SAMPLE: Sample = Sample {
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
    fn the_fields_of_a_sample_stand_where_they_should() {
        let bytes = SAMPLE.pack();
        assert_eq!(bytes[..8], [0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01]);
        assert_eq!(bytes[8..16], [0xff; 8]);
        assert_eq!(bytes[16..20], [0x2e, 0xfb, 2, 1]);
        assert_eq!(bytes[20..28], [0x34, 0x12, 0xcd, 0xab, 0xef, 0xcd, 0xab, 0x89]);
        assert_eq!(bytes[28..], crc32fast::hash(&bytes[..28]).to_le_bytes());
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
