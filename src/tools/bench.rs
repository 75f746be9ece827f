//! `soucie bench`: the same as the `bench` command of the protocol.

use std::io::{self, Write};

use crate::engine::event::{Disconnected, Event};
use crate::engine::{BENCH_DEPTH, Engine};

/// Searches the benchmark positions and prints the node count of each and the total speed. `text`
/// formats the events.
pub fn run(depth: Option<usize>, text: fn(&Event) -> String) -> io::Result<()> {
    let print = move |event| writeln!(io::stdout(), "{}", text(&event)).map_err(|_| Disconnected);
    let mut engine = Engine::new(print).map_err(io::Error::other)?;
    engine.bench(depth.unwrap_or(BENCH_DEPTH)).map_err(io::Error::other)?;
    engine.finish().map_err(io::Error::other)
}
