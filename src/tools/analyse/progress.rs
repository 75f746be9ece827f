//! The progress bar of an analysis.

use std::io::{self, IsTerminal};

use indicatif::ProgressBar;

use super::files::{Source, items};
use super::input::Item;
use super::settings::Settings;
use crate::tools::words::time_left;

/// A progress bar on stderr; hidden if stderr is not a terminal.
pub struct Progress(ProgressBar);

impl Progress {
    /// Creates the bar. The positions of files are counted in advance, so that the remaining time
    /// can be estimated; those of stdin cannot be counted.
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

    /// Advances the bar by one position.
    pub fn step(&self) {
        self.0.inc(1);
    }

    /// Hides the bar while `write` runs.
    pub fn hide_while<T>(&self, write: impl FnOnce() -> T) -> T {
        self.0.suspend(write)
    }
}

/// The number of positions of an item that are searched: in a game, those with a move played.
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
