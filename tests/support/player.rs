//! An engine that is asked for its moves.

#![allow(dead_code, reason = "each test program uses a part")]

use std::sync::mpsc::{Receiver, channel};

use soucie::engine::Engine;
use soucie::engine::event::{Disconnected, Event, Info};
use soucie::search::Limits;

pub struct Player {
    pub engine: Engine,
    events: Receiver<Event>,
}

impl Player {
    /// An engine with these options.
    pub fn new(options: &[(&str, &str)]) -> Self {
        let (sender, events) = channel();
        let mut engine =
            Engine::new(move |event| sender.send(event).map_err(|_| Disconnected)).unwrap();
        for (name, value) in options {
            engine.set_option(name, Some(value)).unwrap();
        }
        Self { engine, events }
    }

    /// A move that a search finds.
    pub fn find_move(&mut self, limits: &Limits) -> String {
        self.search(limits).0
    }

    /// A move that a search finds, and the lines before.
    pub fn search(&mut self, limits: &Limits) -> (String, Vec<Info>) {
        self.engine.search(limits.clone(), &[]).unwrap();
        let mut lines = Vec::new();
        loop {
            match self.events.recv().unwrap() {
                Event::Info(info) => lines.push(info),
                Event::Best { best, .. } => return (best.unwrap(), lines),
                _ => {}
            }
        }
    }
}
