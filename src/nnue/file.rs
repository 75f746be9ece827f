//! The network file format.
//!
//! All numbers are little-endian. The fields are, in this order:
//!
//! - eight letters [`MAGIC`] and the [`VERSION`] of the format (`u32`)
//! - the name of the game in 32 bytes, padded with zeros
//! - the numbers of inputs, of hidden neurons and of output buckets (`u32` each); the inputs are
//!   those of all input buckets together
//! - the scale (`i32`)
//! - the SHA-256 hash of the training manifest (32 bytes)
//! - the weights of the inputs and their bias (`i16`)
//! - the weights of the output (`i16`) and its bias (`i32`)
//! - the CRC-32 of everything before it (`u32`)

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use sha2::{Digest, Sha256};
use thiserror::Error;

use super::network::{
    BIAS_LIMIT, HIDDEN, INPUT_LIMIT, INPUTS, InputWeights, Network, NetworkHeader, OUTPUT_LIMIT,
};
use crate::game::Game;

const MAGIC: &[u8; 8] = b"SoucieNN";
const VERSION: u32 = 1;

/// The size of the game name field in bytes.
const NAME_SIZE: usize = 32;

/// The maximum number of input buckets, and that of output buckets.
const MAX_BUCKETS: usize = 64;

/// The largest scale, in units of the evaluation.
pub const MAX_SCALE: i32 = 10_000;

const HEADER_SIZE: usize = MAGIC.len() + 4 + NAME_SIZE + 4 * 4 + 32;
const CHECKSUM_SIZE: usize = 4;

/// The maximum size of a file in bytes.
pub const MAX_FILE_SIZE: usize = Buckets { input: MAX_BUCKETS, output: MAX_BUCKETS }.file_size();

/// The numbers of buckets.
#[derive(Clone, Copy)]
struct Buckets {
    input: usize,
    output: usize,
}

impl Buckets {
    /// The size in bytes of a file with this many buckets.
    const fn file_size(self) -> usize {
        let inputs = 2 * HIDDEN * (self.input * INPUTS + 1);
        let outputs = (2 * 2 * HIDDEN + 4) * self.output;
        HEADER_SIZE + inputs + outputs + CHECKSUM_SIZE
    }
}

/// A reason why a file is not a usable network.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NetworkError {
    /// The file does not begin with the magic letters.
    #[error("not a Soucie network")]
    NotANetwork,
    /// The file has another format version.
    #[error("expected network version {VERSION}, found version {0}")]
    Version(u32),
    /// A dimension of the network is wrong.
    #[error("expected {wanted} {what}, found {found}")]
    Dimension {
        /// The name of the dimension.
        what: &'static str,
        /// The size in the file.
        found: u32,
        /// The expected size.
        wanted: String,
    },
    /// The file is too short or too long.
    #[error("expected {wanted} bytes, found {found}")]
    Length {
        /// The size of the file in bytes.
        found: usize,
        /// The expected size in bytes.
        wanted: usize,
    },
    /// The checksum does not match the content.
    #[error("the network is damaged: wrong checksum")]
    Damaged,
    /// The name of the game is empty or malformed.
    #[error("the network names no game")]
    Unnamed,
    /// The scale is out of range.
    #[error("expected a scale from 1 to {MAX_SCALE}, found {0}")]
    Scale(i32),
    /// A weight is out of range.
    #[error("expected {what} from -{limit} to {limit}, found {found}")]
    Weight {
        /// The kind of weight.
        what: &'static str,
        /// The weight.
        found: i16,
        /// The maximum absolute value of this kind.
        limit: i16,
    },
    /// The network is for another game.
    #[error("expected a network for {wanted}, found one for {found}")]
    OtherGame {
        /// The game of the network.
        found: String,
        /// The expected game.
        wanted: &'static str,
    },
    /// The game of the network is unknown.
    #[error("the network is for an unknown game: {0}")]
    UnknownGame(String),
    /// The network has the wrong number of input or output buckets.
    #[error("expected {wanted} {what} buckets, found {found}")]
    Buckets {
        /// `input` or `output`.
        what: &'static str,
        /// The number of buckets in the network.
        found: usize,
        /// The number of buckets of the game.
        wanted: usize,
    },
}

