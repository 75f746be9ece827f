//! Reading a file of openings.
//!
//! A file contains game records, or one opening on each line: moves from the start position, or a
//! setup and optionally moves after it. The forms of the `position` command are accepted too, and
//! `#` starts a comment. In a line with several fields separated by `;`, the first playable field
//! counts, so that EPD lines and published opening lists can be used unchanged.

use std::io::{self, ErrorKind};
use std::path::Path;

use super::{ListedOpening, OpeningSet, SETS};
use soucie::engine::session::GameSession;
use soucie::files::{named, regular};
use soucie::game::split_moves;
use soucie::records::setups::SetupMoves;
use soucie::records::{Record, RecordError, RecordReader, begins_like_records};
use soucie_program::error::{CommandError, note};

/// The maximum size of a file, in bytes.
const MAX_FILE_SIZE: u64 = 16 << 20;

/// Reads a file or a built-in set of openings; `plies` limits the number of moves of each. Also
/// returns the text.
///
/// Games and lines that give no opening are left out, which a remark on standard error reports.
pub fn read_file(
    path: &Path,
    start: &dyn GameSession,
    plies: Option<usize>,
) -> Result<(Vec<ListedOpening>, Vec<u8>), CommandError> {
    let text = match OpeningSet::find(path) {
        Some(set) => text_of_set(set, start)?.into(),
        None => regular::read(path, MAX_FILE_SIZE).map_err(|error| no_file(path, error))?,
    };
    let openings = read(&text, start, plies);
    let (openings, remark) =
        openings.map_err(|why| CommandError::Other(format!("{}: {why}", path.display())))?;
    if let Some(remark) = remark {
        note(format_args!("{}: {remark}", path.display()));
    }
    Ok((openings, text))
}

fn text_of_set(set: &OpeningSet, start: &dyn GameSession) -> Result<String, CommandError> {
    let (OpeningSet { name, variant, text }, other) = (set, start.variant().name);
    if *variant != other {
        let error = format!("{name}: openings of {variant}; expected openings of {other}");
        return Err(CommandError::Other(error));
    }
    Ok(text())
}

fn no_file(path: &Path, error: io::Error) -> io::Error {
    if error.kind() != ErrorKind::NotFound {
        return named(path, error);
    }
    let sets = SETS.map(|set| format!("{} ({})", set.name, set.variant)).join(", ");
    named(path, io::Error::other(format!("no such file; the built-in sets are {sets}")))
}

/// Reads openings. The second value is a remark on those that are left out, if there are any: their
/// number, and the reason of the first one.
pub fn read(
    text: &[u8],
    start: &dyn GameSession,
    plies: Option<usize>,
) -> Result<(Vec<ListedOpening>, Option<String>), String> {
    let parser = OpeningParser { start, plies: plies.unwrap_or(usize::MAX) };
    let read = if begins_like_records(text) { parser.games(text) } else { parser.lines(text) };
    let all = read.len();
    let (openings, left_out): (Vec<_>, Vec<_>) = read.into_iter().partition(Result::is_ok);
    let openings: Vec<ListedOpening> = openings.into_iter().flatten().collect();
    let count = left_out.len();
    let first = left_out.into_iter().find_map(Result::err);
    if openings.is_empty() {
        return Err(first.unwrap_or_else(|| "no opening to play".into()));
    }
    let verb = if count == 1 { "is" } else { "are" };
    let remark = first.map(|error| format!("{count} of {all} openings {verb} left out: {error}"));
    Ok((openings, remark))
}

fn wrong(number: usize, why: &str) -> String {
    // An error of syntax begins with its own line.
    if why.starts_with("line ") {
        return format!("opening in {why}");
    }
    format!("opening in line {number}: {why}")
}

/// Returns the content of a line without comment, or `None` if it is empty.
fn content(line: &str) -> Option<&str> {
    let content = line.split('#').next().unwrap_or_default().trim();
    let is_empty = content.chars().all(|c| c == ';' || c.is_whitespace());
    (!is_empty).then_some(content)
}

struct OpeningParser<'a> {
    start: &'a dyn GameSession,
    plies: usize,
}

