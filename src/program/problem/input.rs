//! Reads problems: lists, records, or a setup on the command line.

use std::io::{self, Cursor, Read};
use std::iter;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::settings::CheckSettings;
use crate::arguments::{Source, open_source};
use crate::error::CommandError;
use soucie::files::json;
use soucie::files::lines::{BYTE_ORDER_MARK, LONGEST_LINE, next_line};
use soucie::files::paths::Endpoint;
use soucie::files::printable::excerpt;
use soucie::game::{Side, plain_move, split_moves};
use soucie::games;
use soucie::options::read_variant;
use soucie::problems::Problem;
use soucie::problems::problem::{RecordedTerms, StatedTerms};
use soucie::records::items::{TextItem, beginning, items};
use soucie::records::setups::SetupMoves;
use soucie::records::{HeaderField, Record, begins_like_games};

/// A problem, or why an entry of the input is none.
pub type Entry = Result<Problem, String>;

/// The problems of all inputs, in order. All files are opened at once, so that a missing one is
/// reported before the work starts.
pub fn problems(
    settings: &CheckSettings,
) -> Result<Box<dyn Iterator<Item = Entry> + Send>, CommandError> {
    let variant = settings.game.variant.clone();
    if let Some(setup) = &settings.fen {
        let entry = of_setup(setup, None, variant.as_deref(), "the setup".to_string());
        return Ok(Box::new([Ok(entry)].into_iter()));
    }
    let open = |source: &Endpoint| {
        open_source(source, |text| read(text, source.to_string(), variant.clone()))
    };
    let sources = settings.files.iter().map(open).collect::<io::Result<Vec<_>>>()?;
    Ok(Box::new(sources.into_iter().flatten()))
}

fn read(
    mut source: Source,
    file: String,
    variant: Option<String>,
) -> io::Result<Box<dyn Iterator<Item = Entry> + Send>> {
    let mut head = beginning(&mut source)?;
    if head.starts_with(BYTE_ORDER_MARK) {
        head.drain(..BYTE_ORDER_MARK.len());
    }
    // A record may begin with a comment in braces, JSON with a name in quotes.
    let is_json = json::begins_object(head.trim_ascii_start());
    let is_record = !is_json && begins_like_games(&head);
    if let Some(found) = other_json(&head) {
        let error = format!("{file}: expected one JSON object a line, found {found}");
        return Ok(Box::new(iter::once(Err(error))));
    }
    let mut source: Source = Box::new(Cursor::new(head).chain(source));
    if is_record {
        let default = variant.as_deref().and_then(games::variant);
        let entry = move |item| match item {
            TextItem::Game(record) => of_record(&record, &file),
            TextItem::Setup { line, .. } => Err(format!("{file}, line {line}: expected a record")),
            TextItem::Failure(error) => Err(format!("{file}, {error}")),
        };
        return Ok(Box::new(items(source, default)?.map(entry)));
    }
    // An error may repeat for ever.
    let mut has_failed = false;
    let next = move || {
        let line = if has_failed { None } else { next_line(&mut source, LONGEST_LINE).transpose() };
        has_failed = matches!(line, Some(Err(_)));
        line
    };
    let lines = iter::from_fn(next).zip(1..);
    Ok(Box::new(lines.filter_map(move |(line, number)| {
        let at = format!("{file}, line {number}");
        let line = match line {
            Ok(Ok(line)) => line,
            Ok(Err(error)) => return Some(Err(format!("{at}: {error}"))),
            Err(error) => return Some(Err(format!("{at}: {error}"))),
        };
        let line = String::from_utf8_lossy(&line);
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            return None;
        }
        Some(match of_line(line, variant.as_deref()) {
            Ok(problem) => Ok(Problem { place: at, ..problem }),
            Err(error) => Err(format!("{at}: {error}")),
        })
    })))
}