impl Network {
    /// Reads a network file and checks that its weights are within the bounds that exclude
    /// overflow.
    ///
    /// [`Network::suits`] checks whether the network is for a certain game.
    pub fn read(bytes: &[u8]) -> Result<Self, NetworkError> {
        Self::read_with(bytes, |body, checksum| checksum == crc32fast::hash(body).to_le_bytes())
    }

    /// As [`Network::read`], without a look at the checksum: its tables are a large part of a small
    /// program that reads no files.
    pub(super) fn read_built_in(bytes: &[u8]) -> Result<Self, NetworkError> {
        Self::read_with(bytes, |_, _| true)
    }

    /// Reads a network file. `is_intact` compares what comes before the checksum with it.
    fn read_with(
        bytes: &[u8],
        is_intact: impl Fn(&[u8], &[u8]) -> bool,
    ) -> Result<Self, NetworkError> {
        let mut reader = NetworkReader { rest: bytes };
        if reader.array::<8>() != Some(*MAGIC) {
            return Err(NetworkError::NotANetwork);
        }
        let least = Buckets { input: 1, output: 1 }.file_size();
        let short = NetworkError::Length { found: bytes.len(), wanted: least };
        let version = reader.u32().ok_or(short.clone())?;
        if version != VERSION {
            return Err(NetworkError::Version(version));
        }
        let (header, buckets) = reader.header().ok_or(short)??;
        let wanted = buckets.file_size();
        if bytes.len() != wanted {
            return Err(NetworkError::Length { found: bytes.len(), wanted });
        }
        let (body, checksum) = bytes.split_at(bytes.len() - CHECKSUM_SIZE);
        if !is_intact(body, checksum) {
            return Err(NetworkError::Damaged);
        }
        let network = reader
            .weights(header, buckets)
            .ok_or(NetworkError::Length { found: bytes.len(), wanted })?;
        network.check()?;
        Ok(network)
    }

    /// The network as a file.
    ///
    /// [`Network::read`] reads it back if the weights are in range and there are weights for each
    /// bucket.
    pub fn write(&self) -> Vec<u8> {
        let NetworkHeader { game, scale, manifest } = &self.header;
        let mut name = game.clone().into_bytes();
        name.resize(NAME_SIZE, 0);
        let buckets = Buckets { input: self.input_weights.len(), output: self.output_bias.len() };
        let mut bytes = Vec::with_capacity(buckets.file_size());
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(name);
        for number in [buckets.input * INPUTS, HIDDEN, buckets.output] {
            bytes.extend((number as u32).to_le_bytes());
        }
        bytes.extend(scale.to_le_bytes());
        bytes.extend(manifest);
        let rows = self.input_weights.iter().flat_map(|rows| rows.iter()).chain([&self.input_bias]);
        for weight in rows.chain(self.output_weights.iter().flatten()).flatten() {
            bytes.extend(weight.to_le_bytes());
        }
        for bias in &self.output_bias {
            bytes.extend(bias.to_le_bytes());
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Checks that the network is for this game and has its numbers of buckets. One input bucket
    /// serves every game.
    pub fn suits<P: Game>(&self) -> Result<(), NetworkError> {
        let game = P::name();
        if self.header.game != game {
            return Err(NetworkError::OtherGame { found: self.header.game.clone(), wanted: game });
        }
        let inputs = self.input_weights.len();
        let wanted = P::INPUT_BUCKETS;
        if inputs != 1 && inputs != wanted {
            return Err(NetworkError::Buckets { what: "input", found: inputs, wanted });
        }
        for found in [self.output_weights.len(), self.output_bias.len()] {
            let wanted = P::OUTPUT_BUCKETS;
            if found != wanted {
                return Err(NetworkError::Buckets { what: "output", found, wanted });
            }
        }
        Ok(())
    }

    /// The first bytes of the SHA-256 hash of the network file, by which it is named.
    pub fn hash(&self) -> [u8; 8] {
        let [a, b, c, d, e, f, g, h, ..]: [u8; 32] = Sha256::digest(self.write()).into();
        [a, b, c, d, e, f, g, h]
    }

    /// Checks that all weights are in range.
    fn check(&self) -> Result<(), NetworkError> {
        if !(1..=MAX_SCALE).contains(&self.header.scale) {
            return Err(NetworkError::Scale(self.header.scale));
        }
        let within = |what, limit: i16, rows: &[[i16; HIDDEN]]| match rows
            .iter()
            .flatten()
            .find(|weight| weight.unsigned_abs() > limit as u16)
        {
            Some(&found) => Err(NetworkError::Weight { what, found, limit }),
            None => Ok(()),
        };
        for weights in &self.input_weights {
            within("input weights", INPUT_LIMIT, weights.as_slice())?;
        }
        within("input biases", BIAS_LIMIT, &[self.input_bias])?;
        within("output weights", OUTPUT_LIMIT, self.output_weights.as_flattened())
    }
}

/// A reader of little-endian numbers; `None` at the end of the input.
struct NetworkReader<'a> {
    rest: &'a [u8],
}

impl NetworkReader<'_> {
    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (head, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        Some(*head)
    }

    fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    fn i32(&mut self) -> Option<i32> {
        self.array().map(i32::from_le_bytes)
    }

    fn row(&mut self) -> Option<[i16; HIDDEN]> {
        let mut row = [0; HIDDEN];
        for weight in &mut row {
            *weight = i16::from_le_bytes(self.array()?);
        }
        Some(row)
    }

    /// Reads the fields after the version: the header and the numbers of buckets.
    fn header(&mut self) -> Option<Result<(NetworkHeader, Buckets), NetworkError>> {
        let name = self.array::<NAME_SIZE>()?;
        let [inputs, hidden, output] = [self.u32()?, self.u32()?, self.u32()?];
        let scale = self.i32()?;
        let manifest = self.array()?;
        let buckets = Buckets { input: inputs as usize / INPUTS, output: output as usize };
        let range = 1..=MAX_BUCKETS;
        let is_multiple = inputs as usize == buckets.input * INPUTS;
        let dimensions = [
            (
                "inputs",
                inputs,
                is_multiple && range.contains(&buckets.input),
                format!("{INPUTS} times 1 to {MAX_BUCKETS}"),
            ),
            ("accumulator values", hidden, hidden as usize == HIDDEN, HIDDEN.to_string()),
            (
                "output buckets",
                output,
                range.contains(&buckets.output),
                format!("1 to {MAX_BUCKETS}"),
            ),
        ];
        for (what, found, is_right, wanted) in dimensions {
            if !is_right {
                return Some(Err(NetworkError::Dimension { what, found, wanted }));
            }
        }
        let game = String::from_utf8_lossy(&name).trim_end_matches('\0').to_string();
        if game.is_empty() || !game.chars().all(|c| c.is_ascii_alphanumeric()) {
            return Some(Err(NetworkError::Unnamed));
        }
        Some(Ok((NetworkHeader { game, scale, manifest }, buckets)))
    }

    fn weights(&mut self, header: NetworkHeader, buckets: Buckets) -> Option<Network> {
        let mut input_weights = vec![InputWeights::default(); buckets.input];
        for row in input_weights.iter_mut().flat_map(|weights| weights.iter_mut()) {
            *row = self.row()?;
        }
        let input_bias = self.row()?;
        let output_weights: Option<Vec<_>> =
            (0..buckets.output).map(|_| Some([self.row()?, self.row()?])).collect();
        let output_bias: Option<Vec<_>> = (0..buckets.output).map(|_| self.i32()).collect();
        Some(Network {
            header,
            input_weights,
            input_bias,
            output_weights: output_weights?,
            output_bias: output_bias?,
        })
    }
}
