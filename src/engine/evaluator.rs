//! Which network judges positions, if any does.

use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use thiserror::Error;

use crate::files::regular;
use crate::game::{Position, Variant};
use crate::games::{self, GameVisitor, WithTablebase};
use crate::nnue::{self, Network, NetworkError};
use crate::options::Options;

/// What is wrong with a network that somebody named.
#[derive(Debug, Error)]
pub enum EvalFileError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] io::Error),
    /// It holds no network for the game that is played.
    #[error(transparent)]
    Network(#[from] NetworkError),
}

/// The network that somebody named. It stays for its game while another game is played.
#[derive(Clone, Default)]
pub struct Evaluator {
    named: Option<Arc<Network>>,
}

impl Evaluator {
    /// Reads a network, for the game of the variant if one is named; none where the path is empty.
    pub fn read(path: &str, variant: Option<&str>) -> Result<Self, EvalFileError> {
        if path.is_empty() {
            return Ok(Self::default());
        }
        let mut bytes = Vec::new();
        // A byte too many is enough to know that it is too long.
        let file = regular::open(Path::new(path))?;
        file.take(nnue::LARGEST as u64 + 1).read_to_end(&mut bytes)?;
        let network = Network::read(&bytes)?;
        let game = variant.unwrap_or(&network.header.game);
        games::open(game, Suits(&network))
            .unwrap_or_else(|| Err(NetworkError::NoGame(game.to_string())))?;
        Ok(Self { named: Some(Arc::new(network)) })
    }

    /// The network for a game; none where positions are judged by hand.
    pub fn network(&self, options: &Options, game: &str) -> Option<Arc<Network>> {
        if options.handcrafted {
            return None;
        }
        let named = self.named.as_ref().filter(|network| network.header.game == game);
        named.cloned().or_else(|| nnue::built_in(game))
    }
}

struct Suits<'a>(&'a Network);

impl GameVisitor for Suits<'_> {
    type Output = Result<(), NetworkError>;

    fn visit<P: WithTablebase>(self, _: &'static Variant) -> Self::Output {
        self.0.suits::<P>()
    }
}

/// The name by which networks know a game.
pub fn game_of<P: Position>() -> &'static str {
    P::VARIANTS.first().map_or("", |variant| variant.name)
}
