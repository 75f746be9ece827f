//! The output file of self-play: complete games in the order of their seeds, so that an interrupted
//! run can continue after the last complete game.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::game::SelfplayGame;
use crate::samples::{
    BLOCK, Block, Header, Reader, SampledEnd, SamplesError, write_game, write_header,
};
use soucie::files::regular;
use soucie_program::error::CommandError;

/// An output file to which games are appended.
pub struct Output {
    file: File,
    path: PathBuf,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Totals {
    /// The number of games, including dropped ones.
    pub games: u64,
    /// The number of games whose opening was dropped.
    pub dropped: u64,
    /// The number of wins of Black, draws, and wins of White.
    pub results: [u64; 3],
    pub samples: u64,
}

impl Totals {
    pub fn add(&mut self, end: &SampledEnd) {
        self.games += 1;
        self.samples += u64::from(end.samples);
        let [black, draws, white] = &mut self.results;
        match end.result {
            None => self.dropped += 1,
            Some(2) => *black += 1,
            Some(0) => *white += 1,
            Some(_) => *draws += 1,
        }
    }
}

impl Output {
    /// Creates a file, or continues one that was made with the same settings.
    ///
    /// An incomplete game at the end of the file is removed. If the incomplete part is longer than
    /// a game of `longest` plies, the file is damaged and an error is returned.
    pub fn open(
        path: &Path,
        header: &Header,
        longest: usize,
    ) -> Result<(Self, Totals), CommandError> {
        let named = |error| SamplesError::File { path: path.into(), error };
        let in_use = || CommandError::InUse(path.into());
        let file = regular::open_locked(path).map_err(named)?.ok_or_else(in_use)?;
        let mut output = Self { file, path: path.into() };
        let mut wanted = Vec::new();
        write_header(header, &mut wanted).map_err(named)?;
        let mut found = Vec::new();
        (&output.file).take(wanted.len() as u64).read_to_end(&mut found).map_err(named)?;
        if found.len() < wanted.len() && wanted.starts_with(&found) {
            output.cut(0).and_then(|()| output.file.write_all(&wanted)).map_err(named)?;
            return Ok((output, Totals::default()));
        }
        output.file.rewind().map_err(named)?;
        let reader = Reader::new(BufReader::with_capacity(1 << 20, &output.file), path);
        let (totals, end, damage) = whole_games(reader, header, path)?;
        let length = output.file.metadata().map_err(named)?.len();
        // An interrupt loses at most one game.
        let most = (longest as u64 + 1) * BLOCK as u64;
        match damage {
            Some(damage) if length - end > most => return Err(damage.into()),
            _ => output.cut(end).map_err(named)?,
        }
        Ok((output, totals))
    }

    pub fn add(&mut self, game: &SelfplayGame) -> Result<(), SamplesError> {
        write_game(&game.samples, &game.end, &mut self.file).map_err(|error| self.named(error))
    }

    /// Flushes the file to the storage device.
    pub fn finish(self) -> Result<(), SamplesError> {
        self.file.sync_all().map_err(|error| self.named(error))
    }

    fn cut(&mut self, at: u64) -> io::Result<()> {
        self.file.set_len(at)?;
        self.file.seek(SeekFrom::Start(at))?;
        Ok(())
    }

    fn named(&self, error: io::Error) -> SamplesError {
        SamplesError::File { path: self.path.clone(), error }
    }
}

/// Returns the totals of the complete games of a file, the offset of their end, and the error in the rest,
/// if there is one.
fn whole_games<R: Read>(
    mut reader: Reader<R>,
    header: &Header,
    path: &Path,
) -> Result<(Totals, u64, Option<SamplesError>), CommandError> {
    let refused = || {
        let path = path.display();
        CommandError::Other(format!("{path}: made with other settings; name another file"))
    };
    match reader.next() {
        Some(Ok(Block::Header(found))) if found == *header => {}
        Some(Err(error)) => return Err(error.into()),
        _ => return Err(refused()),
    }
    let mut totals = Totals::default();
    let mut end = reader.position();
    while let Some(block) = reader.next() {
        match block {
            Ok(Block::End(game)) => {
                totals.add(&game);
                end = reader.position();
            }
            Ok(Block::Sample(_)) => {}
            // Another file was added to this one.
            Ok(Block::Header(_)) => return Err(refused()),
            Err(error @ SamplesError::File { .. }) => return Err(error.into()),
            Err(damage) => return Ok((totals, end, Some(damage))),
        }
    }
    Ok((totals, end, None))
}
