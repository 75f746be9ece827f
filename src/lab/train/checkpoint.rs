//! The checkpoint file of an unfinished training.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `SOUCIE-T` |
//! | 32 | the hash of the plan |
//! | 8, 8 | the finished epochs and optimiser steps |
//! | 4 x 8 | the errors: training, then validation (NaN if there is none) |
//! | 4 each | the weights, then Adam's first and second moments |
//!
//! All numbers are little-endian.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::io::{self, ErrorKind, Write};
use std::path::Path;

use super::trainer::{Errors, State};
use soucie::files::atomic_file::AtomicFile;
use soucie::files::{named, regular};
use soucie_program::error::CommandError;

const MAGIC: &[u8; 8] = b"SOUCIE-T";

/// Writes a state to a temporary file and renames it to `path` when it is complete.
pub fn write(state: &State, plan: &[u8; 32], path: &Path) -> io::Result<()> {
    let mut body = [&MAGIC[..], plan].concat();
    body.extend(u64::from(state.epochs).to_le_bytes());
    body.extend(state.adam.steps.to_le_bytes());
    let validation = state.validation.unwrap_or(Errors { result: f64::NAN, target: f64::NAN });
    for errors in [state.training, validation] {
        body.extend(errors.result.to_le_bytes());
        body.extend(errors.target.to_le_bytes());
    }
    for weights in [&state.weights, &state.adam.mean, &state.adam.square] {
        weights.values().iter().for_each(|value| body.extend(value.to_le_bytes()));
    }
    let mut file = AtomicFile::begin(path)?;
    file.write_all(&body)?;
    file.finish()
}

/// The maximum size of a checkpoint in bytes.
const LARGEST: u64 = 1 << 30;

/// Reads a checkpoint of the same plan into `state`. Returns false if there is no file.
pub fn read(state: &mut State, plan: &[u8; 32], path: &Path) -> Result<bool, CommandError> {
    let bytes = match regular::read(path, LARGEST) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(named(path, error).into()),
    };
    fill(state, plan, &bytes).ok_or_else(|| {
        let path = path.display();
        CommandError::Other(format!("{path} is damaged: delete it to start the training again"))
    })?;
    Ok(true)
}

/// Reads the state; `None` if the file is damaged or of another plan.
fn fill(state: &mut State, plan: &[u8; 32], bytes: &[u8]) -> Option<()> {
    let mut rest = bytes.strip_prefix(MAGIC)?.strip_prefix(plan)?;
    state.epochs = u32::try_from(u64::from_le_bytes(take(&mut rest)?)).ok()?;
    state.adam.steps = u64::from_le_bytes(take(&mut rest)?);
    let mut errors = || {
        let (result, target) = (take(&mut rest)?, take(&mut rest)?);
        Some(Errors { result: f64::from_le_bytes(result), target: f64::from_le_bytes(target) })
    };
    state.training = errors()?;
    state.validation = errors().filter(|errors| !errors.result.is_nan());
    for weights in [&mut state.weights, &mut state.adam.mean, &mut state.adam.square] {
        for value in weights.values_mut() {
            *value = f32::from_le_bytes(take(&mut rest)?);
        }
    }
    rest.is_empty().then_some(())
}

/// Takes the next `N` bytes; `None` if fewer are left.
fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (bytes, behind) = rest.split_first_chunk()?;
    *rest = behind;
    Some(*bytes)
}
