//! Reads the blocks of a sample file and checks their order.

use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use super::bytes::{KIND, NOISY, kind, sealed};
use super::{BLOCK, Block, Header, Sample, SampledEnd, SamplesError};

/// An iterator over the blocks of a file that ends after the first error. An incomplete game is
/// reported as an error after its samples.
pub struct Reader<R> {
    input: R,
    path: PathBuf,
    /// The number of bytes read so far.
    at: u64,
    /// The number of samples since the last end of a game.
    open: u32,
    has_begun: bool,
    is_over: bool,
}

impl<R: Read> Reader<R> {
    /// Returns a reader of `input`; errors name it `path`.
    pub fn new(input: R, path: &Path) -> Self {
        Self { input, path: path.into(), at: 0, open: 0, has_begun: false, is_over: false }
    }

    /// The number of bytes read so far.
    pub fn position(&self) -> u64 {
        self.at
    }

    fn wrong(&self, at: u64, what: &'static str) -> SamplesError {
        SamplesError::Content { path: self.path.clone(), at, what }
    }

    /// Returns the bytes of the next block, or `None` at the end of the file.
    fn bytes(&mut self) -> Result<Option<[u8; BLOCK]>, SamplesError> {
        let mut bytes = [0; BLOCK];
        let mut filled = 0;
        while let Some(rest) = bytes.get_mut(filled..).filter(|rest| !rest.is_empty()) {
            match self.input.read(rest) {
                Ok(0) if filled == 0 => return Ok(None),
                Ok(0) if self.at == 0 => return Err(self.wrong(0, "not a sample file")),
                Ok(0) => return Err(self.wrong(self.at, "the file ends within a block")),
                Ok(read) => filled += read,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(SamplesError::File { path: self.path.clone(), error }),
            }
        }
        if bytes != sealed(bytes) {
            return Err(self.wrong(self.at, "not a sample file, or damaged"));
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
            Some(&kind::END) => Block::End(SampledEnd::unpack(&bytes)),
            Some(kind) if kind::HEADER.first() == Some(kind) => self.header(&bytes)?,
            _ => return Err(self.wrong(at, "unknown kind of block")),
        };
        self.check(&block).map_err(|what| self.wrong(at, what))?;
        Ok(Some(block))
    }

    fn header(&mut self, first: &[u8; BLOCK]) -> Result<Block, SamplesError> {
        let at = self.at - BLOCK as u64;
        let [_, second, third] = kind::HEADER;
        let mut next = |kind| match self.bytes()? {
            Some(bytes) if bytes.get(KIND) == Some(&kind) => Ok(bytes),
            _ => Err(self.wrong(at, "unterminated header")),
        };
        let header = Header::unpack([first, &next(second)?, &next(third)?]);
        header.map(Block::Header).map_err(|what| self.wrong(at, what))
    }

    /// Checks that a block is valid at its position in the file.
    fn check(&mut self, block: &Block) -> Result<(), &'static str> {
        match block {
            Block::Header(_) if self.open > 0 => return Err("a header within a game"),
            Block::Header(_) => self.has_begun = true,
            _ if !self.has_begun => return Err("the file begins without a header"),
            Block::Sample(sample) if sample.result > 2 => return Err("invalid result"),
            Block::Sample(_) => self.open += 1,
            Block::End(end) if end.samples != self.open => {
                return Err("a game with missing samples");
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
