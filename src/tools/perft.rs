//! `soucie perft`: counts the leaf nodes of the move tree (perft).

use std::io::{self, Write};
use std::time::Instant;

use crate::engine::Engine;
use crate::engine::event::{Disconnected, Event};
use crate::tools::arguments::variant_of;

/// Prints the perft count of `depth` plies from a setup, by first move and in total, with the
/// speed.
///
/// Without `fen`, the root is the start position of the variant; without `variant`, the setup
/// determines it. `text` formats the events.
pub fn run(
    depth: u32,
    fen: Option<&str>,
    variant: Option<&str>,
    text: fn(&Event) -> String,
) -> io::Result<()> {
    let started = Instant::now();
    let print = move |event: Event| {
        let mut line = text(&event);
        if let Event::Perft { nodes: Some(nodes) } = event {
            let speed = nodes as f64 / started.elapsed().as_secs_f64().max(1e-6) / 1e6;
            line += &format!(" ({speed:.1} million a second)");
        }
        writeln!(io::stdout(), "{line}").map_err(|_| Disconnected)
    };
    let mut engine = Engine::new(print).map_err(io::Error::other)?;
    let variant = variant.unwrap_or_else(|| variant_of(fen));
    engine.set_option("UCI_Variant", Some(variant)).map_err(io::Error::other)?;
    engine.set_position(fen, &[]).map_err(io::Error::other)?;
    engine.perft(depth).map_err(io::Error::other)?;
    engine.finish().map_err(io::Error::other)
}
