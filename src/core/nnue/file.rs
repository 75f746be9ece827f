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
//! - the weights and the bias of the inputs and the weights of the output, each as a `u16` with its
//!   sign in the lowest bit: 0, -1, 1, -2, 2 are 0, 1, 2, 3, 4; the low bytes of all, then the high
//!   bytes of all, which compress well
//! - the bias of the output (`i32`)
//! - the CRC-32 of everything before it (`u32`)
//!
//! In version 1 each weight was an `i16` with its two bytes together.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use sha2::{Digest, Sha256};
use thiserror::Error;

use super::inputs::{INPUTS, inputs};
use super::network::{
    BIAS_LIMIT, HIDDEN, INPUT_LIMIT, InputWeights, Network, NetworkHeader, OUTPUT_LIMIT, PAIR_LIMIT,
};
use crate::files::fields::FieldReader;
use crate::game::Game;

const MAGIC: &[u8; 8] = b"SoucieNN";
const VERSION: u32 = 2;

/// The size of the game name field in bytes.
const NAME_SIZE: usize = 32;

/// The maximum number of inputs, as a multiple of [`INPUTS`], and that of output buckets.
const MAX_BUCKETS: usize = 64;

/// The largest scale, in units of the evaluation.
pub const MAX_SCALE: i32 = 10_000;

const HEADER_SIZE: usize = MAGIC.len() + 4 + NAME_SIZE + 4 * 4 + 32;
const CHECKSUM_SIZE: usize = 4;

pub const MAX_FILE_SIZE: usize =
    Sizes { inputs: MAX_BUCKETS * INPUTS, output_buckets: MAX_BUCKETS }.file_size();

#[derive(Clone, Copy)]
struct Sizes {
    inputs: usize,
    output_buckets: usize,
}

impl Sizes {
    const fn weights(self) -> usize {
        HIDDEN * (self.inputs + 1 + 2 * self.output_buckets)
    }

    const fn file_size(self) -> usize {
        HEADER_SIZE + 2 * self.weights() + 4 * self.output_buckets + CHECKSUM_SIZE
    }
}

