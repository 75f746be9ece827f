//! `soucie prove`: proves or disproves that the side to move can force a win.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod settings;
pub mod verify;

use std::io::Write;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use soucie::files::atomic_file::AtomicFile;
use soucie::options::{Options, Scope};
use soucie::proofs::prove::{Attempt, ProofRequest, prove};

use crate::arguments;
use crate::arguments::{all_tables, proof_tables};
use crate::error::CommandError;
use crate::interrupt;
use crate::progress::progress_bar;
pub use settings::ProveSettings;

/// The default size of the transposition table, in MiB.
const DEFAULT_HASH: u32 = 256;

/// Proves or disproves that the side to move can force a win, and writes the result.
///
/// The result is open if the node limit is reached or the program is interrupted.
pub fn run(settings: &ProveSettings, output: &mut dyn Write) -> Result<(), CommandError> {
    let variant = settings.game.variant.as_deref();
    let variant = variant.unwrap_or_else(|| arguments::variant_of(settings.fen.as_deref()));
    let options = Options::of(Some(variant), &settings.game.options, Scope::Rule)?;
    let stop = interrupt::flag();
    let tables = match &settings.tables.tables {
        Some(folder) => all_tables(folder, options.variant)?,
        None => {
            let tables = proof_tables(&settings.tables)?;
            Some(tables).filter(|tables| tables.have(options.variant)).unwrap_or_default()
        }
    };
    arguments::note_unused(&settings.game.options, &[options.variant].into(), None, &tables);
    // Created first, so that an unwritable file is reported now and not after hours.
    let out = settings.out.as_deref().map(AtomicFile::begin).transpose()?;
    let bar = progress_bar(None, "{spinner} {human_pos} expansions, {rate}, {elapsed}");
    bar.enable_steady_tick(Duration::from_millis(100));
    let request = ProofRequest {
        options: &options,
        setup: settings.fen.as_deref(),
        tables: &tables,
        hash: settings.limits.hash.unwrap_or(DEFAULT_HASH) as usize,
        nodes: settings.limits.nodes.unwrap_or(u64::MAX),
        wants_disproof: out.is_some(),
        stop: &|expansions| {
            bar.set_position(expansions);
            stop.load(Relaxed)
        },
    };
    let Attempt { text, proof } = prove(&request)?;
    let written = match (out, proof, &settings.out) {
        (Some(mut file), Some(proof), _) => proof
            .and_then(|proof| Ok(proof.write(&mut file)?))
            .and_then(|()| Ok(file.finish()?))
            .map_err(CommandError::from),
        (Some(_), None, Some(path)) => {
            let error = format!("{}: not written, as nothing is proved", path.display());
            Err(CommandError::Other(error))
        }
        _ => Ok(()),
    };
    bar.suspend(|| writeln!(output, "{text}"))?;
    written
}
