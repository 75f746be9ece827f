//! `soucie bench`: the same as the `bench` command of the protocol.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use serde_json::Value;

use super::engine_events;
use soucie::engine::event::Event;
use soucie::engine::{BENCH_DEPTH, Engine};

/// The depth of the benchmark that identifies a search, in plies. It takes a fraction of a second.
pub const SIGNATURE_DEPTH: usize = 8;

/// Searches the benchmark positions and prints the node count of each and the total speed. `text`
/// formats the events.
pub fn run(depth: Option<usize>, text: fn(&Event) -> String) -> io::Result<()> {
    engine_events::print(text, |engine| engine.bench(depth.unwrap_or(BENCH_DEPTH)))
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