impl OpeningParser<'_> {
    /// Returns the opening of each game, or why it has none.
    fn games(&self, text: &[u8]) -> Vec<Result<ListedOpening, String>> {
        let records = RecordReader::new(text).default_variant(self.start.variant().name);
        let opening = |record: Result<Record, RecordError>| match &record {
            Ok(record) => {
                self.game(record).map_err(|why| wrong(record.location().line as usize, &why))
            }
            Err(error) => Err(wrong(error.location.line as usize, &error.fault.to_string())),
        };
        records.map(opening).collect()
    }

    /// Returns the opening of each line, or why it is none.
    fn lines(&self, text: &[u8]) -> Vec<Result<ListedOpening, String>> {
        let text = String::from_utf8_lossy(text);
        let lines = (1..).zip(text.trim_start_matches('\u{feff}').lines());
        let lines = lines.filter_map(|(number, line)| Some((number, content(line)?)));
        lines.map(|(number, line)| self.line(line).map_err(|why| wrong(number, &why))).collect()
    }

    fn game(&self, record: &Record) -> Result<ListedOpening, String> {
        let (variant, other) = (self.start.variant().name, record.variant());
        if variant != other {
            return Err(format!("expected a game of {variant}, found {other}"));
        }
        let moves: Vec<&str> = record.moves().collect();
        // A fault after the opening does not matter.
        if let Some(fault) = record.fault().filter(|_| moves.len() < self.plies) {
            return Err(fault.to_string());
        }
        Self::open(self.play(record.setup(), &moves)?, record.setup().is_some())
    }

    fn line(&self, line: &str) -> Result<ListedOpening, String> {
        let fields = line.split(';').map(str::trim).filter(|field| !field.is_empty());
        let mut longest = (0, String::new());
        for field in fields {
            match self.field(field, line.contains(';')) {
                Ok((session, has_setup)) => return Self::open(session, has_setup),
                // The error of the longest field is reported: most likely it was the opening.
                Err(error) if field.len() > longest.0 => longest = (field.len(), error),
                Err(_) => {}
            }
        }
        Err(longest.1)
    }

    /// Returns a session with the opening of a field, and whether the field contains a setup. In
    /// EPD, the setup may be followed by operations instead of moves.
    fn field(&self, field: &str, is_epd: bool) -> Result<(Box<dyn GameSession>, bool), String> {
        let played = SetupMoves::read(field).map_err(|error| error.to_string())?;
        let Some(setup) = &played.setup else {
            return Ok((self.play(None, &played.moves)?, false));
        };
        if played.moves.is_empty() {
            match self.play(None, &split_moves(setup)) {
                Ok(session) => return Ok((session, false)),
                Err(error) if !played.is_likely() => return Err(error),
                Err(_) => {}
            }
        }
        // The moves may follow without the word `moves`.
        let words: Vec<&str> = setup.split_whitespace().collect();
        let fields = words.iter().skip(1).take_while(|word| is_of_setup(word)).count();
        let (setup, after) = words.split_at_checked(1 + fields).unwrap_or((&words, &[]));
        let setup = setup.join(" ");
        let moves: Vec<&str> =
            after.iter().copied().chain(played.moves.iter().map(String::as_str)).collect();
        match self.play(Some(&setup), &moves) {
            Err(_) if is_epd => Ok((self.play(Some(&setup), &[""; 0])?, true)),
            session => Ok((session?, true)),
        }
    }

    fn play(
        &self,
        setup: Option<&str>,
        moves: &[impl AsRef<str>],
    ) -> Result<Box<dyn GameSession>, String> {
        let moves: Vec<&str> = moves.iter().take(self.plies).map(AsRef::as_ref).collect();
        let mut session = self.start.copy();
        session.set_position(setup, &moves).map_err(|error| error.to_string())?;
        Ok(session)
    }

    /// Returns the opening of a session, or an error if the game is over.
    fn open(session: Box<dyn GameSession>, has_setup: bool) -> Result<ListedOpening, String> {
        if let Some(outcome) = session.outcome() {
            return Err(outcome.to_string());
        }
        let moves = session.history().into_iter().map(|played| played.mv.coordinate).collect();
        Ok(ListedOpening { setup: has_setup.then(|| session.start()), moves })
    }
}

/// Returns whether a word after the board belongs to the setup: a side to move, a dash or a number.
fn is_of_setup(word: &str) -> bool {
    matches!(word, "b" | "w" | "black" | "white" | "-") || word.bytes().all(|b| b.is_ascii_digit())
}
