//! `soucie problem`: checks problems with proofs.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod check;
pub mod input;
mod judge;
mod moves;
mod page;
pub mod report;
pub mod settings;
pub mod terms;

use std::fs;
use std::io::Write;
use std::sync::atomic::Ordering::Relaxed;

use serde::{Deserialize, Serialize};

use super::endgame_tables::{tablebases, whole_tables};
use super::error::ToolError;
use super::journal::{self, Builds, KnownEntries};
use super::words::progress_bar;
use super::{arguments, interrupt, ordered_map};
use crate::engine::Tablebases;
use crate::files::atomic_file;
use crate::files::printable::Printable;
use crate::options::Options;
use check::Checker;
use input::{Entry, problems};
use report::ProblemReport;
use settings::{CheckSettings, ProblemCommand};

/// Runs a command. Returns true if every problem could be read.
pub fn run(command: &ProblemCommand, output: &mut (dyn Write + Send)) -> Result<bool, ToolError> {
    match command {
        ProblemCommand::Check(settings) => check(settings, output),
    }
}

/// An entry of the journal: a problem, for comparison with the input, and its result.
#[derive(Serialize, Deserialize)]
struct JournalEntry {
    setup: String,
    result: Result<ProblemReport, String>,
}

fn check(settings: &CheckSettings, output: &mut (dyn Write + Send)) -> Result<bool, ToolError> {
    settings.check_files()?;
    let tables = tables(settings)?;
    let (mut known, mut journal) = match &settings.resume {
        Some(path) => {
            let description = settings.describe(arguments::tables(&tables));
            let builds = Builds::own(settings.any_build);
            let (known, journal) = journal::open(path, "problems", &description, &builds)?;
            (Some(known), Some(journal))
        }
        None => (None, None),
    };
    if let Some(folder) = &settings.out {
        fs::create_dir_all(folder)?;
    }
    let stop = interrupt::flag();
    let is_stopped = || stop.load(Relaxed);
    let checker = Checker {
        options: &settings.options,
        terms: settings.terms,
        tables: &tables,
        nodes: settings.nodes,
        hash: settings.hash,
        out: settings.out.as_deref(),
        stop: &is_stopped,
    };
    let bar = progress_bar(None, "{spinner} {human_pos} problems, {elapsed}");
    let mut entries = Vec::new();
    let work = problems(settings)?.zip(1..).map(|(entry, number)| {
        let known = match &entry {
            Ok(problem) => known_result(&mut known, &problem.setup)?,
            Err(_) => None,
        };
        Ok((entry, number, known))
    });
    let mut out = Printable(output);
    ordered_map::map(
        arguments::threads(settings.jobs),
        work,
        |work: Result<_, ToolError>| {
            work.map(|(entry, number, known)| {
                let is_old = known.is_some();
                let result = known.unwrap_or_else(|| result_of(&checker, &entry, number));
                (entry, result, is_old)
            })
        },
        |work| {
            let (entry, result, is_old) = work?;
            if is_stopped() {
                let goes_on = settings.resume.is_some();
                let text = if goes_on { interrupt::UNFINISHED } else { "interrupted" };
                return Err(ToolError::Other(text.to_string()));
            }
            if let (Some(journal), Ok(problem), false) = (&mut journal, &entry, is_old) {
                let setup = problem.setup.clone();
                journal.add(&JournalEntry { setup, result: result.clone() })?;
            }
            bar.inc(1);
            bar.suspend(|| write(&mut out, &result, settings.json))?;
            entries.push(result);
            Ok(())
        },
    )?;
    bar.finish_and_clear();
    if let Some(path) = &settings.html {
        atomic_file::write(path, page::page(&entries).as_bytes())?;
    }
    Ok(entries.iter().all(Result::is_ok) && !entries.is_empty())
}

fn write(
    out: &mut impl Write,
    result: &Result<ProblemReport, String>,
    json: bool,
) -> Result<(), ToolError> {
    match result {
        Ok(report) if json => {
            writeln!(out, "{}", serde_json::to_string(report).unwrap_or_default())?
        }
        Ok(report) => report.write(out)?,
        Err(error) if json => writeln!(out, "{}", serde_json::json!({ "error": error }))?,
        Err(error) => writeln!(out, "{error}\n")?,
    }
    Ok(out.flush()?)
}

/// The result of the next problem in the journal; `None` once all entries are used.
fn known_result(
    known: &mut Option<KnownEntries>,
    setup: &str,
) -> Result<Option<Result<ProblemReport, String>>, ToolError> {
    let Some(known) = known else { return Ok(None) };
    let Some(entry) = known.next::<JournalEntry>()? else { return Ok(None) };
    if entry.setup == setup { Ok(Some(entry.result)) } else { Err(known.foreign_entry().into()) }
}

/// The result of an entry. What is wrong with a problem concerns only this one.
fn result_of(checker: &Checker, entry: &Entry, number: usize) -> Result<ProblemReport, String> {
    let problem = entry.as_ref().map_err(String::clone)?;
    checker.check(problem, number).map_err(|error| format!("problem {number}: {error}"))
}

/// The endgame tables of the settings, or of the user.
fn tables(settings: &CheckSettings) -> Result<Tablebases, ToolError> {
    match &settings.tables {
        Some(folder) => Ok(whole_tables(folder)?.for_proofs()?),
        None => {
            let tables = tablebases(&Options::default(), settings.default_tables.as_deref())?;
            Ok(tables.for_proofs().unwrap_or_default())
        }
    }
}
