//! The benchmark: a search of fixed positions.

use std::sync::Arc;

use super::error::EngineError;
use super::event::Event;
use super::session::{SearchJob, SearchSettings};
use super::typed_session::open;
use crate::games::variants;
use crate::options::Options;
use crate::platform::Instant;
use crate::search::{Limits, SearchMemory, Signals};

/// The size of the transposition table, in MiB. It is cleared before each search.
const HASH: usize = 16;

/// Returns a job that searches the benchmark positions to a fixed depth on one thread. The node
/// count identifies the search, and nodes per second are its speed.
pub(super) fn job(depth: usize, signals: Arc<Signals>) -> Result<SearchJob, EngineError> {
    let mut searches = Vec::new();
    for variant in variants() {
        let mut options = Options::default();
        options.variant = variant.name;
        for setup in variant.bench {
            let mut session = open(&options)?;
            session.set_position(Some(setup), &[])?;
            searches.push((variant.name, session));
        }
    }
    let memory = Arc::new(SearchMemory::new(HASH)?);
    Ok(Box::new(move |_, sink| {
        let started = Instant::now();
        let mut total = 0;
        for (variant, session) in searches {
            memory.clear();
            memory.prepare(usize::MAX, &mut || false);
            let limits = Limits { depth: Some(depth), ..Limits::default() };
            let settings = SearchSettings::new(limits, Arc::clone(&memory), Arc::clone(&signals));
            signals.reset_counts();
            let mut nodes = 0;
            if let Ok(job) = session.search(settings, &[]) {
                job(Instant::now(), &mut |event| {
                    if let Event::Info(info) = event {
                        nodes = info.nodes;
                    }
                    Ok(())
                });
            }
            total += nodes;
            let event = Event::BenchPosition { variant, setup: session.setup(), nodes };
            if signals.is_stopped() || sink(event).is_err() {
                break;
            }
        }
        let nodes = (!signals.is_stopped()).then_some(total);
        let _ = sink(Event::Bench { nodes, time: started.elapsed() });
    }))
}
