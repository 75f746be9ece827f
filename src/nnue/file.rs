//! Networks as files.
//!
//! All numbers are little-endian. In this order: eight letters [`MAGIC`], the [`VERSION`] of the
//! format (`u32`), the name of the game in 32 bytes filled up with zeros, the numbers of inputs,
//! of numbers in an accumulator and of parts of the game (`u32` each), the scale (`i32`), the hash
//! of the manifest (32 bytes); the weights of the inputs and their bias (`i16`), the weights of the
//! output (`i16`) and its bias (`i32`); at the end the CRC-32 of all that (`u32`).

use thiserror::Error;

use super::{BIAS_LIMIT, HIDDEN, Header, INPUT_LIMIT, INPUTS, Network, OUTPUT_LIMIT};

const MAGIC: &[u8; 8] = b"SoucieNN";
const VERSION: u32 = 1;

/// The room for the name of a game, in bytes.
const NAME: usize = 32;

/// The most parts of a game.
const MOST_BUCKETS: usize = 64;

/// The largest scale, in units of the evaluation.
const LARGEST_SCALE: i32 = 10_000;

const HEADER: usize = MAGIC.len() + 4 + NAME + 4 * 4 + 32;
const CHECKSUM: usize = 4;

/// The most bytes that a file has.
pub const LARGEST: usize = size(MOST_BUCKETS);

/// The bytes of a file for a game of so many parts.
const fn size(buckets: usize) -> usize {
    HEADER + 2 * HIDDEN * (INPUTS + 1) + buckets * (2 * 2 * HIDDEN + 4) + CHECKSUM
}

/// Why a file is no network that can be used.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NetworkError {
    /// It does not begin like one.
    #[error("this is not a network of Soucie")]
    NotANetwork,
    /// It is one of another version.
    #[error("this network has version {0}, not {VERSION}")]
    Version(u32),
    /// It has another form.
    #[error("this network has {found} {what}, not {wanted}")]
    Form {
        /// What there is more or less of.
        what: &'static str,
        /// How much.
        found: u32,
        /// How much there should be.
        wanted: String,
    },
    /// It ends too early or too late.
    #[error("this network has {found} bytes, not {wanted}")]
    Length {
        /// The bytes that there are.
        found: usize,
        /// The bytes that there should be.
        wanted: usize,
    },
    /// What it holds is not what was written.
    #[error("this network is damaged: its checksum is wrong")]
    Damaged,
    /// The name of its game is none.
    #[error("this network does not name its game")]
    Unnamed,
    /// Its scale is out of bounds.
    #[error("the scale of this network is {0}, not from 1 to {LARGEST_SCALE}")]
    Scale(i32),
    /// A weight is out of bounds.
    #[error("a weight of this network is {found}: {what} are from -{limit} to {limit}")]
    Weight {
        /// Of which kind.
        what: &'static str,
        /// The weight.
        found: i16,
        /// The largest of the kind.
        limit: i16,
    },
    /// It is for another game.
    #[error("this network is for {found}, not for {wanted}")]
    OtherGame {
        /// The game it is for.
        found: String,
        /// The game that is played.
        wanted: &'static str,
    },
    /// Nobody plays the game that it is for.
    #[error("this network is for {0}, which is not played here")]
    NoGame(String),
    /// It divides the game in another way.
    #[error("this network divides the game into {found} parts, not {wanted}")]
    Parts {
        /// Its parts.
        found: usize,
        /// The parts of the game.
        wanted: usize,
    },
}

