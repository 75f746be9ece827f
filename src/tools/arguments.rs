//! What several commands read from the command line in the same way.

use std::io::{self, Write};
use std::path::PathBuf;

use thiserror::Error;

use crate::engine::Shelf;
use crate::engine::evaluator::{EvalFileError, Evaluator};
use crate::games::draughts::tables::{TableError, default_dir};
use crate::options::{OptionError, Options};

/// Reads `NAME=VALUE`.
pub fn read_option(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("say NAME=VALUE")?;
    Ok((name.trim().to_string(), value.trim().to_string()))
}

/// The options of the protocol with these values, and the variant if one is named.
pub fn options(variant: Option<&str>, values: &[(String, String)]) -> Result<Options, OptionError> {
    let mut options = Options::default();
    if variant.is_some() {
        options.set("UCI_Variant", variant)?;
    }
    for (name, value) in values {
        options.set(name, Some(value))?;
    }
    Ok(options)
}

/// A network that cannot be used.
#[derive(Debug, Error)]
#[error("network {path}: {error}")]
pub struct NoNetwork {
    path: String,
    error: EvalFileError,
}

/// What judges positions: the network in a file, for the game of the variant if one is named, or
/// what is built in where the path is empty.
pub fn evaluator(path: &str, variant: Option<&str>) -> Result<Evaluator, NoNetwork> {
    Evaluator::read(path, variant).map_err(|error| NoNetwork { path: path.to_string(), error })
}

/// The endgame tables in the folder that the options name, or else in that in which they are
/// built, if it is there. Those that cannot be used are named on standard error.
pub fn shelf(options: &Options) -> Result<Shelf, TableError> {
    let named = !options.table_path.is_empty();
    let folder = if named { Some(PathBuf::from(&options.table_path)) } else { default_dir() };
    let Some(folder) = folder.filter(|folder| named || folder.is_dir()) else {
        return Ok(Shelf::default());
    };
    let (shelf, refused) = Shelf::open(&folder)?;
    for error in refused {
        // Who closed standard error does not want to hear it.
        let _ = writeln!(io::stderr(), "soucie: {error}");
    }
    Ok(shelf)
}
