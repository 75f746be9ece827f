//! Encoding and decoding of the blocks of a sample file.

use std::io::{self, Write};

use super::{BLOCK, Header, Sample, SampledEnd};

/// The size of a block without its checksum, in bytes.
const BODY: usize = BLOCK - 4;
/// The offset of the byte with the kind of a block.
pub(super) const KIND: usize = 19;

/// The first bytes of a header, and the version of the file format.
const MAGIC: [u8; 8] = *b"SoucieSP";
const FORMAT: u16 = 1;

/// The kinds of blocks other than samples.
pub(super) mod kind {
    pub const HEADER: [u8; 3] = [0xf0, 0xf1, 0xf2];
    pub const END: u8 = 0xe0;
}

/// The kind of a sample with a noisy best move; other samples have kind 0.
pub(super) const NOISY: u8 = 1;

pub fn write_header(header: &Header, output: &mut dyn Write) -> io::Result<()> {
    header.pack().iter().try_for_each(|block| output.write_all(block))
}

/// Writes a game: its samples and its end, in one call of `write_all`.
pub fn write_game(samples: &[Sample], end: &SampledEnd, output: &mut dyn Write) -> io::Result<()> {
    let mut bytes = Vec::with_capacity((samples.len() + 1) * BLOCK);
    for sample in samples {
        bytes.extend_from_slice(&sample.pack());
    }
    bytes.extend_from_slice(&end.pack());
    output.write_all(&bytes)
}

impl Sample {
    fn pack(&self) -> [u8; BLOCK] {
        block(&[
            self.inputs.map(u64::to_le_bytes).as_flattened(),
            &self.score.to_le_bytes(),
            &[self.result, if self.noisy { NOISY } else { 0 }],
            &self.ply.to_le_bytes(),
            &self.best.to_le_bytes(),
            &self.game.to_le_bytes(),
        ])
    }

    pub(super) fn unpack(bytes: &[u8; BLOCK]) -> Self {
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

impl SampledEnd {
    /// The result of a dropped game.
    const DROPPED: u8 = u8::MAX;

    fn pack(&self) -> [u8; BLOCK] {
        block(&[
            &self.seed.to_le_bytes(),
            &self.samples.to_le_bytes(),
            &self.plies.to_le_bytes(),
            &[self.result.unwrap_or(Self::DROPPED), 0, 0, 0, 0, kind::END],
        ])
    }

    pub(super) fn unpack(bytes: &[u8; BLOCK]) -> Self {
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
        let mut name = [0; 16];
        name.iter_mut().zip(self.variant.bytes()).for_each(|(to, byte)| *to = byte);
        let engine = self.engine.map(u16::to_le_bytes);
        let (first_seed, seeds) = (self.first_seed.to_le_bytes(), self.seeds.to_le_bytes());
        let (nodes, settings) = (self.nodes.to_le_bytes(), self.settings.to_le_bytes());
        let format = FORMAT.to_le_bytes();
        [
            block(&[&MAGIC, &format, engine.as_flattened(), &[0, 0, 0, first], &self.net]),
            block(&[&name, &[0, 0, 0, second], &first_seed]),
            block(&[&seeds, &nodes, &[0, 0, 0, third], &settings]),
        ]
    }

    pub(super) fn unpack([how, what, more]: [&[u8; BLOCK]; 3]) -> Result<Self, &'static str> {
        let mut how = Fields(how);
        if how.take() != MAGIC {
            return Err("not the header of a sample file");
        }
        if u16::from_le_bytes(how.take()) != FORMAT {
            return Err("unsupported sample format");
        }
        let engine = [(); 3].map(|()| u16::from_le_bytes(how.take()));
        let [_, _, _, _] = how.take();
        let mut what = Fields(what);
        let name: [u8; 16] = what.take();
        let name = str::from_utf8(&name).map_err(|_| "invalid variant")?;
        let [_, _, _, _] = what.take();
        let mut more = Fields(more);
        let (seeds, nodes) = (u64::from_le_bytes(more.take()), u64::from_le_bytes(more.take()));
        let [_, _, _, _] = more.take();
        Ok(Self {
            variant: name.trim_end_matches('\0').to_string(),
            engine,
            net: how.take(),
            first_seed: u64::from_le_bytes(what.take()),
            seeds,
            nodes,
            settings: u64::from_le_bytes(more.take()),
        })
    }
}

/// Returns a block of these fields, followed by zeros, with its checksum.
fn block(fields: &[&[u8]]) -> [u8; BLOCK] {
    let mut block = [0; BLOCK];
    block.iter_mut().zip(fields.concat()).for_each(|(to, byte)| *to = byte);
    sealed(block)
}

/// Returns the block with its checksum at the end.
pub(super) fn sealed(mut block: [u8; BLOCK]) -> [u8; BLOCK] {
    let (body, check) = block.split_at_mut(BODY);
    check.copy_from_slice(&crc32fast::hash(body).to_le_bytes());
    block
}

/// A cursor over the fields of a block. Reads zeros after the end.
struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let Some((field, rest)) = self.0.split_first_chunk() else { return [0; N] };
        self.0 = rest;
        *field
    }
}

#[cfg(test)]
#[allow(clippy::indexing_slicing)]
mod tests {
    use crate::samples::tests::SAMPLE;

    #[test]
    fn the_fields_of_a_sample_are_at_their_offsets() {
        let bytes = SAMPLE.pack();
        assert_eq!(bytes[..8], [0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01]);
        assert_eq!(bytes[8..16], [0xff; 8]);
        assert_eq!(bytes[16..20], [0x2e, 0xfb, 2, 1]);
        assert_eq!(bytes[20..28], [0x34, 0x12, 0xcd, 0xab, 0xef, 0xcd, 0xab, 0x89]);
        assert_eq!(bytes[28..], crc32fast::hash(&bytes[..28]).to_le_bytes());
    }
}