/// What a text with this beginning is, if it is JSON with other line breaks than those after its
/// objects, and how to convert it.
fn other_json(head: &[u8]) -> Option<&'static str> {
    let text = head.trim_ascii_start();
    let list = text.strip_prefix(b"[").map(<[u8]>::trim_ascii_start);
    if list.is_some_and(|list| list.starts_with(b"{") && json::begins_object(list)) {
        return Some("a list of objects, which `jq -c '.[]'` prints so");
    }
    let first_line = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let read = serde_json::from_slice::<IgnoredAny>(first_line);
    let is_cut = json::begins_object(text) && read.is_err_and(|error| error.is_eof());
    is_cut.then_some("an object of several lines, which `jq -c .` prints so")
}

/// Reads a problem as `soucie problem generate` and the command `problems` write it.
fn of_json(line: &str, variant: Option<&str>) -> Entry {
    // The fields that `problem generate` writes beside those that are read are known.
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code, reason = "some fields are only known")]
    struct ProblemJson {
        #[serde(default)]
        id: String,
        variant: Option<String>,
        setup: String,
        side: Option<Side>,
        terms: Option<String>,
        #[serde(default)]
        solution: Vec<String>,
        grade: Option<IgnoredAny>,
        solved: Option<IgnoredAny>,
        tries: Option<IgnoredAny>,
        themes: Option<IgnoredAny>,
        variations: Option<IgnoredAny>,
        duals: Option<IgnoredAny>,
        source: Option<IgnoredAny>,
    }
    // The object is one line of many.
    let describe = |error| json::describe(&error).replace(" at line 1 column ", " at column ");
    let line = json::with_whole_numbers(line.as_bytes());
    let read: ProblemJson = serde_json::from_slice(&line).map_err(describe)?;
    let named = read.variant.as_deref().map(read_variant).transpose();
    let named = named.map_err(|error| format!("variant: {error}"))?;
    if let (Some(named), Some(wanted)) = (named.as_deref(), variant)
        && named != wanted
    {
        return Err(format!("expected a problem of {wanted}, found {named}"));
    }
    let mut terms = StatedTerms::read(read.terms.as_deref().unwrap_or("win"))?;
    if let Some(side) = read.side {
        terms.for_side(side)?;
        terms.side = Some(side);
    }
    let problem = of_setup(&read.setup, Some(terms), variant.or(named.as_deref()), read.id);
    let keys = read.solution.first().cloned().into_iter().collect();
    Ok(Problem { keys, solution: read.solution, ..problem })
}

/// Reads a line of a list: `SETUP ; TERMS ; KEYS ; NOTE`, or a JSON object.
fn of_line(line: &str, variant: Option<&str>) -> Entry {
    if line.starts_with('{') {
        return of_json(line, variant);
    }
    let fields: Vec<&str> = line.split(';').map(str::trim).collect();
    let setup = fields.first().copied().unwrap_or_default();
    if !SetupMoves::of_setup(setup).is_likely() {
        return Err(format!("expected SETUP ; TERMS, found '{}'", excerpt(setup, 40)));
    }
    let terms = fields.get(1).filter(|text| !text.is_empty());
    let terms = terms.map(|text| StatedTerms::read(text)).transpose()?;
    let keys = published_keys(fields.get(2).copied().unwrap_or_default())?;
    let notes = fields.get(if keys.is_some() { 3 } else { 2 }..).unwrap_or_default();
    let name = notes.iter().filter(|note| !note.is_empty()).copied().collect::<Vec<_>>();
    let mut problem = of_setup(setup, terms, variant, name.join("; "));
    problem.keys = keys.unwrap_or_default();
    Ok(problem)
}

