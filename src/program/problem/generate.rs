//! `soucie problem generate`: finds sound problems in games.
//!
//! The games come from records, or the engine plays them.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use serde_json::json;
use soucie::files::atomic_file;
use soucie::files::printable::plural;
use soucie::options::{Options, Scope};
use soucie::problems::{Checker, FoundProblem, game_problems};
use soucie::records::{HeaderField, Record};

use super::input::records;
use super::settings::{GenerateSettings, is_file_due, with_rest};
use crate::error::{CommandError, note};
use crate::progress::progress_bar;
use crate::{arguments, interrupt};

/// A game to look through.
enum SearchedGame {
    /// A game of the engine against itself.
    Seed(u64),
    /// A record with its name, or why it cannot be read.
    Record(String, Result<Box<Record>, String>),
}

type SearchedGames = Box<dyn Iterator<Item = (Option<String>, SearchedGame)> + Send>;

/// Runs the command. Returns true if every game could be read.
pub fn generate(
    settings: &GenerateSettings,
    output: &mut (dyn Write + Send),
) -> Result<bool, CommandError> {
    settings.check_files()?;
    let tables = settings.proofs.begin()?;
    let stop = interrupt::flag();
    let is_stopped = || stop.load(Relaxed);
    let checker = Checker {
        nodes: settings.nodes(),
        hash: settings.hash(),
        out: settings.proofs.out.as_deref(),
        ..Checker::of_candidates(&[], &tables, &is_stopped)
    };
    let options = checker.rules_of_problems(&settings.game.variant, &[])?;
    let bar = progress_bar(None, "{spinner} {human_pos} games, {msg}{elapsed}");
    let description = settings.describe(arguments::describe_tables(&tables));
    let games = game_problems(&checker, &options)?;
    let mut problems = Vec::new();
    let mut known = HashSet::new();
    let mut all_read = true;
    // Games that other threads have begun are looked through, and what they have is not printed.
    let has_enough = AtomicBool::new(false);
    let searched = games_to_search(settings)?;
    let done = settings.proofs.map(
        (description, &stop, &bar),
        searched.take_while(|_| !has_enough.load(Relaxed)),
        |game| match game {
            SearchedGame::Seed(seed) => games.of_seed(*seed),
            SearchedGame::Record(place, record) => {
                // The folders of this machine say nothing about the game.
                let name = Path::new(place).file_name().unwrap_or_default();
                let record = record.as_ref().map_err(String::clone)?;
                games.of_record(record, &name.to_string_lossy(), place)
            }
        },
        |found: FoundProblem| {
            if has_enough.load(Relaxed) {
                return Ok(());
            }
            match found {
                Ok(Some(problem)) if known.insert(problem.id.clone()) => {
                    let line = serde_json::to_string(&problem).map_err(io::Error::other)?;
                    problems.push(problem);
                    bar.suspend(|| writeln!(output, "{line}"))?;
                    output.flush()?;
                    bar.set_message(format!("{} problems, ", problems.len()));
                    has_enough.store(Some(problems.len()) == settings.count, Relaxed);
                }
                Ok(_) => {}
                Err(error) => {
                    all_read = false;
                    bar.suspend(|| note(error));
                }
            }
            Ok(())
        },
    );
    let records = settings.records.as_ref().filter(|_| is_file_due(&done, problems.len()));
    if let Some(path) = records {
        // `soucie problem check` switches draws by counts off itself.
        let asked = Options::of(Some(&settings.game.variant), checker.options, Scope::Rule)?;
        let texts = problems.iter().map(|problem| problem.record(&asked, checker.nodes));
        let texts = texts.map(|record| record.map(|record| record.to_string()));
        let texts = texts.collect::<Result<Vec<_>, _>>()?;
        atomic_file::write(path, texts.join("\n").as_bytes())?;
    }
    let found = plural(problems.len(), "problem", "problems");
    if done.is_ok() && all_read && problems.is_empty() {
        note("no problem found");
    }
    done.map_err(|error| with_rest(error, &settings.proofs, &found, records))?;
    Ok(all_read)
}

/// The games to look through, with their names for the journal.
fn games_to_search(settings: &GenerateSettings) -> Result<SearchedGames, CommandError> {
    if let Some(seeds) = &settings.seeds {
        let seeds = seeds.clone();
        return Ok(Box::new(
            seeds.map(|seed| (Some(format!("seed {seed}")), SearchedGame::Seed(seed))),
        ));
    }
    let games = records(&settings.files, Some(&settings.game.variant))?;
    Ok(Box::new(games.map(|(at, game)| (Some(item(&at, &game)), SearchedGame::Record(at, game)))))
}

/// The place of a record, and what its problem depends on.
fn item(at: &str, game: &Result<Box<Record>, String>) -> String {
    match game {
        Ok(record) => {
            let moves: Vec<&str> = record.moves().collect();
            json!([at, record.variant(), record.setup(), moves, record.info(HeaderField::Rules)])
                .to_string()
        }
        Err(error) => error.clone(),
    }
}
