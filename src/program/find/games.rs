//! Prints the games that are found, and writes them to a file.

use std::collections::HashMap;
use std::io::{self, Write};
use std::sync::atomic::AtomicBool;

use indicatif::ProgressBar;
use serde::Serialize;

use super::Errors;
use super::search::{GameResult, ResultSink, search};
use super::settings::FindSettings;
use crate::error::{CommandError, note};
use crate::record_file::RecordFile;
use soucie::analysis::report::{GameHead, InputError, InputOrigin};
use soucie::archives::{FoundPosition, Query, QueryMatch, moves_hash};
use soucie::files::printable::{excerpt, one_line, plural};
use soucie::game::Side;
use soucie::records::{Record, RecordFormat};

/// A game that is found.
pub struct FoundGame {
    head: GameHead,
    position: Option<FoundPosition>,
    /// The hash of the moves, with `--duplicates`.
    hash: Option<u64>,
    /// The record, with `--out`.
    record: Option<(RecordFormat, String)>,
}

/// A game with the same moves.
#[derive(Clone, Serialize)]
struct EarlierGame {
    game: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
}

/// A line of `--json`.
#[derive(Serialize)]
struct GameJson<'a> {
    #[serde(flatten)]
    head: &'a GameHead,
    #[serde(flatten)]
    position: Option<&'a FoundPosition>,
    #[serde(skip_serializing_if = "Option::is_none")]
    same_as: Option<&'a EarlierGame>,
}

/// Writes an object on a line.
pub fn write_json(output: &mut dyn Write, object: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *output, object)?;
    writeln!(output)
}

/// Prints the games that a query finds. Returns the number of games and other entries of the archives.
pub fn find(
    settings: &FindSettings,
    query: &Query,
    output: &mut dyn Write,
    errors: &mut Errors,
    (bar, stop): (&ProgressBar, &AtomicBool),
) -> Result<usize, CommandError> {
    let file = settings.out.as_deref().map(RecordFile::begin).transpose()?;
    let known = vec![HashMap::new(); 1 << 8];
    let mut games = FoundGames { settings, output, errors, file, known, count: 0 };
    let entries =
        search(settings, (bar, stop), |record| search_game(settings, query, record), &mut games)?;
    games.end(entries)?;
    Ok(entries)
}

/// Searches a game for all that is printed of it.
fn search_game(settings: &FindSettings, query: &Query, record: &Record) -> GameResult<FoundGame> {
    let QueryMatch { is_found, position, error } = query.search(record);
    let mut error = error.map(|error| error.to_string());
    let mut hash = None;
    if is_found && settings.duplicates && record.fault().is_none() {
        match moves_hash(record) {
            Ok(found) => hash = found,
            Err(illegal) => error = Some(illegal.to_string()),
        }
    }
    let is_found = is_found && (hash.is_some() || !settings.duplicates);
    let found = is_found.then(|| FoundGame {
        head: GameHead::new(InputOrigin::default(), record, 0),
        position,
        hash,
        record: settings.out.is_some().then(|| (record.format(), record.to_string())),
    });
    GameResult { found, error }
}

struct FoundGames<'a> {
    settings: &'a FindSettings,
    output: &'a mut dyn Write,
    errors: &'a mut Errors,
    file: Option<RecordFile>,
    /// The numbers of the first game with each hash of moves, and of its archive: by the first byte of the hash, as a
    /// table is copied when it grows.
    known: Vec<HashMap<u64, (u32, u32)>>,
    /// The number of games that are printed.
    count: usize,
}

impl ResultSink<FoundGame> for FoundGames<'_> {
    fn found(
        &mut self,
        (archive, origin): (usize, InputOrigin),
        number: usize,
        found: FoundGame,
    ) -> Result<(), CommandError> {
        let mut same_as = None;
        if let Some(hash) = found.hash {
            let place = (number as u32, archive as u32);
            let known = self.known.get_mut((hash >> 56) as usize);
            let first = known.map_or(place, |known| *known.entry(hash).or_insert(place));
            if first == place {
                return Ok(());
            }
            same_as = Some(self.earlier(first));
        }
        let head = GameHead { origin, number, ..found.head };
        match self.settings.json {
            true => {
                let (position, same_as) = (found.position.as_ref(), same_as.as_ref());
                write_json(self.output, &GameJson { head: &head, position, same_as })?;
            }
            false => self.write_row(&head, found.position.as_ref(), same_as)?,
        }
        self.count += 1;
        if let (Some(file), Some((format, record))) = (&mut self.file, found.record) {
            file.add(format, &record)?;
        }
        Ok(())
    }

    fn failed(&mut self, error: InputError) -> Result<(), CommandError> {
        self.errors.add(error, self.output)
    }
}

impl FoundGames<'_> {
    fn earlier(&self, (game, archive): (u32, u32)) -> EarlierGame {
        let file = self.settings.archives.get(archive as usize);
        let file = file.filter(|_| self.settings.archives.len() > 1).map(ToString::to_string);
        EarlierGame { game: game as usize, file }
    }

    fn write_row(
        &mut self,
        head: &GameHead,
        position: Option<&FoundPosition>,
        same_as: Option<EarlierGame>,
    ) -> io::Result<()> {
        let text = |text: &Option<String>| one_line(text.as_deref().unwrap_or("?")).into_owned();
        let mv = position.map_or(String::new(), |position| {
            format!("{}{}", position.number, if position.side == Side::Black { "." } else { "..." })
        });
        let same_as = same_as.map(|EarlierGame { game, file }| {
            file.map_or(format!("same as {game}"), |file| format!("same as {game} of {file}"))
        });
        let players = format!("{} - {}", text(&head.black), text(&head.white));
        let ends = [same_as, head.origin.file.clone()].into_iter().flatten();
        if self.count == 0 {
            let names = ["game", "Black - White", "event", "date", "result", "move"];
            write_row(self.output, &names.map(str::to_string), "")?;
        }
        let columns = [
            head.number.to_string(),
            players,
            text(&head.event),
            text(&head.date),
            text(&head.result),
            mv,
        ];
        write_row(self.output, &columns, &one_line(&ends.collect::<Vec<_>>().join("  ")))
    }

    /// Finishes the file and counts the games.
    fn end(mut self, entries: usize) -> Result<(), CommandError> {
        if let Some(mut file) = self.file.take()
            && !file.end()?
        {
            note(file.error("not written: no game was found"));
        }
        if !self.settings.json {
            let games = plural(self.count, "game", "games");
            writeln!(self.output, "{games} of {entries}")?;
        }
        Ok(())
    }
}

/// Writes a row of the table: columns of these widths, in which longer texts are cut off, and a text behind them.
fn write_row(output: &mut dyn Write, columns: &[String; 6], end: &str) -> io::Result<()> {
    const WIDTHS: [usize; 6] = [7, 40, 24, 10, 9, 6];
    let mut row = String::new();
    for (i, (text, width)) in columns.iter().zip(WIDTHS).enumerate() {
        let text = match text.chars().count() > width {
            true => excerpt(text, width - 3),
            false => text.into(),
        };
        row += &if i == 0 { format!("{text:>width$}") } else { format!("  {text:<width$}") };
    }
    row += &format!("  {end}");
    writeln!(output, "{}", row.trim_end())
}
