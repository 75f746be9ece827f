//! The built-in networks.

use std::sync::{Arc, LazyLock};

use super::network::Network;

/// The network files as pairs of name and content.
///
/// The name is `GAME-HASH.nnue`, with the first eight digits of the file's SHA-256 hash. To add a
/// network, add it here.
pub const FILES: &[(&str, &[u8])] = &[
    ("linesofaction-5dfa9d55.nnue", include_bytes!("nets/linesofaction-5dfa9d55.nnue")),
    ("englishdraughts-e860b23f.nnue", include_bytes!("nets/englishdraughts-e860b23f.nnue")),
];

/// The built-in network of a game, which is identified by the name of its first variant.
pub fn built_in(game: &str) -> Option<Arc<Network>> {
    static NETWORKS: LazyLock<Vec<Arc<Network>>> = LazyLock::new(|| {
        // The tests check that every file is readable, and its checksum.
        let read = |(_, bytes): &(&str, &[u8])| Network::read_built_in(bytes).ok().map(Arc::new);
        FILES.iter().filter_map(read).collect()
    });
    NETWORKS.iter().find(|network| network.header.game == game).cloned()
}
