//! The choice of the evaluation: a network file, the built-in network, or handcrafted.

use std::io;
use std::path::Path;
use std::sync::Arc;

use thiserror::Error;

use crate::files::regular;

use crate::nnue::{self, Network, NetworkError};
use crate::options::Options;
use crate::with_game;

/// Why a network file cannot be used.
#[derive(Debug, Error)]
pub enum EvalFileError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] io::Error),
    /// It does not hold a network for the current game.
    #[error(transparent)]
    Network(#[from] NetworkError),
}

/// The network of the option `EvalFile`, if any. It is kept while another game is played.
#[derive(Clone, Default)]
pub struct Evaluator {
    named: Option<Arc<Network>>,
}

impl Evaluator {
    /// Reads a network file. An empty path selects no file. If `variant` is given, the network must
    /// be for its game.
    pub fn read(path: &str, variant: Option<&str>) -> Result<Self, EvalFileError> {
        if path.is_empty() {
            return Ok(Self::default());
        }
        Ok(Self { named: Some(Arc::new(read_network(Path::new(path), variant)?)) })
    }

    /// The name of the game of the network of the file, if there is one.
    pub fn game(&self) -> Option<&str> {
        self.named.as_ref().map(|network| network.header.game.as_str())
    }

    /// Checks that the network of the file, if there is one, is for the game of a variant.
    pub fn check(&self, variant: &str) -> Result<(), EvalFileError> {
        Ok(self.named.as_ref().map_or(Ok(()), |network| check_game(network, variant))?)
    }

    /// The network for a game; `None` selects the handcrafted evaluation.
    pub fn network(&self, options: &Options, game: &str) -> Option<Arc<Network>> {
        if options.handcrafted {
            return None;
        }
        let named = self.named.as_ref().filter(|network| network.header.game == game);
        named.cloned().or_else(|| nnue::built_in(game))
    }
}

/// Reads a network file. If `variant` is given, the network must be for its game.
pub fn read_network(path: &Path, variant: Option<&str>) -> Result<Network, EvalFileError> {
    let network = Network::read(&regular::read(path, nnue::MAX_FILE_SIZE as u64)?)?;
    check_game(&network, variant.unwrap_or(&network.header.game))?;
    Ok(network)
}

fn check_game(network: &Network, variant: &str) -> Result<(), NetworkError> {
    let unknown = || Err(NetworkError::UnknownGame(variant.to_string()));
    with_game!(variant, |P, _variant| network.suits::<P>()).unwrap_or_else(unknown)
}
