//! How far an analysis is, for whoever waits at a terminal.

use std::io::{self, IsTerminal};

use indicatif::ProgressBar;

use super::files::{Source, items};
use super::input::Item;
use super::settings::Settings;
use crate::tools::words::time_left;

/// A bar on standard error; nothing where that is no terminal.
pub struct Progress(ProgressBar);

impl Progress {
    /// Begins with nothing done. The positions of files are counted beforehand, so that the time
    /// left can be told; those of standard input cannot be.
    pub fn begin(settings: &Settings) -> io::Result<Self> {
        if !io::stderr().is_terminal() {
            return Ok(Self(ProgressBar::hidden()));
        }
        let is_file = |source: &Source| matches!(source, Source::File(_));
        let (bar, style) = if settings.files.iter().all(is_file) {
            let total = items(settings, None)?.map(|item| positions(&item)).sum();
            (ProgressBar::new(total), "{bar:30} {pos} of {len} positions{left}")
        } else {
            (ProgressBar::no_length(), "{spinner} {pos} positions, {per_sec}")
        };
        Ok(Self(bar.with_style(time_left(style)?)))
    }

    /// Another position is done.
    pub fn step(&self) {
        self.0.inc(1);
    }

    /// Takes the bar away while something is written.
    pub fn hide_while<T>(&self, write: impl FnOnce() -> T) -> T {
        self.0.suspend(write)
    }
}

/// How many positions of an item are searched: in a game those in which a move was made.
fn positions(item: &Item) -> u64 {
    let moves = match item {
        Item::Failure(_) | Item::Nothing(_) => return 0,
        Item::Game(_, record) => record.moves().count(),
        Item::Setup { text, .. } => match text.split_once(" moves") {
            Some((_, moves)) => moves.split_whitespace().count(),
            None => 1,
        },
    };
    moves as u64
}
