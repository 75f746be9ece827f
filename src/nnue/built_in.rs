//! The networks that are built in.

use std::sync::{Arc, LazyLock};

use super::Network;

/// Makes a table of the files with these names in the folder `nets`.
macro_rules! nets {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_bytes!(concat!("nets/", $name)))),*]
    };
}

/// The files of the networks: the name of each, `GAME-HASH.nnue` with the first eight digits of
/// its SHA-256 hash, and what it holds. A new network is a name here.
pub const FILES: &[(&str, &[u8])] =
    nets!["linesofaction-2c1fb969.nnue", "englishdraughts-0dc823c8.nnue"];

/// The network that is built in for a game, which is named by its first variant.
pub fn built_in(game: &str) -> Option<Arc<Network>> {
    static NETWORKS: LazyLock<Vec<Arc<Network>>> = LazyLock::new(|| {
        // Every file can be read: the tests do.
        FILES.iter().filter_map(|(_, bytes)| Network::read(bytes).ok().map(Arc::new)).collect()
    });
    NETWORKS.iter().find(|network| network.header.game == game).cloned()
}
