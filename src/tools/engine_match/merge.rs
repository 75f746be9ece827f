//! `soucie match merge`: one report from the journals of the parts of a match.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use serde::Deserialize;
use serde_json::Value;

use super::game_record::{GameRecord, PerEngine};
use super::settings::MergeSettings;
use super::statistics::{Sprt, SprtTest};
use super::totals::{MatchTotals, SummaryJson};
use crate::files::printable::Printable;
use crate::tools::error::ToolError;
use crate::tools::journal::{self, JournalError};
use crate::tools::words::plural;

/// The settings of a match that the report needs.
#[derive(Deserialize)]
struct ReportSettings {
    games: usize,
    engines: PerEngine<EngineName>,
    sprt: Option<Sprt>,
}

#[derive(Deserialize)]
struct EngineName {
    name: String,
}

/// The games of the journals read so far.
#[derive(Default)]
struct MergedGames<'a> {
    totals: MatchTotals,
    /// The half points of each game by its number, and its file.
    games: BTreeMap<usize, (usize, &'a PathBuf)>,
}

/// Adds the journals to one report. Returns true if neither engine failed in any way.
///
/// Journals of different settings and games that occur twice are refused.
pub fn run(settings: &MergeSettings, output: &mut dyn Write) -> Result<bool, ToolError> {
    let mut merged = MergedGames::default();
    let mut first: Option<(Value, ReportSettings)> = None;
    let mut builds = None;
    for path in &settings.files {
        let mut part = journal::read(path, "match")?;
        if !settings.any_build {
            builds = Some(part.check_builds(builds.as_deref())?);
        }
        let portable = portable(part.settings.take());
        let (expected, match_settings) = match &mut first {
            Some(first) => first,
            none => {
                let read = serde_json::from_value(portable.clone());
                let read = read.map_err(|_| JournalError::Fields(path.clone(), 1))?;
                none.insert((portable.clone(), read))
            }
        };
        journal::check_same(path, &portable, expected)?;
        while let Some(record) = part.entries.next::<GameRecord>()? {
            if !(1..=match_settings.games).contains(&record.number) {
                return Err(part.entries.foreign_entry().into());
            }
            merged.add(&record, path)?;
        }
    }
    // The command line requires a file.
    let Some((_, ReportSettings { games, engines, sprt })) = first else { return Ok(true) };
    let names = PerEngine { first: engines.first.name, second: engines.second.name };
    let sprt = merged.count_pairs(sprt.map(SprtTest::new));
    let MergedGames { totals, games: found } = merged;
    let missing: Vec<usize> = (1..=games).filter(|number| !found.contains_key(number)).collect();
    if settings.json {
        let summary =
            SummaryJson { summary: totals.summarise(&names, sprt), missing: Some(missing) };
        let line = serde_json::to_string(&summary).map_err(std::io::Error::other)?;
        writeln!(output, "{line}")?;
    } else {
        let parts = plural(settings.files.len(), "part", "parts");
        let mut text = Printable(output);
        writeln!(text, "{} of {games} games in {parts}.", found.len())?;
        if !missing.is_empty() {
            writeln!(text, "Missing games: {}", ranges(&missing))?;
        }
        text.write_all(totals.summary(&names, sprt).as_bytes())?;
        text.flush()?;
    }
    Ok(totals.is_clean())
}

/// Returns the settings without the paths of programs and networks, which differ between computers.
/// The fingerprints have the hashes of the files.
fn portable(mut settings: Value) -> Value {
    for engine in ["first", "second"] {
        let Some(engine) = settings.pointer_mut(&format!("/engines/{engine}")) else { continue };
        if let Some(program) = engine.get_mut("program") {
            program.take();
        }
        let options = engine.get_mut("options").and_then(Value::as_array_mut);
        for option in options.into_iter().flatten().filter_map(Value::as_array_mut) {
            if let [Value::String(name), value] = &mut option[..]
                && name.eq_ignore_ascii_case("EvalFile")
            {
                value.take();
            }
        }
    }
    settings
}

impl<'a> MergedGames<'a> {
    fn add(&mut self, record: &GameRecord, path: &'a PathBuf) -> Result<(), ToolError> {
        let number = record.number;
        if let Some((_, other)) = self.games.insert(number, (record.half_points(), path)) {
            let (path, other) = (path.display(), other.display());
            let error = format!("{path}: game {number} is also in {other}: a game counts once");
            return Err(ToolError::Other(error));
        }
        self.totals.add(record);
        Ok(())
    }

    /// Counts the complete pairs in the order of the games, and makes the sequential test after
    /// each.
    fn count_pairs(&mut self, mut test: Option<SprtTest>) -> Option<SprtTest> {
        let half_points = |number: &usize| self.games.get(number).map(|(points, _)| points);
        // Games 1 and 2 are a pair.
        for first in self.games.keys().filter(|number| *number % 2 == 1) {
            if let (Some(one), Some(other)) = (half_points(first), half_points(&(first + 1))) {
                self.totals.pairs.add(one + other);
                if let Some(test) = &mut test {
                    test.update(&self.totals.pairs);
                }
            }
        }
        test
    }
}

/// The numbers, which are sorted, as ranges: `3-6, 9`. Only the first ranges are written.
fn ranges(numbers: &[usize]) -> String {
    const MOST: usize = 10;
    let runs: Vec<&[usize]> = numbers.chunk_by(|one, next| one + 1 == *next).collect();
    let shown = runs.iter().take(MOST).filter_map(|run| match run {
        [] => None,
        [only] => Some(only.to_string()),
        [first, .., last] => Some(format!("{first}-{last}")),
    });
    let more = if runs.len() > MOST { ", ..." } else { "" };
    shown.collect::<Vec<_>>().join(", ") + more
}
