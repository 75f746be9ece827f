//! `soucie bench` and `soucie perft`: the commands of the protocol with these names.

use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use serde_json::Value;

use super::arguments::variant_of;
use soucie::engine::event::{Disconnected, Event};
use soucie::engine::{BENCH_DEPTH, Engine, EngineError};
use soucie::options::VARIANT;
use soucie::protocol::reply;

/// The depth of the benchmark that identifies a search, in plies. It takes a fraction of a second.
pub const SIGNATURE_DEPTH: usize = 8;

/// Searches the benchmark positions and prints the node count of each and the total speed.
pub fn run(depth: Option<usize>) -> io::Result<()> {
    print(reply::event, |engine| engine.bench(depth.unwrap_or(BENCH_DEPTH)))
}

/// Returns the node count that identifies the search of this program.
pub fn signature() -> io::Result<u64> {
    let nodes = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&nodes);
    let sink = move |event| {
        if let Event::Bench { nodes: Some(nodes), .. } = event {
            counted.store(nodes, Relaxed);
        }
        Ok(())
    };
    let mut engine = Engine::new(sink).map_err(io::Error::other)?;
    engine.bench(SIGNATURE_DEPTH).and_then(|()| engine.finish()).map_err(io::Error::other)?;
    Ok(nodes.load(Relaxed))
}

/// Adds the signature of this program to the settings of a journal, a JSON object.
pub fn with_signature(mut settings: Value) -> io::Result<Value> {
    if let Some(fields) = settings.as_object_mut() {
        fields.insert("bench".to_string(), signature()?.into());
    }
    Ok(settings)
}

/// Prints the perft count of `depth` plies from a setup, by first move and in total, with the
/// speed.
///
/// Without `fen`, the root is the start position of the variant; without `variant`, the setup
/// determines it.
pub fn perft(depth: u32, fen: Option<&str>, variant: Option<&str>) -> io::Result<()> {
    let started = Instant::now();
    let with_speed = move |event: &Event| {
        let mut line = reply::event(event);
        if let &Event::Perft { nodes: Some(nodes) } = event {
            let speed = nodes as f64 / started.elapsed().as_secs_f64().max(1e-6) / 1e6;
            line += &format!(" ({speed:.1} million a second)");
        }
        line
    };
    let variant = variant.unwrap_or_else(|| variant_of(fen));
    print(with_speed, |engine| {
        engine.set_option(VARIANT, Some(variant))?;
        engine.set_position(fen, &[])?;
        engine.perft(depth)
    })
}

/// Runs `command` with a new engine and prints its events, each as a line that `text` returns, until
/// all searches have ended. An error of writing ends it.
fn print<T, C>(text: T, command: C) -> io::Result<()>
where
    T: Fn(&Event) -> String + Send + 'static,
    C: FnOnce(&mut Engine) -> Result<(), EngineError>,
{
    let failure = Arc::new(Mutex::new(None));
    let failed = Arc::clone(&failure);
    let print = move |event| {
        writeln!(io::stdout(), "{}", text(&event)).map_err(|error| {
            *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            Disconnected
        })
    };
    let mut engine = Engine::new(print).map_err(io::Error::other)?;
    let result = command(&mut engine).and_then(|()| engine.finish());
    match failure.lock().unwrap_or_else(PoisonError::into_inner).take() {
        Some(error) => Err(error),
        None => result.map_err(io::Error::other),
    }
}
