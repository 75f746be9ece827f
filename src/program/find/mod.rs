//! `soucie find`: games of archives by position, player, opening, ending and result, the moves played in a position,
//! and games with the same moves.
//!
//! The archives are read on several threads (`search`), which compare each game with a
//! [`Query`](soucie::archives::Query). What is found is printed in the order of the archives (`games`), or counted
//! (`tree`).

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod games;
mod search;
pub mod settings;
mod tree;

use std::fs;
use std::io::Write;
use std::sync::atomic::Ordering::Relaxed;

use crate::error::{CommandError, note};
use crate::interrupt;
use crate::progress::counting_bar;
use settings::FindSettings;
use soucie::analysis::report::InputError;
use soucie::files::paths::Endpoint;
use soucie::files::printable::plural;

/// Searches the archives and writes what is found to `output`. Returns true if there are games and all could be read.
pub fn run(settings: &FindSettings, output: &mut (dyn Write + Send)) -> Result<bool, CommandError> {
    settings.check_files()?;
    let query = settings.query()?;
    let stop = interrupt::flag();
    let templates = ["{bar:30} {bytes} of {total_bytes}{left}", "{spinner} {bytes}, {elapsed}"];
    let bar = counting_bar(&settings.archives, templates, || length(&settings.archives))?;
    let mut errors = Errors { is_json: settings.json, ..Errors::default() };
    let print = if settings.tree { tree::print } else { games::find };
    let entries = print(settings, &query, output, &mut errors, (&bar, &stop))?;
    bar.finish_and_clear();
    errors.end();
    if stop.load(Relaxed) {
        note(format_args!("interrupted after {}", plural(entries, "game", "games")));
    } else if entries == 0 {
        note("no game in the archives");
    }
    Ok(errors.count == 0 && entries > 0 && !stop.load(Relaxed))
}

/// The number of bytes of files.
fn length(archives: &[Endpoint]) -> std::io::Result<u64> {
    let length = |archive: &Endpoint| match archive {
        Endpoint::File(path) => fs::metadata(path).map(|data| data.len()),
        _ => Ok(0),
    };
    archives.iter().map(length).sum()
}

/// The errors in the games, which are named at the end.
#[derive(Default)]
pub struct Errors {
    /// Whether they are printed as JSON at once.
    is_json: bool,
    count: usize,
    first: Vec<InputError>,
}

impl Errors {
    /// The number of errors that are named.
    const NAMED: usize = 100;

    fn add(&mut self, error: InputError, output: &mut dyn Write) -> Result<(), CommandError> {
        self.count += 1;
        if self.is_json {
            games::write_json(output, &error)?;
        } else if self.first.len() < Self::NAMED {
            self.first.push(error);
        }
        Ok(())
    }

    fn end(&self) {
        self.first.iter().for_each(note);
        let more = self.count - self.first.len();
        if !self.is_json && self.count > 0 {
            let count = plural(self.count, "game has an error", "games have errors");
            let rest =
                if more > 0 { format!("; {more} are named only by --json") } else { String::new() };
            note(format_args!("{count}{rest}"));
        }
    }
}
