//! Reading a file of openings.
//!
//! A file contains game records, or one opening on each line: moves from the start position, or a
//! setup and optionally moves after it. The forms of the `position` command are accepted too, and
//! `#` starts a comment. In a line with several fields separated by `;`, the first playable field
//! counts, so that EPD lines and published opening lists can be used unchanged.

use std::io::{self, Write};
use std::path::Path;

use super::Opening;
use crate::engine::session::GameSession;
use crate::files::printable::Printable;
use crate::files::{named, regular};
use crate::records::setups::SetupMoves;
use crate::records::{Record, RecordError, RecordReader, begins_like_records, split_moves};
use crate::tools::error::ToolError;

/// The maximum size of a file, in bytes.
const MAX_FILE_SIZE: u64 = 16 << 20;

/// Reads a file of openings; `plies` limits the number of moves of each. Also returns the contents
/// of the file.
///
/// Games and lines that give no opening are left out, which a remark on standard error reports.
pub fn read_file(
    path: &Path,
    start: &dyn GameSession,
    plies: Option<usize>,
) -> Result<(Vec<Opening>, Vec<u8>), ToolError> {
    let text = regular::read(path, MAX_FILE_SIZE).map_err(|error| named(path, error))?;
    let openings = read(&text, start, plies);
    let (openings, remark) =
        openings.map_err(|why| ToolError::Other(format!("{}: {why}", path.display())))?;
    if let Some(remark) = remark {
        // The remark is optional: standard error may be closed.
        let _ = writeln!(Printable(io::stderr()), "soucie: {}: {remark}", path.display());
    }
    Ok((openings, text))
}

/// Reads openings. The second value is a remark on those that are left out, if there are any: their
/// number, and the reason of the first one.
fn read(
    text: &[u8],
    start: &dyn GameSession,
    plies: Option<usize>,
) -> Result<(Vec<Opening>, Option<String>), String> {
    let parser = OpeningParser { start, plies: plies.unwrap_or(usize::MAX) };
    let read = if begins_like_records(text) { parser.games(text) } else { parser.lines(text) };
    let all = read.len();
    let (openings, left_out): (Vec<_>, Vec<_>) = read.into_iter().partition(Result::is_ok);
    let openings: Vec<Opening> = openings.into_iter().flatten().collect();
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
    (!content.is_empty()).then_some(content)
}

struct OpeningParser<'a> {
    start: &'a dyn GameSession,
    plies: usize,
}

