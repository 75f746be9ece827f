//! The node count that identifies the search.

use crate::dialogue::run_uci;

/// A commit that changes the search changes `bench.txt`.
#[test]
fn bench_counts_the_nodes_of_the_file() {
    let count = include_str!("bench.txt").trim();
    let text = run_uci("bench\n");
    let last = text.lines().last().unwrap();
    assert!(last.starts_with(&format!("{count} nodes ")), "{last}, expected {count}");
}