/// A reason why a file is not a usable network.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NetworkError {
    #[error("not a Soucie network")]
    NotANetwork,
    #[error("expected network version 1 or {VERSION}, found version {0}")]
    Version(u32),
    #[error("expected {wanted} {what}, found {found}")]
    Dimension { what: &'static str, found: u32, wanted: String },
    #[error("expected {wanted} bytes, found {found}")]
    Length { found: usize, wanted: usize },
    #[error("the network is damaged: wrong checksum")]
    Damaged,
    #[error("the network names no game")]
    Unnamed,
    #[error("expected a scale from 1 to {MAX_SCALE}, found {0}")]
    Scale(i32),
    #[error("expected {what} from -{limit} to {limit}, found {found}")]
    Weight { what: &'static str, found: i16, limit: i16 },
    #[error("expected a network for {wanted}, found one for {found}")]
    OtherGame { found: String, wanted: &'static str },
    #[error("the network is for an unknown game: {0}")]
    UnknownGame(String),
    #[error("expected {wanted} {what}, found {found}")]
    OtherSize { what: &'static str, found: usize, wanted: usize },
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
        let mut reader = FieldReader(bytes);
        if reader.array::<8>() != Some(*MAGIC) {
            return Err(NetworkError::NotANetwork);
        }
        let least = Sizes { inputs: INPUTS, output_buckets: 1 }.file_size();
        let short = NetworkError::Length { found: bytes.len(), wanted: least };
        let version = reader.u32().ok_or(short.clone())?;
        if !(1..=VERSION).contains(&version) {
            return Err(NetworkError::Version(version));
        }
        let (header, sizes) = read_header(&mut reader).ok_or(short)??;
        let wanted = sizes.file_size();
        if bytes.len() != wanted {
            return Err(NetworkError::Length { found: bytes.len(), wanted });
        }
        let (body, checksum) = bytes.split_at(bytes.len() - CHECKSUM_SIZE);
        if !is_intact(body, checksum) {
            return Err(NetworkError::Damaged);
        }
        let network = read_network(&mut reader, header, sizes, version)
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
        let inputs = self.input_weights.len();
        let output_buckets = self.output_bias.len();
        let size = Sizes { inputs, output_buckets }.file_size();
        let mut bytes = Vec::with_capacity(size);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(name);
        for number in [inputs, HIDDEN, output_buckets] {
            bytes.extend((number as u32).to_le_bytes());
        }
        bytes.extend(scale.to_le_bytes());
        bytes.extend(manifest);
        let rows = self.input_weights.iter().map(|weights| &weights.0).chain([&self.input_bias]);
        let rows = rows.chain(self.output_weights.iter().flatten());
        let (low, high): (Vec<u8>, Vec<u8>) =
            rows.flatten().map(|&weight| zigzag(weight).to_le_bytes().into()).unzip();
        bytes.extend(low);
        bytes.extend(high);
        for bias in &self.output_bias {
            bytes.extend(bias.to_le_bytes());
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Checks that the network is for this game, and has its sizes and no pair with too large a
    /// weight. [`INPUTS`] inputs serve every game: all its input buckets, without pairs.
    pub fn suits<P: Game>(&self) -> Result<(), NetworkError> {
        let game = P::name();
        if self.header.game != game {
            return Err(NetworkError::OtherGame { found: self.header.game.clone(), wanted: game });
        }
        let found = self.input_weights.len();
        let wanted = inputs::<P>();
        if found != INPUTS && found != wanted {
            return Err(NetworkError::OtherSize { what: "inputs", found, wanted });
        }
        for found in [self.output_weights.len(), self.output_bias.len()] {
            let wanted = P::OUTPUT_BUCKETS;
            if found != wanted {
                return Err(NetworkError::OtherSize { what: "output buckets", found, wanted });
            }
        }
        let pairs = self.input_weights.iter().skip(P::INPUT_BUCKETS * INPUTS);
        check_weights("weights of pairs", PAIR_LIMIT, pairs.map(|weights| &weights.0))
    }

    /// The first bytes of the SHA-256 hash of [`Network::write`]. The name of a built-in network has
    /// the first four.
    pub fn hash(&self) -> [u8; 8] {
        let [a, b, c, d, e, f, g, h, ..]: [u8; 32] = Sha256::digest(self.write()).into();
        [a, b, c, d, e, f, g, h]
    }

    fn check(&self) -> Result<(), NetworkError> {
        if !(1..=MAX_SCALE).contains(&self.header.scale) {
            return Err(NetworkError::Scale(self.header.scale));
        }
        let inputs = self.input_weights.iter().map(|weights| &weights.0);
        check_weights("input weights", INPUT_LIMIT, inputs)?;
        check_weights("input biases", BIAS_LIMIT, [&self.input_bias])?;
        check_weights("output weights", OUTPUT_LIMIT, self.output_weights.as_flattened())
    }
}

/// The weight with its sign in the lowest bit: small for all small weights.
fn zigzag(weight: i16) -> u16 {
    (weight << 1 ^ weight >> 15) as u16
}

fn from_zigzag(number: u16) -> i16 {
    (number >> 1) as i16 ^ -((number & 1) as i16)
}

/// Checks that no absolute value is above the limit.
fn check_weights<'a>(
    what: &'static str,
    limit: i16,
    rows: impl IntoIterator<Item = &'a [i16; HIDDEN]>,
) -> Result<(), NetworkError> {
    let mut weights = rows.into_iter().flatten();
    match weights.find(|weight| weight.unsigned_abs() > limit as u16) {
        Some(&found) => Err(NetworkError::Weight { what, found, limit }),
        None => Ok(()),
    }
}

fn read_i32(reader: &mut FieldReader) -> Option<i32> {
    reader.array().map(i32::from_le_bytes)
}

fn read_weights(
    reader: &mut FieldReader,
    count: usize,
    version: u32,
) -> Option<Vec<[i16; HIDDEN]>> {
    let bytes = reader.bytes(2 * count)?;
    let weights: Vec<i16> = if version == 1 {
        bytes.as_chunks().0.iter().map(|pair| i16::from_le_bytes(*pair)).collect()
    } else {
        let (low, high) = bytes.split_at_checked(count)?;
        let encoded = low.iter().zip(high).map(|(low, high)| u16::from_le_bytes([*low, *high]));
        encoded.map(from_zigzag).collect()
    };
    Some(weights.as_chunks().0.to_vec())
}

/// Reads the fields after the version: the header and the sizes.
fn read_header(reader: &mut FieldReader) -> Option<Result<(NetworkHeader, Sizes), NetworkError>> {
    let name = reader.array::<NAME_SIZE>()?;
    let [inputs, hidden, output] = [reader.u32()?, reader.u32()?, reader.u32()?];
    let scale = read_i32(reader)?;
    let manifest = reader.array()?;
    let sizes = Sizes { inputs: inputs as usize, output_buckets: output as usize };
    let range = 1..=MAX_BUCKETS;
    let dimensions = [
        (
            "inputs",
            inputs,
            sizes.inputs.is_multiple_of(INPUTS) && range.contains(&(sizes.inputs / INPUTS)),
            format!("{INPUTS} times 1 to {MAX_BUCKETS}"),
        ),
        ("accumulator values", hidden, hidden as usize == HIDDEN, HIDDEN.to_string()),
        (
            "output buckets",
            output,
            range.contains(&sizes.output_buckets),
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
    Some(Ok((NetworkHeader { game, scale, manifest }, sizes)))
}

fn read_network(
    reader: &mut FieldReader,
    header: NetworkHeader,
    sizes: Sizes,
    version: u32,
) -> Option<Network> {
    let mut rows = read_weights(reader, sizes.weights(), version)?.into_iter();
    let output_bias: Option<Vec<_>> = (0..sizes.output_buckets).map(|_| read_i32(reader)).collect();
    Some(Network {
        header,
        input_weights: rows.by_ref().take(sizes.inputs).map(InputWeights).collect(),
        input_bias: rows.next()?,
        output_weights: rows.as_slice().as_chunks().0.to_vec(),
        output_bias: output_bias?,
    })
}