impl OpeningParser<'_> {
    /// Returns the opening of each game, or why it has none.
    fn games(&self, text: &[u8]) -> Vec<Result<Opening, String>> {
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
    fn lines(&self, text: &[u8]) -> Vec<Result<Opening, String>> {
        let text = String::from_utf8_lossy(text);
        let lines = (1..).zip(text.trim_start_matches('\u{feff}').lines());
        let lines = lines.filter_map(|(number, line)| Some((number, content(line)?)));
        lines.map(|(number, line)| self.line(line).map_err(|why| wrong(number, &why))).collect()
    }

    fn game(&self, record: &Record) -> Result<Opening, String> {
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

    fn line(&self, line: &str) -> Result<Opening, String> {
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
    fn open(session: Box<dyn GameSession>, has_setup: bool) -> Result<Opening, String> {
        if let Some(outcome) = session.outcome() {
            return Err(outcome.to_string());
        }
        let moves = session.history().into_iter().map(|played| played.mv.coordinate).collect();
        Ok(Opening { setup: has_setup.then(|| session.start()), moves })
    }
}

/// Returns whether a word after the board belongs to the setup: a side to move, a dash or a number.
fn is_of_setup(word: &str) -> bool {
    matches!(word, "b" | "w" | "black" | "white" | "-") || word.bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::tests::start;
    use super::*;

    /// Returns the openings of a file as `position` commands.
    fn positions(variant: &'static str, text: &str, plies: Option<usize>) -> Vec<String> {
        let (openings, remark) = read(text.as_bytes(), &*start(variant), plies).unwrap();
        assert_eq!(remark, None);
        openings.iter().map(|opening| opening.position(&opening.moves)).collect()
    }

    const LOA: &str = "8/8/3l4/8/2l5/3L2L1/8/8 w";

    #[test]
    fn every_format_of_a_line_is_read() {
        let fen = format!("position fen {LOA} - - 0 1");
        let table = [
            ("b8b6 a4c4 # first\n\n# nothing\n", "position startpos moves b8b6 a4c4"),
            ("b8-b6 a4-c4", "position startpos moves b8b6 a4c4"),
            ("\u{feff}b8b6", "position startpos moves b8b6"),
            ("startpos", "position startpos"),
            ("position startpos moves b8b6", "position startpos moves b8b6"),
            (LOA, &fen),
            (&format!("fen {LOA} moves d3d5"), &format!("{fen} moves d3d5")),
            (&format!("{LOA} d3d5"), &format!("{fen} moves d3d5")),
            (&format!("{LOA} bm d3d5; id \"one\";"), &fen),
        ];
        for (text, position) in table {
            assert_eq!(positions("linesofaction", text, None), [position], "{text}");
        }
    }

    #[test]
    fn lists_of_ballots_and_games_are_read() {
        let draughts = |text| positions("englishdraughts", text, None);
        let setup = "W:W18,21,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,7,8,9,10,11,12,13";
        let ballot = format!("5;9-13 22-18 6-9;crossboard;ctd;Dreaded Edinburgh;{setup}");
        let first = draughts(&ballot).remove(0);
        assert!(first.starts_with("position startpos moves "), "{first}");
        assert_eq!(draughts("9-13 22-18 6-9"), [first.as_str()]);
        let game = "[GameType \"21\"]\n1. 9-13 22-18 2. 6-9 *\n";
        assert_eq!(draughts(game), [first.as_str()]);
        let fen = draughts(setup).remove(0);
        assert!(fen.starts_with("position fen W:W18,"), "{fen}");
        let sgf = "(;FF[4]GM[9];B[b8-b6];W[a4-c4])(;GM[9];B[b8-h8])";
        let games = positions("linesofaction", sgf, Some(1));
        assert_eq!(games, ["position startpos moves b8b6", "position startpos moves b8h8"]);
    }

    #[test]
    fn an_error_names_the_line() {
        let error_of = |text: &str| {
            read(text.as_bytes(), &*start("linesofaction"), None).err().unwrap().to_string()
        };
        let lost = "d1b3 h5g4 b1b4 g4g1 b4e7 a3c1 b3e6 h3f1 e1e5";
        let table = [
            ("# one\na1a2\nb1b9", "opening in line 2: illegal move a1a2"),
            (lost, "opening in line 1: Black has won"),
            ("# nothing", "no opening to play"),
            ("8/8 w", "opening in line 1: setup: "),
            (&format!("{LOA} a1a2"), "opening in line 1: illegal move a1a2"),
            ("1;a1a2;x", "opening in line 1: illegal move a1a2"),
            ("(;GM[9]\n;B[z])", "opening in line 2: "),
            (
                "[GameType \"21\"]\n1. 9-13 *\n",
                "expected a game of linesofaction, found englishdraughts",
            ),
        ];
        for (text, start) in table {
            assert!(error_of(text).contains(start), "{text}: {}", error_of(text));
        }
    }

    #[test]
    fn bad_openings_are_left_out() {
        let good = "[Event \"a\"]\n[GameType \"21\"]\n1. 9-13 22-18 2. 6-9 *\n\n";
        let illegal = "[Event \"b\"]\n[GameType \"21\"]\n1. 9-13 22-31 *\n\n";
        let foreign = "[Event \"c\"]\n[GameType \"20\"]\n1. 32-28 19-23 *\n\n";
        let over = "[Event \"d\"]\n[FEN \"B:W18:B14,15\"]\n1. 14x23 *\n\n";
        let sgf = "(;GM[9];B[b8-b6])";
        let table = [
            (
                "englishdraughts",
                [good, illegal, good].concat(),
                None,
                2,
                "1 of 3 openings is left out",
            ),
            ("englishdraughts", [illegal, good].concat(), None, 1, "in line 1: illegal move 22-31"),
            (
                "englishdraughts",
                [good, foreign, over, good].concat(),
                None,
                2,
                "2 of 4 openings are left out",
            ),
            ("englishdraughts", [illegal, good].concat(), Some(1), 2, ""),
            ("linesofaction", [sgf, "(;GM[9];B[a1-a2])", sgf].concat(), None, 2, "1 of 3 openings"),
            ("linesofaction", "b8b6\na1a2\nc8c6\n".into(), None, 2, "opening in line 2: illegal"),
            ("linesofaction", [sgf, "(;GM[1];B[aa])"].concat(), None, 1, "1 of 2 openings"),
        ];
        for (variant, text, plies, count, expected) in table {
            let (openings, remark) = read(text.as_bytes(), &*start(variant), plies).unwrap();
            let remark = remark.unwrap_or_default();
            assert_eq!(openings.len(), count, "{text}: {remark}");
            assert!(
                remark.contains(expected) && remark.is_empty() == expected.is_empty(),
                "{remark}"
            );
        }
        let nothing_left = read(illegal.as_bytes(), &*start("englishdraughts"), None);
        let error = nothing_left.err().unwrap().to_string();
        assert!(error.contains("illegal move 22-31"), "{error}");
    }
}
