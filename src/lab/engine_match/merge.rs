//! `soucie-lab match merge`: one report from the journals of the parts of a match.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use serde::Deserialize;
use serde_json::{Value, json};

use super::game_record::{GameRecord, PerEngine};
use super::settings::MergeSettings;
use super::statistics::Sprt;
use super::totals::MatchTotals;
use soucie::files::named;
use soucie::files::printable::{Printable, plural};
use soucie_program::error::CommandError;
use soucie_program::journal;

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

/// The half points of each game by its number, and its file.
type MergedGames<'a> = BTreeMap<usize, (usize, &'a Path)>;

/// Adds the journals to one report. Returns true if neither engine failed in any way.
///
/// Journals of different settings and games that occur twice are refused.
pub fn run(settings: &MergeSettings, output: &mut dyn Write) -> Result<bool, CommandError> {
    let mut games = MergedGames::new();
    let mut first: Option<(Value, usize, MatchTotals)> = None;
    for path in &settings.files {
        let expected = first.as_ref().map(|(expected, ..)| expected);
        let (there, mut entries) = journal::read(path, "match", expected)?;
        let (_, count, totals) = match &mut first {
            Some(first) => first,
            none => {
                let read = serde_json::from_value(there.clone());
                let read: ReportSettings = read.map_err(|error| named(path, error.into()))?;
                let names = PerEngine::each(|id| read.engines.get(id).name.clone());
                none.insert((there, read.games, MatchTotals::new(names, read.sprt)))
            }
        };
        while let Some(record) = entries.take_next::<GameRecord>()? {
            let number = record.number;
            if !(1..=*count).contains(&number) {
                return Err(entries.foreign_entry().into());
            }
            if let Some((_, other)) = games.insert(number, (record.half_points(), path)) {
                let (path, other) = (path.display(), other.display());
                let error = format!("{path}: game {number} is also in {other}: a game counts once");
                return Err(CommandError::Other(error));
            }
            totals.add(&record);
        }
    }
    // The command line requires a file.
    let Some((_, count, mut totals)) = first else { return Ok(true) };
    add_pairs(&games, &mut totals);
    let missing: Vec<usize> = (1..=count).filter(|number| !games.contains_key(number)).collect();
    if settings.json {
        writeln!(output, "{}", json!({ "summary": totals.json(), "missing": missing }))?;
    } else {
        let mut text = Printable(output);
        let parts = plural(settings.files.len(), "part", "parts");
        writeln!(text, "{} of {count} games in {parts}.", games.len())?;
        if !missing.is_empty() {
            writeln!(text, "Missing games: {}", ranges(&missing))?;
        }
        write!(text, "{}", totals.text())?;
        text.flush()?;
    }
    Ok(totals.is_clean())
}

/// Adds the complete pairs in the order of the games, on which the sequential test depends.
fn add_pairs(games: &MergedGames, totals: &mut MatchTotals) {
    let half_points = |number: &usize| games.get(number).map(|(points, _)| points);
    // Games 1 and 2 are a pair.
    for first in games.keys().filter(|number| *number % 2 == 1) {
        if let (Some(one), Some(other)) = (half_points(first), half_points(&(first + 1))) {
            totals.add_pair(one + other);
        }
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
