//! Runs a command of an engine whose events are printed on standard output.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use soucie::engine::event::{Disconnected, Event};
use soucie::engine::{Engine, EngineError};

/// Runs `command` with a new engine and prints its events, each as a line that `text` returns, until
/// all searches have ended. An error of writing ends it.
pub fn print<T, C>(text: T, command: C) -> io::Result<()>
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
