//! `soucie problem`: checks problems with proofs, and finds new ones.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

pub mod generate;
pub mod input;
mod page;
pub mod settings;

use std::io::Write;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use indicatif::ProgressBar;

use crate::error::CommandError;
use crate::progress::counting_bar;
use crate::{arguments, interrupt};
use input::{Entry, problems};
use settings::{CheckSettings, ProblemCommand, is_file_due, with_rest};
use soucie::engine::open;
use soucie::files::atomic_file;
use soucie::files::printable::{Printable, plural};
use soucie::games;
use soucie::options::Options;
use soucie::problems::report::{ProblemReport, summary};
use soucie::problems::{Checker, with_fault};

/// Runs a command. Returns true if every problem or game could be read.
pub fn run(
    command: &ProblemCommand,
    output: &mut (dyn Write + Send),
) -> Result<bool, CommandError> {
    match command {
        ProblemCommand::Check(settings) => check(settings, output),
        ProblemCommand::Generate(settings) => generate::generate(settings, output),
        ProblemCommand::List { game } => list(&game.variant, output),
    }
}

fn list(variant: &str, output: &mut (dyn Write + Send)) -> Result<bool, CommandError> {
    let session = open(&Options::of_variant(Some(variant))?)?;
    for problem in games::problems(session.game()) {
        writeln!(output, "{problem}")?;
    }
    Ok(true)
}

fn check(settings: &CheckSettings, output: &mut (dyn Write + Send)) -> Result<bool, CommandError> {
    settings.check_files()?;
    let tables = settings.proofs.begin()?;
    let stop = interrupt::flag();
    let is_stopped = || stop.load(Relaxed);
    let checker = Checker {
        options: &settings.game.options,
        terms: settings.terms,
        tables: &tables,
        nodes: settings.nodes(),
        hash: settings.hash(),
        out: settings.proofs.out.as_deref(),
        stop: &is_stopped,
        must_be_sound: false,
    };
    let bar = progress(settings)?;
    let description = settings.describe(arguments::describe_tables(&tables));
    let mut entries = Vec::new();
    let mut out = Printable(output);
    let items = problems(settings)?.zip(1..).map(|(entry, number)| {
        // The result repeats the number and the name, and depends on all else.
        let item = entry.as_ref().ok();
        let item = item.and_then(|problem| serde_json::to_string(&(number, problem)).ok());
        (item, (entry, number))
    });
    let done = settings.proofs.map(
        (description, &stop, &bar),
        items,
        |(entry, number)| result_of(&checker, entry, *number),
        |result| {
            let written = bar.suspend(|| write(&mut out, &result, settings.json));
            entries.push(result);
            written
        },
    );
    let mut summary = summary(&entries, settings.nodes());
    if matches!(done, Err(CommandError::Interrupted(_))) {
        summary.insert(0, "interrupted: the other problems were not checked".to_string());
    }
    let page = settings.html.as_ref().filter(|_| is_file_due(&done, entries.len()));
    if let Some(path) = page {
        atomic_file::write(path, page::page(&entries, &summary, settings.nodes()).as_bytes())?;
    }
    if !settings.json && is_file_due(&done, entries.len()) {
        // After a closed output, its error is the one to report.
        let written = summary.iter().try_for_each(|line| writeln!(out, "{line}"));
        written.or_else(|error| if done.is_err() { Ok(()) } else { Err(error) })?;
    }
    if done.is_ok() && entries.is_empty() {
        return Err(CommandError::Other("no problem in the input".to_string()));
    }
    let checked = plural(entries.len(), "problem", "problems");
    done.map_err(|error| with_rest(error, &settings.proofs, &checked, page))?;
    let variants = entries.iter().flatten().filter_map(|report| games::variant(&report.variant));
    let variants = variants.map(|variant| variant.name).collect();
    arguments::note_unused(&settings.game.options, &variants, None, &tables);
    Ok(entries.iter().all(Result::is_ok))
}

/// The progress bar, which counts the problems.
fn progress(settings: &CheckSettings) -> Result<ProgressBar, CommandError> {
    let templates = [
        "{bar:30} {human_pos} of {human_len} problems, {elapsed}{left}",
        "{spinner} {human_pos} problems, {elapsed}",
    ];
    let bar = counting_bar(&settings.files, templates, || {
        Ok::<_, CommandError>(problems(settings)?.count() as u64)
    })?;
    bar.enable_steady_tick(Duration::from_millis(500));
    Ok(bar)
}

fn write(
    out: &mut impl Write,
    result: &Result<ProblemReport, String>,
    json: bool,
) -> Result<(), CommandError> {
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

/// The result of an entry. What is wrong with a problem concerns only this one.
fn result_of(checker: &Checker, entry: &Entry, number: usize) -> Result<ProblemReport, String> {
    let problem = entry.as_ref().map_err(String::clone)?;
    let place = match problem.place.as_str() {
        "" => String::new(),
        place => format!("{place}: "),
    };
    let named = |error| {
        with_fault(format!("{place}problem {number}: {error}"), problem.rules_fault.as_deref())
    };
    checker.check(problem, number).map_err(named)
}
