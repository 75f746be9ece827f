//! `soucie perft`: counts the leaf nodes of the move tree (perft).

use std::io;
use std::time::Instant;

use super::arguments::variant_of;
use super::engine_events;
use soucie::engine::event::Event;
use soucie::options::VARIANT;

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
    let with_speed = move |event: &Event| {
        let mut line = text(event);
        if let &Event::Perft { nodes: Some(nodes) } = event {
            let speed = nodes as f64 / started.elapsed().as_secs_f64().max(1e-6) / 1e6;
            line += &format!(" ({speed:.1} million a second)");
        }
        line
    };
    let variant = variant.unwrap_or_else(|| variant_of(fen));
    engine_events::print(with_speed, |engine| {
        engine.set_option(VARIANT, Some(variant))?;
        engine.set_position(fen, &[])?;
        engine.perft(depth)
    })
}
