//! `soucie perft`: counts sequences of moves.

use std::io::{self, Write};
use std::time::Instant;

use crate::engine::Engine;
use crate::engine::event::{Disconnected, Event};

/// Counts the sequences of `depth` moves from a setup, the start of the variant where there is
/// none, and prints them by first move as `text` puts it, the speed behind the total.
pub fn run(
    depth: u32,
    fen: Option<&str>,
    variant: &str,
    text: fn(&Event) -> String,
) -> io::Result<()> {
    let started = Instant::now();
    let print = move |event: Event| {
        let mut line = text(&event);
        if let Event::Perft { nodes } = event {
            let speed = nodes as f64 / started.elapsed().as_secs_f64().max(1e-6) / 1e6;
            line += &format!(" ({speed:.1} million a second)");
        }
        writeln!(io::stdout(), "{line}").map_err(|_| Disconnected)
    };
    let mut engine = Engine::new(print).map_err(io::Error::other)?;
    engine.set_option("UCI_Variant", Some(variant)).map_err(io::Error::other)?;
    engine.set_position(fen, &[]).map_err(io::Error::other)?;
    engine.perft(depth).map_err(io::Error::other)?;
    engine.finish().map_err(io::Error::other)
}