/// The keys in a field: `only MOVE`, `at least MOVE...`, `at least one` or moves alone. `None` if it is a
/// note.
fn published_keys(field: &str) -> Result<Option<Vec<String>>, String> {
    let original = field;
    // A star marks the only move.
    let field = field.to_lowercase().replace([',', '*'], " ");
    let begins = |&word: &&'static str| {
        let rest = field.strip_prefix(word)?;
        (rest.is_empty() || rest.starts_with(char::is_whitespace)).then_some((word, rest.trim()))
    };
    let announced = ["only", "at least"].iter().find_map(begins);
    let text = announced.map_or(field.as_str(), |(_, rest)| rest);
    let moves = split_moves(text).into_iter().filter(|word| !["and", "or"].contains(word));
    let moves: Vec<String> = moves.map(str::to_string).collect();
    let is_move = |text: &String| resembles_move(text);
    match announced {
        Some((_, "one")) => Ok(Some(Vec::new())),
        Some((word, _)) if moves.is_empty() => Err(format!("expected a move after '{word}'")),
        Some(_) => Ok(Some(moves)),
        None if moves.iter().all(is_move) => Ok(Some(moves).filter(|moves| !moves.is_empty())),
        // A note has several words, none of them a move.
        None if field.trim() != "any" && (moves.len() == 1 || moves.iter().any(is_move)) => {
            let found = excerpt(original, 40);
            Err(format!(
                "expected moves after the terms, found '{found}'; a note is the fourth field"
            ))
        }
        None => Ok(None),
    }
}

/// Whether a text has the form of a move: squares with signs between them, or two squares such as `d2f4`.
fn resembles_move(text: &str) -> bool {
    let is_named = |text: &str| matches!(text.as_bytes(), [b'a'..=b'h', b'1'..=b'8']);
    let is_square =
        |text: &str| is_named(text) || text.parse().is_ok_and(|n| (1..=32).contains(&n));
    let plain = plain_move(text);
    let (from, to) = plain.split_at_checked(2).unwrap_or_default();
    let mut squares = plain.split(['-', 'x', ':']);
    plain.contains(['-', 'x', ':']) && squares.all(is_square) || is_named(from) && is_named(to)
}

fn of_setup(
    setup: &str,
    terms: Option<StatedTerms>,
    variant: Option<&str>,
    name: String,
) -> Problem {
    let named = variant.and_then(games::variant);
    let detected = || SetupMoves::of_setup(setup).variant(None);
    let terms = terms.map(RecordedTerms::Stated);
    let variant = named.unwrap_or_else(detected).name;
    Problem { name, variant, setup: setup.to_string(), terms, ..Problem::default() }
}

/// The records of files with their places, in order. All files are opened at once.
pub fn records(
    files: &[Endpoint],
    variant: Option<&str>,
) -> Result<impl Iterator<Item = (String, Result<Box<Record>, String>)> + Send + use<>, CommandError>
{
    let default = variant.and_then(games::variant);
    let open = |source: &Endpoint| {
        let file = source.to_string();
        let with_place = move |item: TextItem| {
            let at = format!("{file}, line {}", item.line());
            match item {
                TextItem::Game(record) => (at, Ok(record)),
                TextItem::Setup { .. } => (at.clone(), Err(format!("{at}: expected a record"))),
                TextItem::Failure(error) => (at, Err(format!("{file}, {error}"))),
            }
        };
        Ok(open_source(source, |text| items(text, default))?.map(with_place))
    };
    let sources = files.iter().map(open).collect::<io::Result<Vec<_>>>()?;
    Ok(sources.into_iter().flatten())
}

/// A record with a setup is a problem: its main line is the solution, its result the terms. The name of
/// the event may end with terms, as in `Problem 1f6ffee5: win in 3`.
fn of_record(record: &Record, file: &str) -> Entry {
    let at = format!("{file}, line {}", record.location().line);
    if let Some(fault) = record.fault() {
        return Err(format!("{at}: {fault}"));
    }
    let Some(setup) = record.setup() else {
        return Err(format!("{at}: a game from the start position, and no problem"));
    };
    let name = record.info(HeaderField::Event).unwrap_or_default();
    let terms = name.rsplit(": ").next().and_then(|terms| StatedTerms::read(terms).ok());
    Ok(Problem {
        name,
        place: at,
        variant: record.variant(),
        setup: setup.to_string(),
        terms: Some(RecordedTerms::Result(record.outcome(), terms)),
        keys: record.moves().take(1).map(str::to_string).collect(),
        solution: record.moves().map(str::to_string).collect(),
        rules: record.rules(),
        rules_fault: record.rules_fault(),
    })
}
