//! `soucie bench`: the same as the `bench` command of the protocol.

use std::io;

use super::engine_events;
use soucie::engine::BENCH_DEPTH;
use soucie::engine::event::Event;

/// Searches the benchmark positions and prints the node count of each and the total speed. `text`
/// formats the events.
pub fn run(depth: Option<usize>, text: fn(&Event) -> String) -> io::Result<()> {
    engine_events::print(text, |engine| engine.bench(depth.unwrap_or(BENCH_DEPTH)))
}