impl Network {
    /// Reads a file. What is read keeps within the bounds of all sums; whether it is for a game
    /// is asked by [`Network::suits`].
    pub fn read(bytes: &[u8]) -> Result<Self, NetworkError> {
        let mut reader = Reader { rest: bytes };
        if reader.array::<8>() != Some(*MAGIC) {
            return Err(NetworkError::NotANetwork);
        }
        let short = NetworkError::Length { found: bytes.len(), wanted: size(1) };
        let version = reader.u32().ok_or(short.clone())?;
        if version != VERSION {
            return Err(NetworkError::Version(version));
        }
        let (header, buckets) = reader.header().ok_or(short)??;
        if bytes.len() != size(buckets) {
            return Err(NetworkError::Length { found: bytes.len(), wanted: size(buckets) });
        }
        let (body, checksum) = bytes.split_at(bytes.len() - CHECKSUM);
        if checksum != crc32fast::hash(body).to_le_bytes() {
            return Err(NetworkError::Damaged);
        }
        let wanted = size(buckets);
        let network = reader
            .weights(header, buckets)
            .ok_or(NetworkError::Length { found: bytes.len(), wanted })?;
        network.check()?;
        Ok(network)
    }

    /// The file of the network, which [`Network::read`] gives back if its numbers are in bounds
    /// and there are weights for each part of the game.
    pub fn write(&self) -> Vec<u8> {
        let Header { game, scale, manifest } = &self.header;
        let mut name = game.clone().into_bytes();
        name.resize(NAME, 0);
        let mut bytes = Vec::with_capacity(size(self.output_bias.len()));
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(name);
        for number in [INPUTS, HIDDEN, self.output_bias.len()] {
            bytes.extend((number as u32).to_le_bytes());
        }
        bytes.extend(scale.to_le_bytes());
        bytes.extend(manifest);
        let rows = self.input_weights.iter().chain([&self.input_bias]);
        for weight in rows.chain(self.output_weights.iter().flatten()).flatten() {
            bytes.extend(weight.to_le_bytes());
        }
        for bias in &self.output_bias {
            bytes.extend(bias.to_le_bytes());
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Whether all numbers keep within their bounds.
    fn check(&self) -> Result<(), NetworkError> {
        if !(1..=LARGEST_SCALE).contains(&self.header.scale) {
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
        within("weights of inputs", INPUT_LIMIT, self.input_weights.as_slice())?;
        within("biases of inputs", BIAS_LIMIT, &[self.input_bias])?;
        within("weights of the output", OUTPUT_LIMIT, self.output_weights.as_flattened())
    }
}

/// Takes numbers from the head of some bytes; `None` where they have come to their end.
struct Reader<'a> {
    rest: &'a [u8],
}

impl Reader<'_> {
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

    /// What stands behind the version: the header and the number of parts of the game.
    fn header(&mut self) -> Option<Result<(Header, usize), NetworkError>> {
        let name = self.array::<NAME>()?;
        let [inputs, hidden, buckets] = [self.u32()?, self.u32()?, self.u32()?];
        let scale = self.i32()?;
        let manifest = self.array()?;
        let forms = [("inputs", inputs, INPUTS), ("numbers in an accumulator", hidden, HIDDEN)];
        for (what, found, wanted) in forms {
            if found as usize != wanted {
                let wanted = wanted.to_string();
                return Some(Err(NetworkError::Form { what, found, wanted }));
            }
        }
        if !(1..=MOST_BUCKETS).contains(&(buckets as usize)) {
            let wanted = format!("1 to {MOST_BUCKETS}");
            return Some(Err(NetworkError::Form { what: "parts", found: buckets, wanted }));
        }
        let game = String::from_utf8_lossy(&name).trim_end_matches('\0').to_string();
        if game.is_empty() || !game.chars().all(|c| c.is_ascii_alphanumeric()) {
            return Some(Err(NetworkError::Unnamed));
        }
        Some(Ok((Header { game, scale, manifest }, buckets as usize)))
    }

    fn weights(&mut self, header: Header, buckets: usize) -> Option<Network> {
        let mut input_weights: Box<super::InputWeights> = Box::default();
        for row in input_weights.iter_mut() {
            *row = self.row()?;
        }
        let input_bias = self.row()?;
        let output_weights: Option<Vec<_>> =
            (0..buckets).map(|_| Some([self.row()?, self.row()?])).collect();
        let output_bias: Option<Vec<_>> = (0..buckets).map(|_| self.i32()).collect();
        Some(Network {
            header,
            input_weights,
            input_bias,
            output_weights: output_weights?,
            output_bias: output_bias?,
        })
    }
}
